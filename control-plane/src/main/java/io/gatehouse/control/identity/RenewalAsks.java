package io.gatehouse.control.identity;

import io.gatehouse.control.image.Event.IdentityChanged;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.IdentityEvent.AuthorityPut;
import io.gatehouse.control.publish.AgentReports;
import io.gatehouse.control.publish.SyncSession;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.PathReport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Asks agents to renew when their certificate is of an authority that no longer signs: all that are
 * connected when the authority is replaced, and each one that connects later. They spread out over
 * an hour, or less where certificates are short-lived.
 */
public final class RenewalAsks implements AgentReports {
  private static final Duration LONGEST_SPREAD = Duration.ofHours(1);
  private static final int LIFE_PART = 10;

  private final AgentReports next;
  private final Supplier<Image> newest;
  private final Executor executor;
  private final int spreadSeconds;

  /**
   * Asks, in front of what else learns of agents.
   *
   * @param executor away from the sessions' threads
   * @param deviceLife of agents' certificates
   */
  public RenewalAsks(
      AgentReports next, Supplier<Image> newest, Executor executor, Duration deviceLife) {
    this.next = next;
    this.newest = newest;
    this.executor = executor;
    Duration part = deviceLife.dividedBy(LIFE_PART);
    this.spreadSeconds =
        (int) (part.compareTo(LONGEST_SPREAD) < 0 ? part : LONGEST_SPREAD).toSeconds();
  }

  /** Takes the next entry; returns at once. */
  public void committed(Committed committed, Function<DpuName, Optional<SyncSession>> sessions) {
    boolean replaced =
        committed.entry().events().stream()
            .anyMatch(
                event ->
                    event instanceof IdentityChanged changed
                        && changed.event() instanceof AuthorityPut);
    if (replaced) {
      executor.execute(() -> askAll(committed.after(), sessions));
    }
  }

  @Override
  public void connected(SyncSession session, Hello hello) {
    next.connected(session, hello);
    if (newest.get().identities().shouldRenew(IdentityName.of(session.dpu()))) {
      executor.execute(() -> session.askRenewal(spreadSeconds));
    }
  }

  @Override
  public void acked(SyncSession session, Ack ack) {
    next.acked(session, ack);
  }

  @Override
  public void proved(SyncSession session, IsolationProof proof) {
    next.proved(session, proof);
  }

  @Override
  public void pathsChanged(SyncSession session, PathReport report) {
    next.pathsChanged(session, report);
  }

  @Override
  public void heartbeat(SyncSession session, long appliedRevision) {
    next.heartbeat(session, appliedRevision);
  }

  @Override
  public void closed(SyncSession session) {
    next.closed(session);
  }

  private void askAll(Image image, Function<DpuName, Optional<SyncSession>> sessions) {
    for (DpuName dpu : image.dpus().keySet()) {
      if (image.identities().shouldRenew(IdentityName.of(dpu))) {
        sessions.apply(dpu).ifPresent(session -> session.askRenewal(spreadSeconds));
      }
    }
  }
}
