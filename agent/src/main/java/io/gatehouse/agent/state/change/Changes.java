package io.gatehouse.agent.state.change;

/** All that is to be changed so that what is becomes what must be. */
public record Changes(KernelChange kernel, FlowChange flows, BridgeChange bridge) {

  /** Number of single writes. */
  public int size() {
    return kernel.size() + flows.size() + bridge.size();
  }

  public boolean isEmpty() {
    return size() == 0;
  }
}
