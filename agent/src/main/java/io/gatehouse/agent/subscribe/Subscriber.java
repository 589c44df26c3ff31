package io.gatehouse.agent.subscribe;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.proto.storage.v1.StoredPolicy;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.PolicyRemoval;
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

  /** Resources named in one Inventory message, to stay below the size limit of a message. */
  private static final int INVENTORY_CHUNK = 5_000;

  private final PolicyListener listener;
  private final Consumer<StoredPolicy> save;
  private DeltaReceiver receiver = new DeltaReceiver(HeldPolicy.NONE);
  private int notFoundAnswers;
  private boolean disowned;
  private long persistedRevision;
  private @Nullable Ack latestAck;

  /**
   * Makes a subscriber that holds nothing.
   *
   * @param save puts a policy on disk, in order, and then calls {@link #persisted}
   */
  Subscriber(PolicyListener listener, Consumer<StoredPolicy> save) {
    this.listener = listener;
    this.save = save;
  }

  /** Takes the last good policy from disk, if there is one that is whole. */
  void restore(PolicyStore store) throws IOException {
    Optional<StoredPolicy> stored;
    try {
      stored = store.load();
    } catch (PolicyStore.CorruptPolicyException e) {
      log.atError()
          .setCause(e)
          .log(
              "the stored policy is unusable; ports stay as they are until the control plane sends it again");
      return;
    }
    if (stored.isEmpty()) {
      return;
    }
    HeldPolicy held = HeldPolicy.of(stored.get().getRevision(), stored.get().getResourcesList());
    receiver = new DeltaReceiver(held);
    disowned = stored.get().getDisowned();
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
    return switch (receiver.receive(delta)) {
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
        completed(before);
        yield List.of();
      }
    };
  }

  private void completed(HeldPolicy before) {
    boolean opened = disowned;
    notFoundAnswers = 0;
    disowned = false;
    boolean onDisk = before.revision() != 0 && persistedRevision >= before.revision();
    if (before.resources().equals(held().resources()) && !opened && onDisk) {
      // Only the number is new: nothing to plan, and the disk may lag by a number.
      persistedRevision = Math.max(persistedRevision, held().revision());
    } else {
      save.accept(held().toStored().build());
    }
    announce();
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
    save.accept(held().toStored().setDisowned(true).build());
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
        .filter(ack -> ack.getAppliedRevision() <= persistedRevision);
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
