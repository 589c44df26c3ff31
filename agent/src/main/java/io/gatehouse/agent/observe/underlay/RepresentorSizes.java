package io.gatehouse.agent.observe.underlay;

import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.underlay.Representors;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The smallest device of a port, and how many are too small. Pure. */
public final class RepresentorSizes {
  private static final Comparator<Representors> SMALLEST =
      Comparator.comparingInt(Representors::mtuBytes)
          .thenComparing(Comparator.comparingInt(Representors::neededBytes).reversed())
          .thenComparing(Representors::port);

  private RepresentorSizes() {}

  public static Representors of(Policy policy, Facts facts) {
    List<Representors> known = new ArrayList<>();
    int tooSmall = 0;
    for (LocalPortPolicy port : policy.localPorts().values()) {
      String device = facts.devices().get(port.function());
      Integer mtu = device == null ? null : facts.mtus().get(device);
      NetworkPolicy network = policy.networks().get(port.name().network());
      if (device == null || mtu == null || network == null) {
        continue;
      }
      int needed = network.receiveMtuBytes();
      tooSmall += mtu < needed ? 1 : 0;
      known.add(new Representors(port.key(), device, mtu, needed, 0));
    }
    int count = tooSmall;
    return known.stream()
        .min(SMALLEST)
        .map(
            least ->
                new Representors(
                    least.port(), least.device(), least.mtuBytes(), least.neededBytes(), count))
        .orElse(Representors.NONE);
  }
}
