package io.gatehouse.control.publish;

import com.google.protobuf.ByteString;
import io.gatehouse.control.image.AffectedDpus;
import io.gatehouse.control.publish.projection.Projection;
import io.gatehouse.control.publish.projection.ResourceEncoder;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.control.testing.TestFleet;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.PolicySeal;
import io.gatehouse.wire.PolicySeals;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sessions of one thread over a fleet, with a clock that stands still. */
final class SessionLab implements PolicySource, AgentReports {
  static final DpuName D1 = new DpuName("d1");

  final TestFleet fleet = new TestFleet();
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final SnapshotAdmission admission = new SnapshotAdmission(1);
  final List<String> reports = new ArrayList<>();
  final List<Ack> acks = new ArrayList<>();
  final List<SyncSession> open = new ArrayList<>();
  long nanos = 1;

  private final ResourceEncoder encoder = new ResourceEncoder();
  private final Map<SyncSession, Long> awaiting = new HashMap<>();
  private final SessionContext context =
      new SessionContext(
          this, this, admission, Runnable::run, new SyncMetrics(registry), () -> nanos);

  SyncSession open(DpuName dpu, FakeStream stream) {
    SyncSession session = new SyncSession(dpu, context, stream);
    open.add(session);
    return session;
  }

  /** Changes the fleet and wakes the sessions that it concerns, as the publisher does. */
  void become(String... words) {
    Committed committed = fleet.become(words);
    var affected = AffectedDpus.of(committed.before(), committed.after(), committed.entry());
    for (SyncSession session : List.copyOf(open)) {
      Long revision = awaiting.get(session);
      boolean reached = revision != null && revision <= committed.after().revision();
      if (reached || affected.contains(session.dpu())) {
        awaiting.remove(session);
        session.policyChanged(nanos);
      }
    }
  }

  Projection projection(DpuName dpu) {
    return project(dpu).orElseThrow();
  }

  double configBytes(String kind) {
    return registry.get("gatehouse.sync.config.sent.bytes").tag("kind", kind).counter().count();
  }

  @Override
  public Optional<Projection> project(DpuName dpu) {
    return encoder.project(fleet.image(), dpu);
  }

  /** No signature, but what one would be over. */
  @Override
  public PolicySeal seal(DpuName dpu, Projection policy) {
    byte[] over = PolicySeals.signedBytes(dpu, policy.revision(), policy.inventoryHash());
    return PolicySeal.newBuilder().setSignature(ByteString.copyFrom(over)).build();
  }

  @Override
  public void awaitRevision(SyncSession session, long revision) {
    awaiting.put(session, revision);
  }

  @Override
  public void connected(SyncSession session, Hello hello) {
    reports.add("connected " + session.dpu().dpu());
  }

  @Override
  public void acked(SyncSession session, Ack ack) {
    acks.add(ack);
  }

  @Override
  public void pathsChanged(SyncSession session, PathReport report) {
    reports.add("paths of " + session.dpu().dpu() + " to " + report.getPathsCount());
  }

  @Override
  public void proved(SyncSession session, IsolationProof proof) {
    reports.add("proved " + proof.getRevision() + " of " + proof.getDpu());
  }

  @Override
  public void heartbeat(SyncSession session, long appliedRevision) {
    reports.add("heartbeat " + appliedRevision);
  }

  @Override
  public void closed(SyncSession session) {
    open.remove(session);
    reports.add("closed " + session.dpu().dpu());
  }
}
