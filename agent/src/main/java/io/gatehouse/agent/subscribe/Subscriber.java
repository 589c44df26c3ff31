package io.gatehouse.agent.subscribe;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.proto.storage.v1.StoredPolicy;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.PolicyRemoval;
import io.gatehouse.proto.v1.PolicySeal;
import io.gatehouse.proto.v1.ResourceProblem;
import io.gatehouse.proto.v1.ResourceState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the agent makes of what the control plane says, and of its silence. Not thread-safe: all
 * calls come from one thread, the one of {@link SyncClient}.
 *
 * <p>An outage changes nothing. Only a complete and consistent Delta replaces a policy; only two
 * answers in a row that this DPU is not registered close its ports, and that is undone by the next
 * Delta.
 */
final class Subscriber {
  private static final Logger log = LoggerFactory.getLogger(Subscriber.class);

  /**
   * Answers "not registered" before the ports are closed: one may be a control plane's own mistake.
   */
  private static final int DISOWNED_AFTER = 2;

  private static final int MAX_PROBLEMS = 1_000;
  private static final int MAX_REASON = 500;

  /** Resources named in one Inventory message, to stay below the size limit of a message. */
  private static final int INVENTORY_CHUNK = 5_000;

  private final PolicyListener listener;
  private final Consumer<StoredPolicy> save;
  private final PolicyTrust trust;
  private DeltaReceiver receiver;
  private PolicySeal seal = PolicySeal.getDefaultInstance();
  private String refusal = "";
  private int notFoundAnswers;
  private boolean disowned;
  private long persistedRevision;
  private @Nullable Ack latestAck;

  /**
   * Makes a subscriber that holds nothing.
   *
   * @param save puts a policy on disk, in order, and then calls {@link #persisted}
   * @param trust decides whose policy is taken over
   */
  Subscriber(PolicyListener listener, Consumer<StoredPolicy> save, PolicyTrust trust) {
    this.listener = listener;
    this.save = save;
    this.trust = trust;
    this.receiver = new DeltaReceiver(HeldPolicy.NONE, trust);
  }

  /** Takes the last good policy from disk, if there is one that is whole and signed. */
  void restore(PolicyStore store) throws IOException {
    try {
      Optional<StoredPolicy> stored = store.load();
      if (stored.isPresent()) {
        restore(stored.get(), store);
      }
    } catch (PolicyStore.CorruptPolicyException e) {
      log.atError()
          .setCause(e)
          .log(
              "the stored policy is unusable; ports stay as they are until the control plane sends it again");
    }
  }

  private void restore(StoredPolicy stored, PolicyStore store) throws IOException {
    HeldPolicy held = HeldPolicy.of(stored.getRevision(), stored.getResourcesList());
    try {
      trust.checkContents(stored.getResourcesList());
      trust.checkSeal(held.revision(), held.inventoryHash(), stored.getSeal());
    } catch (PolicyRefusedException e) {
      refused(e, "on disk: ");
      if (e.reason() == PolicyRefusedException.Reason.UNKNOWN_KEY) {
        // It may be as good as it was: the keys are what is missing.
        return;
      }
      throw store.setAside("was not written by this agent: " + e.getMessage());
    }
    receiver = new DeltaReceiver(held, trust);
    seal = stored.getSeal();
    refusal = "";
    disowned = stored.getDisowned();
    persistedRevision = held.revision();
    log.atInfo()
        .addKeyValue("revision", held.revision())
        .addKeyValue("resources", held.resources().size())
        .log("policy restored from disk");
    announce();
  }

  /** The part of a Hello that says what is held. */
  Hello.Builder hello() {
    return Hello.newBuilder()
        .setHeldRevision(held().revision())
        .setInventoryHash(held().inventoryHash());
  }

  HeldPolicy held() {
    return receiver.held();
  }

  /** Takes a message; what comes back is to be sent. */
  List<Inventory> received(Delta delta) {
    HeldPolicy before = held();
    DeltaReceiver.Outcome outcome;
    try {
      outcome = receiver.receive(delta);
    } catch (PolicyRefusedException e) {
      refused(e, "");
      return inventory();
    }
    return switch (outcome) {
      case STAGED -> List.of();
      case MISMATCH -> {
        log.atWarn()
            .addKeyValue("held_revision", before.revision())
            .addKeyValue("from_revision", delta.getFromRevision())
            .addKeyValue("to_revision", delta.getToRevision())
            .log("the control plane's changes do not fit what is held; telling it what is");
        yield inventory();
      }
      case COMPLETE -> {
        completed(before, delta.getSeal());
        yield List.of();
      }
    };
  }

  private void completed(HeldPolicy before, PolicySeal newSeal) {
    // A new number alone is written, too: after a restart, nothing below it must count.
    boolean same = before.equals(held()) && seal.equals(newSeal) && !disowned;
    boolean onDisk = before.revision() != 0 && persistedRevision >= before.revision();
    notFoundAnswers = 0;
    disowned = false;
    seal = newSeal;
    refusal = "";
    if (!same || !onDisk) {
      save.accept(stored().build());
    }
    announce();
  }

  private void refused(PolicyRefusedException e, String where) {
    refusal = where + e.getMessage();
    log.atError()
        .addKeyValue("reason", refusal)
        .addKeyValue("kind", e.reason())
        .addKeyValue("held_revision", held().revision())
        .log("policy refused; what is in force stays");
    listener.policyRefused(e.reason());
  }

  /** Why the newest policy was not taken over; empty if it was. */
  String refusal() {
    return refusal;
  }

  private StoredPolicy.Builder stored() {
    return held().toStored().setSeal(seal);
  }

  /** The stream ended with the answer that no such DPU is registered. */
  void notRegistered() {
    receiver.reset();
    notFoundAnswers++;
    if (notFoundAnswers < DISOWNED_AFTER || disowned) {
      return;
    }
    log.atError()
        .addKeyValue("answers", notFoundAnswers)
        .log("the control plane does not know this DPU; its tenants' ports are closed");
    disowned = true;
    save.accept(stored().setDisowned(true).build());
    announce();
  }

  /** The stream ended for any other reason. */
  void disconnected() {
    receiver.reset();
  }

  /** A policy is on disk. */
  void persisted(long revision) {
    persistedRevision = Math.max(persistedRevision, revision);
  }

  void applied(Ack ack) {
    latestAck = ack;
  }

  /**
   * The newest Ack that may be sent. A revision that is not on disk yet is not acked: after a crash
   * the agent would come back with an older one.
   */
  Optional<Ack> sendableAck() {
    return Optional.ofNullable(latestAck)
        .or(() -> refusal.isEmpty() ? Optional.empty() : Optional.of(Ack.getDefaultInstance()))
        .filter(ack -> ack.getAppliedRevision() <= persistedRevision)
        .map(this::withRefusal);
  }

  /** An operator at the control plane learns of a refusal as of a resource that is not in force. */
  private Ack withRefusal(Ack ack) {
    if (refusal.isEmpty() || ack.getProblemsCount() >= MAX_PROBLEMS) {
      return ack;
    }
    String reason = "policy refused: " + refusal;
    return ack.toBuilder()
        .addProblems(
            ResourceProblem.newBuilder()
                .setName(trust.dpu().toString())
                .setState(ResourceState.RESOURCE_STATE_REJECTED)
                .setReason(reason.substring(0, Math.min(reason.length(), MAX_REASON))))
        .build();
  }

  /** All that is held, by name and version, in messages of bounded size. */
  List<Inventory> inventory() {
    List<Inventory> messages = new ArrayList<>();
    Inventory.Builder message = Inventory.newBuilder().setHeldRevision(held().revision());
    for (var entry : held().versions().entrySet()) {
      if (message.getHeldCount() == INVENTORY_CHUNK) {
        messages.add(message.build());
        message.clearHeld();
      }
      message.addHeld(
          PolicyRemoval.newBuilder().setName(entry.getKey()).setVersion(entry.getValue()));
    }
    messages.add(message.setComplete(true).build());
    return messages;
  }

  private void announce() {
    Policy policy = held().policy();
    listener.policyChanged(
        disowned ? Policy.of(policy.revision(), List.of()) : policy, held().problems());
  }
}
