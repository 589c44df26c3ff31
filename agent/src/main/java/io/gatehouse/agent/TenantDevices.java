package io.gatehouse.agent;

import io.gatehouse.agent.device.sysfs.DpuFunction;
import io.gatehouse.agent.observe.MachineObserver;
import io.gatehouse.agent.observe.underlay.RepresentorSizes;
import io.gatehouse.agent.observe.underlay.UnderlayObserver;
import io.gatehouse.agent.reconcile.Reconciler;
import io.gatehouse.agent.state.underlay.Representors;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The tenants' devices, as the last round of the loop has seen them. */
record TenantDevices(MachineObserver machine, Supplier<Reconciler.View> view)
    implements UnderlayObserver.Tenants {
  @Override
  public Set<String> functions() {
    return machine.functions().stream()
        .map(DpuFunction::device)
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Representors representors() {
    Reconciler.View now = view.get();
    return RepresentorSizes.of(now.policy(), now.facts());
  }
}
