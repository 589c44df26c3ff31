package io.gatehouse.agent.diff;

import io.gatehouse.agent.state.Underlay;
import io.gatehouse.agent.state.change.KernelChange;
import io.gatehouse.agent.state.observed.KernelView;
import io.gatehouse.agent.state.planned.KernelPlan;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What the DPU's own network stack must be told about the devices that are there. */
public final class KernelDiff {
  private KernelDiff() {}

  public static KernelChange diff(KernelPlan plan, KernelView view) {
    return new KernelChange(
        plan.guarded().stream()
            .filter(device -> view.links().containsKey(device))
            .filter(device -> !view.guarded().contains(device))
            .toList(),
        view.guarded().stream()
            .filter(device -> !plan.guarded().contains(device))
            .sorted()
            .toList(),
        present(plan, view, link -> !link.ipv6Disabled()),
        present(plan, view, link -> !link.up()),
        underlay(plan, view));
  }

  private static List<String> present(
      KernelPlan plan, KernelView view, Predicate<KernelView.Link> wrong) {
    return plan.devices().stream()
        .filter(device -> view.links().containsKey(device))
        .filter(device -> wrong.test(view.links().get(device)))
        .toList();
  }

  private static Optional<Underlay> underlay(KernelPlan plan, KernelView view) {
    return plan.underlay().filter(underlay -> isBroken(view, underlay));
  }

  private static boolean isBroken(KernelView view, Underlay underlay) {
    KernelView.Link link = view.links().get(underlay.device());
    if (link == null) {
      // Nothing to put right before the device is there.
      return false;
    }
    return !link.up() || !view.underlay().addressPresent() || !view.underlay().routePresent();
  }
}
