package io.gatehouse.packaging;

import io.gatehouse.model.mtu.EncapsulationStack;
import io.gatehouse.model.mtu.EspEncapsulation;
import io.gatehouse.model.mtu.EspEncapsulation.Cipher;
import io.gatehouse.model.mtu.EspEncapsulation.Mode;
import io.gatehouse.model.mtu.EspEncapsulation.NatTraversal;
import io.gatehouse.model.net.IpAddress.Family;
import java.util.ArrayList;
import java.util.List;

/**
 * VXLAN in ESP between two namespaces: addresses, keys, policies and a VXLAN device at each end
 * that are no other path's.
 *
 * @param number makes names and addresses, 1 to 254
 * @param underlayMtuBytes 1500 or 9000: there is a link for each
 */
record EspPath(int number, int underlayMtuBytes, EspEncapsulation esp) {
  /**
   * Every mode with every cipher, with and without NAT traversal, over both families; and over the
   * larger link those of transport mode without NAT traversal.
   */
  static List<EspPath> all() {
    List<EspPath> paths = new ArrayList<>();
    for (EspEncapsulation esp : encapsulations()) {
      paths.add(new EspPath(paths.size() + 1, 1_500, esp));
      if (esp.mode() == Mode.TRANSPORT && esp.nat() == NatTraversal.NONE) {
        paths.add(new EspPath(paths.size() + 1, 9_000, esp));
      }
    }
    return paths;
  }

  private static List<EspEncapsulation> encapsulations() {
    List<EspEncapsulation> all = new ArrayList<>();
    for (Family family : Family.values()) {
      for (Mode mode : Mode.values()) {
        for (Cipher cipher : Cipher.values()) {
          for (NatTraversal nat : NatTraversal.values()) {
            all.add(new EspEncapsulation(mode, cipher, nat, family));
          }
        }
      }
    }
    return all;
  }

  EncapsulationStack stack() {
    return EncapsulationStack.vxlan(esp.family()).within(esp);
  }

  int largestInnerBytes() {
    return stack().largestInnerBytes(underlayMtuBytes);
  }

  /** What makes this end of it, as arguments of {@code ip}, one command a line. */
  String commands(int side) {
    int other = 3 - side;
    String mode = esp.mode() == Mode.TUNNEL ? "tunnel" : "transport";
    return """
        link set dev up%MTU% up
        addr add dev up%MTU% %OWN%/%LENGTH%
        neigh add %PEER% lladdr 02:00:00:00:%LINK%:0%OTHER% dev up%MTU%
        xfrm state add src %OWN% dst %PEER% proto esp spi %N%%SIDE% mode %MODE% %KEYS%
        xfrm state add src %PEER% dst %OWN% proto esp spi %N%%OTHER% mode %MODE% %KEYS%
        xfrm policy add src %OWN% dst %PEER% proto udp dport 4789 dir out tmpl src %OWN% dst %PEER% proto esp mode %MODE%
        xfrm policy add src %PEER% dst %OWN% proto udp dport 4789 dir in tmpl src %PEER% dst %OWN% proto esp mode %MODE%
        link add v%N% address 02:00:00:00:00:0%SIDE% mtu %MTU% type vxlan id %N% dstport 4789 local %OWN% remote %PEER% df set udp6zerocsumtx udp6zerocsumrx
        link set dev v%N% addrgenmode none up
        addr add 10.9.%N%.%SIDE%/24 dev v%N%
        neigh add 10.9.%N%.%OTHER% lladdr 02:00:00:00:00:0%OTHER% dev v%N%
        """
        .replace("%KEYS%", algorithm() + encapsulated())
        .replace("%MODE%", mode)
        .replace("%OWN%", underlay(side))
        .replace("%PEER%", underlay(other))
        .replace("%LENGTH%", esp.family() == Family.V4 ? "24" : "64 nodad")
        .replace("%MTU%", Integer.toString(underlayMtuBytes))
        .replace("%LINK%", Integer.toString(underlayMtuBytes / 100))
        .replace("%N%", Integer.toString(number))
        .replace("%SIDE%", Integer.toString(side))
        .replace("%OTHER%", Integer.toString(other));
  }

  private String underlay(int side) {
    String prefix = esp.family() == Family.V4 ? "172.31." + number + "." : "fd07:" + number + "::";
    return prefix + side;
  }

  private String algorithm() {
    return switch (esp.cipher()) {
      case AES_GCM -> "aead rfc4106(gcm(aes)) " + key(20) + " 128";
      case AES_CBC_SHA256 ->
          "enc cbc(aes) " + key(16) + " auth-trunc hmac(sha256) " + key(32) + " 128";
      case CHACHA20_POLY1305 -> "aead rfc7539esp(chacha20,poly1305) " + key(36) + " 128";
    };
  }

  private static String key(int bytes) {
    return "0x" + "5a".repeat(bytes);
  }

  private String encapsulated() {
    String original = esp.family() == Family.V4 ? "0.0.0.0" : "::";
    return esp.nat() == NatTraversal.UDP ? " encap espinudp 4500 4500 " + original : "";
  }

  @Override
  public String toString() {
    return underlayMtuBytes + " " + esp;
  }
}
