package io.gatehouse.model.mtu;

import io.gatehouse.model.mtu.EspEncapsulation.Cipher;
import io.gatehouse.model.mtu.EspEncapsulation.Mode;
import io.gatehouse.model.mtu.EspEncapsulation.NatTraversal;
import io.gatehouse.model.net.IpAddress.Family;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The stacks of the table in docs/mtu.md, in its order. */
final class Stacks {
  private Stacks() {}

  static Map<String, EncapsulationStack> all() {
    Map<String, EncapsulationStack> stacks = new LinkedHashMap<>();
    for (Family family : Family.values()) {
      String vxlan = family == Family.V4 ? "VXLAN over IPv4" : "VXLAN over IPv6";
      stacks.put(vxlan, EncapsulationStack.vxlan(family));
      stacks.put(
          vxlan + ", inner 802.1Q tag",
          new EncapsulationStack(List.of(new VxlanEncapsulation(family, 1))));
      for (Mode mode : Mode.values()) {
        for (Cipher cipher : Cipher.values()) {
          for (NatTraversal nat : NatTraversal.values()) {
            stacks.put(
                vxlan + ", ESP " + name(mode) + ", " + name(cipher) + name(nat),
                esp(family, mode, cipher, nat));
          }
        }
      }
    }
    return stacks;
  }

  static EncapsulationStack esp(Family family, Mode mode, Cipher cipher, NatTraversal nat) {
    return EncapsulationStack.vxlan(family).within(new EspEncapsulation(mode, cipher, nat, family));
  }

  private static String name(Mode mode) {
    return mode == Mode.TRANSPORT ? "transport" : "tunnel";
  }

  private static String name(NatTraversal nat) {
    return nat == NatTraversal.UDP ? ", NAT-T" : "";
  }

  private static String name(Cipher cipher) {
    return switch (cipher) {
      case AES_GCM -> "AES-GCM";
      case AES_CBC_SHA256 -> "AES-CBC with SHA-256";
      case CHACHA20_POLY1305 -> "ChaCha20-Poly1305";
    };
  }
}
