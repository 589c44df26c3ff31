package io.gatehouse.control.ask;

import io.gatehouse.control.api.PortExplainer;
import io.gatehouse.model.Port;
import io.gatehouse.proto.v1.PortObservation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Asks a port's DPU over its agent's stream, if that is here. */
public final class StreamExplainer implements PortExplainer {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final AgentStreams agents;

  public StreamExplainer(AgentStreams agents) {
    this.agents = agents;
  }

  @Override
  public CompletableFuture<PortObservation> explain(Port port) {
    return agents.ask(port.dpu(), LIMIT, session -> session.explain(port.name()));
  }
}
