package io.gatehouse.agent.subscribe;

import io.gatehouse.agent.subscribe.HeldPolicy.Held;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.PolicyRemoval;
import io.gatehouse.proto.v1.PolicyResource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * Puts the messages of a Delta together. Nothing of it counts before the last one, and not without
 * a seal over the outcome: a stream that breaks in between leaves what was held. Not thread-safe.
 */
final class DeltaReceiver {
  /** Resources of one DPU; far above what its functions can use. */
  static final int MAX_RESOURCES = 1_000_000;

  private final PolicyTrust trust;
  private HeldPolicy held;
  private final Map<String, PolicyResource> upserts = new LinkedHashMap<>();
  private final Map<String, PolicyRemoval> removals = new LinkedHashMap<>();
  private long toRevision;

  DeltaReceiver(HeldPolicy held, PolicyTrust trust) {
    this.trust = trust;
    this.held = held;
  }

  /** What became of a message. */
  enum Outcome {
    /** More messages of the same Delta are to come. */
    STAGED,
    /** The policy is now that of the Delta. */
    COMPLETE,
    /**
     * The Delta does not fit what is held, which stays; the control plane must be told what is
     * held.
     */
    MISMATCH
  }

  HeldPolicy held() {
    return held;
  }

  /** Forgets a Delta of which the rest will not come. */
  void reset() {
    upserts.clear();
    removals.clear();
    toRevision = 0;
  }

  /**
   * Takes a message.
   *
   * @throws PolicyRefusedException if it is not to be trusted; what was held stays
   */
  Outcome receive(Delta delta) throws PolicyRefusedException {
    try {
      return staged(delta);
    } catch (PolicyRefusedException e) {
      reset();
      throw e;
    }
  }

  private Outcome staged(Delta delta) throws PolicyRefusedException {
    trust.checkRevision(held.revision(), delta.getToRevision());
    trust.checkContents(delta.getUpsertsList());
    boolean another = toRevision != 0 && toRevision != delta.getToRevision();
    boolean fits = delta.getFromRevision() == 0 || delta.getFromRevision() == held.revision();
    if (another || !fits || !stage(delta)) {
      reset();
      return Outcome.MISMATCH;
    }
    toRevision = delta.getToRevision();
    return delta.getComplete() ? complete(delta) : Outcome.STAGED;
  }

  private boolean stage(Delta delta) {
    for (PolicyResource resource : delta.getUpsertsList()) {
      upserts.put(resource.getName(), resource);
    }
    for (PolicyRemoval removal : delta.getRemovalsList()) {
      removals.put(removal.getName(), removal);
    }
    return upserts.size() <= MAX_RESOURCES && removals.size() <= MAX_RESOURCES;
  }

  private Outcome complete(Delta delta) throws PolicyRefusedException {
    HeldPolicy next = held.with(delta.getToRevision(), this::changed);
    reset();
    if (!next.inventoryHash().equals(delta.getInventoryHash())) {
      return Outcome.MISMATCH;
    }
    trust.checkSeal(next.revision(), next.inventoryHash(), delta.getSeal());
    held = next;
    return Outcome.COMPLETE;
  }

  private SortedMap<String, Held> changed(SortedMap<String, Held> resources) {
    removals.forEach(
        (name, removal) -> {
          Held there = resources.get(name);
          // The removal of an older incarnation must not take a newer one away.
          if (there != null && there.message().getVersion() == removal.getVersion()) {
            resources.remove(name);
          }
        });
    upserts.forEach((name, resource) -> resources.put(name, Held.of(resource)));
    return resources;
  }
}
