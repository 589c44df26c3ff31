package io.gatehouse.agent;

import io.gatehouse.agent.apply.BridgeApplier;
import io.gatehouse.agent.apply.ConnectionLimitApplier;
import io.gatehouse.agent.apply.FlowApplier;
import io.gatehouse.agent.apply.KernelApplier;
import io.gatehouse.agent.apply.MeterApplier;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.observe.MachineObserver;
import io.gatehouse.agent.reconcile.Devices;
import io.gatehouse.agent.state.change.BridgeChange;
import io.gatehouse.agent.state.change.ConnectionLimitChange;
import io.gatehouse.agent.state.change.FlowChange;
import io.gatehouse.agent.state.change.KernelChange;
import io.gatehouse.agent.state.change.MeterChange;
import io.gatehouse.agent.state.observed.Observation;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The real devices: what is written is read anew by the next look. */
final class MachineDevices implements Devices {
  private final MachineObserver machine;
  private final SwitchConnection ovs;
  private final KernelApplier kernelApplier;
  private final FlowApplier flowApplier;
  private final MeterApplier meterApplier;
  private final ConnectionLimitApplier limitApplier;
  private final BridgeApplier bridgeApplier;

  MachineDevices(
      MachineObserver machine,
      SwitchConnection ovs,
      KernelApplier kernelApplier,
      BridgeApplier bridgeApplier) {
    this.machine = machine;
    this.ovs = ovs;
    this.kernelApplier = kernelApplier;
    this.flowApplier = new FlowApplier(ovs.openFlow());
    this.meterApplier = new MeterApplier(ovs.openFlow());
    this.limitApplier = ovs.limitApplier();
    this.bridgeApplier = bridgeApplier;
  }

  @Override
  public Observation observe(Collection<String> functions) throws InterruptedException {
    return machine.observe(functions);
  }

  @Override
  public void forget() {
    ovs.flows().allMayHaveChanged();
    ovs.meters().mayHaveChanged();
    ovs.limits().mayHaveChanged();
    machine.linksMayHaveChanged();
  }

  @Override
  public void close(KernelChange change) throws DeviceException {
    kernelApplier.close(change);
    forgetKernel(change);
  }

  @Override
  public void open(KernelChange change) throws DeviceException {
    kernelApplier.open(change);
    forgetKernel(change);
  }

  @Override
  public Map<Integer, String> open(MeterChange change)
      throws DeviceException, InterruptedException {
    if (change.adds().isEmpty() && change.modifies().isEmpty()) {
      return Map.of();
    }
    ovs.meters().mayHaveChanged();
    return meterApplier.open(change);
  }

  @Override
  public void close(MeterChange change) throws DeviceException, InterruptedException {
    if (!change.deletes().isEmpty()) {
      ovs.meters().mayHaveChanged();
      meterApplier.close(change);
    }
  }

  @Override
  public Map<Integer, String> open(ConnectionLimitChange change)
      throws DeviceException, InterruptedException {
    if (change.sets().isEmpty()) {
      return Map.of();
    }
    ovs.limits().mayHaveChanged();
    return limitApplier.open(change);
  }

  @Override
  public void close(ConnectionLimitChange change) throws DeviceException, InterruptedException {
    if (!change.deletes().isEmpty()) {
      ovs.limits().mayHaveChanged();
      limitApplier.close(change);
    }
  }

  @Override
  public Map<Long, String> apply(FlowChange change) throws DeviceException, InterruptedException {
    Set<Long> cookies = new TreeSet<>();
    change.purges().forEach(some -> cookies.add(some.cookie()));
    Stream.of(change.deletes(), change.modifies(), change.adds())
        .forEach(list -> list.stream().map(Flow::cookie).forEach(cookies::add));
    ovs.flows().mayHaveChanged(cookies);
    return flowApplier.apply(change);
  }

  @Override
  public void apply(BridgeChange change) throws DeviceException, InterruptedException {
    // Before a port has its zone, what others left in it is gone.
    flowApplier.flush(change.newZones());
    bridgeApplier.apply(change);
  }

  private void forgetKernel(KernelChange change) {
    if (!change.isEmpty()) {
      machine.linksMayHaveChanged();
    }
  }
}
