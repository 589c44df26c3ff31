package io.gatehouse.agent.device.openflow.codec;

import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.model.net.IpAddress;
import java.util.Map;
import java.util.Optional;

/**
 * A packet that a flow has sent to the controller.
 *
 * @param metadata what the switch knew of it: the port that it came in at, and registers in pairs
 * @param userdata what the flow's action says
 * @param packet from the Ethernet header on
 */
public record PacketIn(Map<Field, Bits> metadata, Octets userdata, Octets packet) {
  public PacketIn {
    metadata = Map.copyOf(metadata);
  }

  /** OpenFlow port that it came in at; 0 if the switch does not say. */
  public int inPort() {
    return (int) metadata.getOrDefault(Field.IN_PORT, Bits.ZERO).low();
  }

  /** Who has sent the tunnel packet that it came in; empty if it came in none. */
  public Optional<IpAddress> tunnelSource() {
    Bits v4 = metadata.getOrDefault(Field.TUN_SRC, Bits.ZERO);
    if (!v4.equals(Bits.ZERO)) {
      return Optional.of(IpAddress.ofV4(v4.low()));
    }
    Bits v6 = metadata.getOrDefault(Field.TUN_IPV6_SRC, Bits.ZERO);
    return v6.equals(Bits.ZERO) ? Optional.empty() : Optional.of(IpAddress.ofBytes(v6.toBytes(16)));
  }

  /** What a register held: the switch sends them in pairs, and no pair of zeros. */
  public long register(int number) {
    Bits pair = metadata.getOrDefault(Field.xreg(number / 2), Bits.ZERO);
    return pair.shiftRight(number % 2 == 0 ? 32 : 0).low() & 0xffff_ffffL;
  }
}
