package io.gatehouse.agent.report;

import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.underlay.UnderlayStack;
import io.gatehouse.proto.v1.Ack;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Puts the newest of what two threads know into one ack, and hands it on whenever either has
 * something new. Nothing is said before there is health.
 */
public final class AckDesk {
  private final Consumer<Ack> reports;
  private Optional<Health> health = Optional.empty();
  private Optional<UnderlayStack> underlay = Optional.empty();

  /**
   * Knows nothing yet.
   *
   * @param reports takes acks in the order in which they are newest; must not block
   */
  public AckDesk(Consumer<Ack> reports) {
    this.reports = reports;
  }

  public synchronized void health(Health now) {
    health = Optional.of(now);
    tell();
  }

  public synchronized void underlay(UnderlayStack now) {
    underlay = Optional.of(now);
    tell();
  }

  private void tell() {
    health.ifPresent(known -> reports.accept(AckReporter.ack(known, underlay)));
  }
}
