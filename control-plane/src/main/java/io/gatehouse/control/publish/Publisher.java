package io.gatehouse.control.publish;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.publish.projection.Projection;
import io.gatehouse.control.publish.projection.ResourceEncoder;
import io.gatehouse.control.publish.seal.PolicySigner;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.PolicySeal;
import io.grpc.StatusRuntimeException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All agents' sessions, and the newest image for them. A commit wakes the sessions that it
 * concerns; each computes and sends its own delta on the publishing threads. Safe for use by many
 * threads.
 */
public final class Publisher {
  /** Agents that receive a large transfer at a time. */
  static final int SNAPSHOT_SLOTS = 64;

  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

  private final ResourceEncoder encoder = new ResourceEncoder();
  private final Map<DpuName, SyncSession> sessions = new ConcurrentHashMap<>();
  private final Set<SyncSession> open = ConcurrentHashMap.newKeySet();
  private final Map<SyncSession, Long> ahead = new ConcurrentHashMap<>();
  private final PublishThreads threads;
  private final PolicySigner signer;
  private final SessionContext context;
  private volatile Image newest = Image.EMPTY;
  private volatile boolean stopping;

  private Publisher(
      AgentReports reports, SyncMetrics metrics, PublishThreads threads, PolicySigner signer) {
    this.threads = threads;
    this.signer = signer;
    this.context =
        new SessionContext(
            new NewestPolicy(),
            new Registering(reports),
            new SnapshotAdmission(SNAPSHOT_SLOTS),
            threads,
            metrics,
            System::nanoTime);
  }

  /**
   * A publisher that starts from an image.
   *
   * @param reports takes what the agents report
   * @param threads run the sessions; the caller closes them after {@link #stop}
   * @param signer signs every policy that is sent
   */
  public static Publisher start(
      Image image,
      AgentReports reports,
      SyncMetrics metrics,
      PublishThreads threads,
      PolicySigner signer) {
    Publisher publisher = new Publisher(reports, metrics, threads, signer);
    publisher.newest = image;
    threads.everySecond(publisher::tendSessions);
    metrics.gauges(
        publisher.sessions::size, publisher.context.admission()::waitingCount, threads::queued);
    return publisher;
  }

  /**
   * Takes the next entry, on the sequencer's thread.
   *
   * @param concerned the DPUs whose policy it may change, removed ones among them
   */
  public void committed(Committed committed, Set<DpuName> concerned) {
    long nowNanos = System.nanoTime();
    newest = committed.after();
    for (DpuName dpu : concerned) {
      SyncSession session = sessions.get(dpu);
      if (session != null) {
        session.policyChanged(nowNanos);
      }
    }
    ahead.forEach(
        (session, revision) -> {
          if (revision <= committed.after().revision() && ahead.remove(session, revision)) {
            session.policyChanged(nowNanos);
          }
        });
  }

  /** The session of a DPU whose agent is connected here. */
  public Optional<SyncSession> session(DpuName dpu) {
    return Optional.ofNullable(sessions.get(dpu));
  }

  /** Ends all streams, so that the agents go elsewhere, and takes no more. */
  public void stop() {
    stopping = true;
    open.forEach(session -> session.end(StreamEnd.shutdown()));
  }

  /** Begins a stream; it counts as the DPU's once it has said Hello. */
  SyncSession open(DpuName dpu, SyncOutbound out) {
    SyncSession session = new SyncSession(dpu, context, out);
    open.add(session);
    if (stopping) {
      session.end(StreamEnd.shutdown());
    }
    return session;
  }

  private void tendSessions() {
    open.forEach(SyncSession::endIfStuck);
  }

  /** Policies of the newest image. */
  private final class NewestPolicy implements PolicySource {
    @Override
    public Optional<Projection> project(DpuName dpu) {
      return encoder.project(newest, dpu);
    }

    @Override
    public PolicySeal seal(DpuName dpu, Projection policy) {
      return signer.seal(dpu, policy.revision(), policy.inventoryHash());
    }

    @Override
    public void awaitRevision(SyncSession session, long revision) {
      LOG.atWarn()
          .addKeyValue("dpu", session.dpu())
          .addKeyValue("held_revision", revision)
          .addKeyValue("revision", newest.revision())
          .log("agent is ahead of the journal; it is sent nothing until the journal catches up");
      ahead.put(session, revision);
      if (revision <= newest.revision() && ahead.remove(session, revision)) {
        session.policyChanged(System.nanoTime());
      }
    }
  }

  /** Keeps the register of sessions, and passes the reports on. */
  private final class Registering implements AgentReports {
    private final AgentReports next;

    Registering(AgentReports next) {
      this.next = next;
    }

    @Override
    public void connected(SyncSession session, Hello hello) {
      SyncSession before = sessions.put(session.dpu(), session);
      // First of all: the end of the old one must find that the DPU has a newer stream.
      next.connected(session, hello);
      if (before != null) {
        StatusRuntimeException reason = StreamEnd.replaced(session.dpu());
        // Not from here: this thread holds the new session, and another may hold the old one.
        threads.execute(() -> before.end(reason));
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
      open.remove(session);
      ahead.remove(session);
      sessions.remove(session.dpu(), session);
      next.closed(session);
    }
  }
}
