package io.gatehouse.agent.state.observed;

import io.gatehouse.agent.state.Facts;

/** All that was read at one moment, and the facts that follow from it. */
public record Observation(
    Observed<BridgeView> bridge,
    Observed<MeterView> meters,
    Observed<ConnectionLimitView> limits,
    Observed<FlowView> flows,
    Observed<KernelView> kernel,
    Facts facts) {}
