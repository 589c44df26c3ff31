package io.gatehouse.control.decide.fit;

import io.gatehouse.control.decide.Refusals;
import io.gatehouse.control.image.NetworkMembers;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.AddressPair;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which addresses ports of one network may use besides their own. No port may use what is another
 * one's own: it could speak as that one. Several may share what is nobody's own.
 */
final class AllowedPairs {
  private final List<Cidr> prefixes;
  private final NetworkMembers members;

  AllowedPairs(List<Cidr> prefixes, NetworkMembers members) {
    this.prefixes = prefixes;
    this.members = members;
  }

  /** Refuses pairs that the port cannot have. */
  void check(List<AddressPair> pairs, PortName port) {
    for (int i = 0; i < pairs.size(); i++) {
      String path = "allowed_address_pairs[" + i + "].";
      AddressPair pair = pairs.get(i);
      String problem = problemOf(pair, prefixes);
      if (!problem.isEmpty()) {
        throw new InvalidValueException(path + "ip_cidr", pair.addresses(), problem);
      }
      checkAddresses(path + "ip_cidr", pair.addresses(), port);
      pair.mac().ifPresent(mac -> checkMac(path + "mac_address", mac, port));
    }
  }

  /** Why the pair cannot be in a network of these prefixes; empty if it can. */
  static String problemOf(AddressPair pair, List<Cidr> prefixes) {
    Cidr asked = pair.addresses();
    boolean inside =
        prefixes.stream()
            .anyMatch(
                prefix ->
                    prefix.contains(asked.address())
                        && asked.prefixLength() >= prefix.prefixLength());
    return inside
        ? ""
        : "is outside "
            + prefixes.stream().map(Objects::toString).collect(Collectors.joining(" and "));
  }

  /** The port other than the given one that may use the address besides its own. */
  Optional<PortName> userOf(IpAddress address, PortName port) {
    return user(port, pair -> pair.addresses().contains(address));
  }

  /** The port other than the given one that may use the MAC address besides its own. */
  Optional<PortName> userOf(MacAddress mac, PortName port) {
    return user(port, pair -> pair.mac().filter(mac::equals).isPresent());
  }

  /** What an allocation leaves out: the prefixes of all pairs, also the given ones, in order. */
  List<Cidr> reserved(List<AddressPair> own) {
    return Stream.concat(members.pairs().values().stream().flatMap(List::stream), own.stream())
        .map(AddressPair::addresses)
        .distinct()
        .sorted(Comparator.comparing(Cidr::address).thenComparing(Cidr::prefixLength))
        .toList();
  }

  private Optional<PortName> user(PortName port, Predicate<AddressPair> wanted) {
    return members.pairs().entrySet().stream()
        .filter(entry -> !entry.getKey().equals(port))
        .filter(entry -> entry.getValue().stream().anyMatch(wanted))
        .map(entry -> entry.getKey())
        .findFirst();
  }

  private void checkAddresses(String field, Cidr asked, PortName port) {
    var owned = members.addresses().subMap(asked.address(), true, asked.last(), true);
    for (var entry : owned.entrySet()) {
      if (!entry.getValue().equals(port)) {
        throw Refusals.taken(
            field,
            asked + " holds " + entry.getKey() + ", which is " + entry.getValue() + "'s own");
      }
    }
  }

  private void checkMac(String field, MacAddress mac, PortName port) {
    Optional<PortName> owner = members.portWith(mac);
    if (owner.isPresent() && !owner.get().equals(port)) {
      throw Refusals.taken(field, mac + " is " + owner.get() + "'s own");
    }
  }
}
