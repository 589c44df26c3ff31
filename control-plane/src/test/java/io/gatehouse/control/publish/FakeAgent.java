package io.gatehouse.control.publish;

import com.google.protobuf.ByteString;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathQuery;
import io.gatehouse.proto.v1.PathState;
import io.gatehouse.proto.v1.PolicyRemoval;
import io.gatehouse.proto.v1.PolicyResource;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.proto.v1.UnderlayPath;
import io.gatehouse.wire.PolicyVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The policy half of an agent, as sync.proto describes it. It stages what comes and takes it over
 * with the last message, or, if eager, adds at once and removes with the last message.
 */
public final class FakeAgent {
  /** When an agent takes over what a transfer adds. */
  public enum Mode {
    STAGED,
    EAGER
  }

  private static final List<String> FUNCTIONS =
      Stream.concat(
              Stream.of("web", "web2", "db"), IntStream.range(0, 64).mapToObj(Integer::toString))
          .map(id -> "pf0vf" + id)
          .toList();

  private final Mode mode;
  private final TreeMap<String, Long> held = new TreeMap<>();
  private final TreeMap<String, Long> staged = new TreeMap<>();
  private final List<PolicyRemoval> removals = new ArrayList<>();
  private long heldRevision;
  private long configBytes;
  private int renewalRequests;

  public FakeAgent(Mode mode) {
    this.mode = mode;
  }

  public Map<String, Long> held() {
    return held;
  }

  public long heldRevision() {
    return heldRevision;
  }

  /** Bytes of policy received so far. */
  public long configBytes() {
    return configBytes;
  }

  public ByteString hash() {
    return PolicyVersions.inventoryHash(held);
  }

  /** What it says first on a new stream; a transfer that was not finished is forgotten. */
  public SyncRequest hello() {
    staged.clear();
    removals.clear();
    return SyncRequest.newBuilder()
        .setHello(
            Hello.newBuilder()
                .setAgentVersion("fake")
                .setBootId("boot")
                .setHeldRevision(heldRevision)
                .setInventoryHash(hash())
                .setVtepAddress("172.31.0.1")
                .addAllFunctions(FUNCTIONS))
        .build();
  }

  /** How often it was asked to renew its certificate. */
  public int renewalRequests() {
    return renewalRequests;
  }

  /** Takes one message and gives the answer, if it asks for one. */
  public Optional<SyncRequest> received(SyncResponse response) {
    return switch (response.getMessageCase()) {
      case DELTA -> received(response.getDelta());
      case INVENTORY_REQUEST -> Optional.of(inventory());
      case RENEWAL_REQUEST -> {
        renewalRequests++;
        yield Optional.empty();
      }
      case PATH_QUERY -> Optional.of(measured(response.getPathQuery()));
      case EXPLAIN_QUERY, ISOLATION_QUERY, MESSAGE_NOT_SET -> Optional.empty();
    };
  }

  /** A proven path; whose it is, the control plane knows. */
  private static SyncRequest measured(PathQuery query) {
    return SyncRequest.newBuilder()
        .setPathAnswer(
            PathAnswer.newBuilder()
                .setQueryId(query.getQueryId())
                .setPath(
                    UnderlayPath.newBuilder()
                        .setPeer("dpus/another")
                        .setState(PathState.PATH_STATE_PROVEN)
                        .setWantedBytes(1_500)))
        .build();
  }

  public SyncRequest ack() {
    return SyncRequest.newBuilder()
        .setAck(
            Ack.newBuilder()
                .setAppliedRevision(heldRevision)
                .setHeldRevision(heldRevision)
                .setUnderlayMtuBytes(1_500))
        .build();
  }

  private Optional<SyncRequest> received(Delta delta) {
    if (delta.getComplete() != delta.hasSeal()) {
      throw new IllegalStateException("sealed is what is complete, and nothing else: " + delta);
    }
    if (delta.getFromRevision() != 0 && delta.getFromRevision() != heldRevision) {
      return delta.getComplete() ? Optional.of(inventory()) : Optional.empty();
    }
    if (delta.getUpsertsCount() + delta.getRemovalsCount() > 0) {
      configBytes += delta.getSerializedSize();
    }
    for (PolicyResource resource : delta.getUpsertsList()) {
      (mode == Mode.EAGER ? held : staged).put(resource.getName(), resource.getVersion());
    }
    removals.addAll(delta.getRemovalsList());
    return delta.getComplete() ? complete(delta) : Optional.empty();
  }

  private Optional<SyncRequest> complete(Delta delta) {
    TreeMap<String, Long> next = new TreeMap<>(held);
    next.putAll(staged);
    removals.forEach(removal -> next.remove(removal.getName(), removal.getVersion()));
    staged.clear();
    removals.clear();
    if (!PolicyVersions.inventoryHash(next).equals(delta.getInventoryHash())) {
      return Optional.of(inventory());
    }
    held.clear();
    held.putAll(next);
    heldRevision = delta.getToRevision();
    return Optional.of(ack());
  }

  private SyncRequest inventory() {
    Inventory.Builder inventory =
        Inventory.newBuilder().setHeldRevision(heldRevision).setComplete(true);
    held.forEach(
        (name, version) ->
            inventory.addHeld(PolicyRemoval.newBuilder().setName(name).setVersion(version)));
    return SyncRequest.newBuilder().setInventory(inventory).build();
  }
}
