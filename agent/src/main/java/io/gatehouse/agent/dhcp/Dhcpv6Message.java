package io.gatehouse.agent.dhcp;

import io.gatehouse.agent.flow.Octets;
import java.util.List;
import java.util.Optional;

/**
 * A DHCPv6 message between client and server (RFC 8415 §8).
 *
 * @param transaction 24 bits
 */
record Dhcpv6Message(int type, int transaction, List<Option> options) {
  static final int SOLICIT = 1;
  static final int ADVERTISE = 2;
  static final int REQUEST = 3;
  static final int CONFIRM = 4;
  static final int RENEW = 5;
  static final int REBIND = 6;
  static final int REPLY = 7;
  static final int RELEASE = 8;
  static final int DECLINE = 9;
  static final int INFORMATION_REQUEST = 11;

  static final int CLIENT_ID = 1;
  static final int SERVER_ID = 2;
  static final int IA_NA = 3;
  static final int IA_TA = 4;
  static final int IA_ADDRESS = 5;
  static final int PREFERENCE = 7;
  static final int STATUS_CODE = 13;
  static final int RAPID_COMMIT = 14;
  static final int DNS_SERVERS = 23;
  static final int IA_PD = 25;

  /** One option. */
  record Option(int code, Octets value) {}

  Dhcpv6Message {
    options = List.copyOf(options);
  }

  boolean has(int code) {
    return option(code).isPresent();
  }

  /** The first option of a code. */
  Optional<Octets> option(int code) {
    return options.stream().filter(o -> o.code() == code).map(Option::value).findFirst();
  }

  List<Octets> all(int code) {
    return options.stream().filter(o -> o.code() == code).map(Option::value).toList();
  }
}
