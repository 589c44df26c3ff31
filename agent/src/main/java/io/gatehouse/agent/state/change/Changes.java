package io.gatehouse.agent.state.change;

/** All that is to be changed so that what is becomes what must be. */
public record Changes(
    KernelChange kernel,
    MeterChange meters,
    ConnectionLimitChange limits,
    FlowChange flows,
    BridgeChange bridge) {

  /** Changes of no meter and no limit. */
  public Changes(KernelChange kernel, FlowChange flows, BridgeChange bridge) {
    this(kernel, MeterChange.NONE, ConnectionLimitChange.NONE, flows, bridge);
  }

  /** Number of single writes. */
  public int size() {
    return kernel.size() + meters.size() + limits.size() + flows.size() + bridge.size();
  }

  public boolean isEmpty() {
    return size() == 0;
  }
}
