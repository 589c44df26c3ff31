package io.gatehouse.agent.plan;

import io.gatehouse.model.policy.LocalPortPolicy;

/** A local port that carries traffic, with its device. */
record BoundPort(LocalPortPolicy port, String device) {}
