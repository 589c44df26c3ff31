package io.gatehouse.agent.state.change;

/** All that is to be changed so that what is becomes what must be. */
public record Changes(
    KernelChange kernel, MeterChange meters, FlowChange flows, BridgeChange bridge) {

  /** Changes of no meter. */
  public Changes(KernelChange kernel, FlowChange flows, BridgeChange bridge) {
    this(kernel, MeterChange.NONE, flows, bridge);
  }

  /** Number of single writes. */
  public int size() {
    return kernel.size() + meters.size() + flows.size() + bridge.size();
  }

  public boolean isEmpty() {
    return size() == 0;
  }
}
