package io.gatehouse.control.fleet;

import io.gatehouse.control.publish.AgentReports;
import io.gatehouse.control.publish.SyncSession;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.DpuStatus;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.UnderlayObservation;
import io.gatehouse.proto.v1.UnderlayPath;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * The newest status of each DPU: of the agents connected here as they report it, of the others as
 * the control planes they are connected to have written it. Only the newest is kept. Safe for use
 * by many threads; nothing blocks.
 */
public final class DpuStatusStore implements AgentReports {
  /** How old a written "last seen" may become while nothing else changes. */
  private static final Duration SEEN_WRITTEN = Duration.ofSeconds(30);

  /** Paths that are remembered of a DPU; those that are not whole go first. */
  public static final int KEPT_PATHS = 128;

  private final String replica;
  private final InstantSource clock;
  private final BiConsumer<DpuName, Long> onApplied;
  private final Map<DpuName, DpuState> states = new ConcurrentHashMap<>();
  private final Map<DpuName, Instant> writtenSeen = new ConcurrentHashMap<>();
  private final Set<DpuName> dirty = ConcurrentHashMap.newKeySet();
  private final Set<String> alive = ConcurrentHashMap.newKeySet();

  /**
   * An empty store.
   *
   * @param replica id of this control plane
   * @param onApplied told the revision that a DPU has applied, whenever it reports; must not block
   */
  public DpuStatusStore(String replica, InstantSource clock, BiConsumer<DpuName, Long> onApplied) {
    this.replica = replica;
    this.clock = clock;
    this.onApplied = onApplied;
  }

  @Override
  public void connected(SyncSession session, Hello hello) {
    DpuState next =
        states.compute(
            session.dpu(),
            (dpu, before) -> greeted(before == null ? DpuState.UNKNOWN : before, session, hello));
    changed(session.dpu(), next);
  }

  @Override
  public void acked(SyncSession session, Ack ack) {
    update(
        session,
        state ->
            state.reporting(
                readBack(state.reported(), ack), ack.getAppliedRevision(), clock.instant()));
  }

  private static DpuStatus readBack(DpuStatus before, Ack ack) {
    DpuStatus.Builder status =
        before.toBuilder()
            .clearComponents()
            .addAllComponents(ack.getComponentsList())
            .clearProblems()
            .addAllProblems(ack.getProblemsList())
            .clearForeignObjects()
            .addAllForeignObjects(ack.getForeignObjectsList())
            .setUnderlayMtuBytes(ack.getUnderlayMtuBytes())
            .clearUnderlay();
    if (ack.hasUnderlay()) {
      status.setUnderlay(ack.getUnderlay());
    }
    return status.build();
  }

  @Override
  public void proved(SyncSession session, IsolationProof proof) {
    update(
        session,
        state ->
            state.reporting(
                state.reported().toBuilder().setIsolationProof(proof).build(),
                state.applied(),
                clock.instant()));
  }

  /** The newest proof of isolation that a DPU has reported. */
  public Optional<IsolationProof> proof(DpuName dpu) {
    DpuStatus reported = state(dpu).reported();
    return reported.hasIsolationProof()
        ? Optional.of(reported.getIsolationProof())
        : Optional.empty();
  }

  @Override
  public void pathsChanged(SyncSession session, PathReport report) {
    update(
        session,
        state ->
            state.reporting(
                state.reported().toBuilder().setPathReport(kept(report)).build(),
                state.applied(),
                clock.instant()));
  }

  /**
   * Black holes come first, then what is not known, then what is proven: a fleet of thousands, each
   * with a thousand paths, would not fit into memory, and a row is written as a whole.
   */
  private static PathReport kept(PathReport report) {
    if (report.getPathsCount() <= KEPT_PATHS) {
      return report;
    }
    return PathReport.newBuilder()
        .addAllPaths(
            report.getPathsList().stream()
                .sorted(Comparator.comparingInt(DpuStatusStore::rank))
                .limit(KEPT_PATHS)
                .sorted(Comparator.comparing(UnderlayPath::getPeer))
                .toList())
        .build();
  }

  private static int rank(UnderlayPath path) {
    return switch (path.getState()) {
      case PATH_STATE_BLACK_HOLE -> 0;
      case PATH_STATE_PROVEN -> 2;
      default -> 1;
    };
  }

  /** What a DPU has said last of the paths away from it. */
  public PathReport paths(DpuName dpu) {
    return state(dpu).reported().getPathReport();
  }

  /** The same of a DPU that is connected and has told of paths since; of others it is not known. */
  public Optional<PathReport> currentPaths(DpuName dpu) {
    DpuStatus reported = state(dpu).reported();
    return reported.hasPathReport() && isConnected(dpu)
        ? Optional.of(reported.getPathReport())
        : Optional.empty();
  }

  @Override
  public void heartbeat(SyncSession session, long appliedRevision) {
    Instant now = clock.instant();
    DpuState before = state(session.dpu());
    boolean same = before.applied() == appliedRevision;
    Instant written = writtenSeen.getOrDefault(session.dpu(), Instant.EPOCH);
    if (same && written.plus(SEEN_WRITTEN).isAfter(now)) {
      states.computeIfPresent(
          session.dpu(),
          (dpu, state) ->
              state.holder().session() == session ? state.seen(appliedRevision, now) : state);
      return;
    }
    update(session, state -> state.seen(appliedRevision, now));
  }

  @Override
  public void closed(SyncSession session) {
    update(session, state -> state.with(state.holder().closed()));
  }

  /** MTU of the interface that has a DPU's VTEP address, as its agent reads it; 0: not known. */
  public int underlayMtuBytes(DpuName dpu) {
    return state(dpu).reported().getUnderlayMtuBytes();
  }

  /** What carries a DPU's tunnels, as its agent reads it; empty: not known. */
  public Optional<UnderlayObservation> underlay(DpuName dpu) {
    DpuStatus reported = state(dpu).reported();
    return reported.hasUnderlay() ? Optional.of(reported.getUnderlay()) : Optional.empty();
  }

  /** What is known of a DPU. */
  DpuState state(DpuName dpu) {
    return states.getOrDefault(dpu, DpuState.UNKNOWN);
  }

  /** Whether the DPU's agent holds a stream, here or elsewhere. */
  public boolean isConnected(DpuName dpu) {
    DpuState.Holder holder = state(dpu).holder();
    return holder.connected() && (holder.session() != null || alive.contains(holder.replica()));
  }

  /** Forgets DPUs that an entry has removed. */
  public void committed(Committed committed, Set<DpuName> concerned) {
    for (DpuName dpu : concerned) {
      if (committed.after().dpu(dpu).isEmpty()) {
        states.remove(dpu);
        writtenSeen.remove(dpu);
        dirty.add(dpu);
      }
    }
  }

  /** Takes DPUs whose state is to be written. */
  List<DpuName> takeDirty(int limit) {
    List<DpuName> taken = dirty.stream().limit(limit).toList();
    // Before the states are read: what changes meanwhile is dirty again.
    taken.forEach(dirty::remove);
    return taken;
  }

  boolean hasDirty() {
    return !dirty.isEmpty();
  }

  int dirtyCount() {
    return dirty.size();
  }

  /** A state could not be written: it is to be written again. */
  void notWritten(List<DpuName> dpus) {
    dirty.addAll(dpus);
  }

  /** A state was written, and its stream has got a number. */
  void written(DpuName dpu, DpuState state, long epoch) {
    writtenSeen.put(dpu, state.lastSeen());
    states.computeIfPresent(
        dpu,
        (name, now) ->
            now.holder().session() == state.holder().session() && now.holder().epoch() == 0
                ? now.with(now.holder().withEpoch(epoch))
                : now);
  }

  /** Takes what another control plane has written, unless the agent's newer stream is here. */
  void merge(DpuName dpu, DpuState written) {
    AtomicReference<SyncSession> replaced = new AtomicReference<>();
    DpuState next =
        states.compute(
            dpu,
            (name, before) -> {
              if (before == null) {
                return written;
              }
              DpuState.Holder here = before.holder();
              boolean older = written.holder().epoch() < here.epoch();
              if (older || (here.session() != null && isOwn(here, written.holder()))) {
                return before;
              }
              replaced.set(here.session());
              return written;
            });
    if (next.equals(written)) {
      onApplied.accept(dpu, written.applied());
    }
    SyncSession session = replaced.get();
    if (session != null) {
      session.replacedElsewhere();
    }
  }

  /** A stream that has no number yet is written soon, and then is the newest. */
  private static boolean isOwn(DpuState.Holder here, DpuState.Holder written) {
    return here.epoch() == 0 || here.epoch() == written.epoch();
  }

  /** Another control plane has been seen to run. */
  void alive(String other) {
    alive.add(other);
  }

  /** Another control plane has not been seen to run for a while. */
  void silent(String other) {
    alive.remove(other);
  }

  private DpuState greeted(DpuState before, SyncSession session, Hello hello) {
    boolean sameBoot = before.reported().getBootId().equals(hello.getBootId());
    DpuStatus.Builder status =
        before.reported().toBuilder()
            .setAgentVersion(hello.getAgentVersion())
            .setBootId(hello.getBootId())
            .setUnderlayMtuBytes(sameBoot ? before.reported().getUnderlayMtuBytes() : 0)
            // Told anew on each stream: by an agent that has started, perhaps never.
            .clearPathReport()
            .clearFunctions()
            .addAllFunctions(hello.getFunctionsList());
    if (!sameBoot) {
      status.clearUnderlay();
    }
    // After a boot the data plane is empty: nothing is applied until the agent says so again. And
    // an
    // agent that has lost its policy cannot have read back what it no longer holds.
    long applied = sameBoot ? Math.min(before.applied(), hello.getHeldRevision()) : 0;
    return new DpuState(
        status.build(),
        applied,
        clock.instant(),
        hello.getVtepAddress(),
        new DpuState.Holder(replica, 0, true, session));
  }

  private void update(SyncSession session, UnaryOperator<DpuState> change) {
    DpuState next =
        states.computeIfPresent(
            session.dpu(),
            (dpu, state) -> state.holder().session() == session ? change.apply(state) : state);
    if (next != null) {
      changed(session.dpu(), next);
    }
  }

  private void changed(DpuName dpu, DpuState next) {
    dirty.add(dpu);
    onApplied.accept(dpu, next.applied());
  }
}
