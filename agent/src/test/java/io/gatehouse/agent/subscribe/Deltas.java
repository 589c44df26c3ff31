package io.gatehouse.agent.subscribe;

import com.google.protobuf.ByteString;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.PolicyRemoval;
import io.gatehouse.proto.v1.PolicyResource;
import io.gatehouse.wire.PolicyVersions;
import io.gatehouse.wire.PolicyWire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** Deltas as a control plane makes them, sealed. */
final class Deltas {
  private Deltas() {}

  static PolicyResource message(io.gatehouse.model.policy.PolicyResource resource) {
    return PolicyVersions.withVersion(PolicyWire.toProto(resource));
  }

  static List<PolicyResource> messages(io.gatehouse.model.policy.PolicyResource... resources) {
    return Arrays.stream(resources).map(Deltas::message).toList();
  }

  /** One message that leads from a set of resources to another. */
  static Delta between(HeldPolicy from, long toRevision, Collection<PolicyResource> to) {
    ByteString hash = HeldPolicy.of(toRevision, to).inventoryHash();
    return changes(from, to)
        .setFromRevision(from.revision())
        .setToRevision(toRevision)
        .setComplete(true)
        .setInventoryHash(hash)
        .setSeal(Seals.TRUSTED.seal(toRevision, hash))
        .build();
  }

  /** The same in messages of one change each, the last of which completes. */
  static List<Delta> parts(HeldPolicy from, long toRevision, Collection<PolicyResource> to) {
    Delta whole = between(from, toRevision, to);
    List<Delta> parts = new ArrayList<>();
    Delta empty =
        Delta.newBuilder()
            .setFromRevision(whole.getFromRevision())
            .setToRevision(toRevision)
            .build();
    whole.getUpsertsList().forEach(u -> parts.add(empty.toBuilder().addUpserts(u).build()));
    whole.getRemovalsList().forEach(r -> parts.add(empty.toBuilder().addRemovals(r).build()));
    parts.add(
        empty.toBuilder()
            .setComplete(true)
            .setInventoryHash(whole.getInventoryHash())
            .setSeal(whole.getSeal())
            .build());
    return parts;
  }

  private static Delta.Builder changes(HeldPolicy from, Collection<PolicyResource> to) {
    TreeMap<String, PolicyResource> wanted = new TreeMap<>();
    to.forEach(resource -> wanted.put(resource.getName(), resource));
    Delta.Builder delta = Delta.newBuilder();
    wanted.forEach(
        (name, resource) -> {
          Long held = from.versions().get(name);
          if (held == null || held != resource.getVersion()) {
            delta.addUpserts(resource);
          }
        });
    from.versions()
        .forEach(
            (name, version) -> {
              if (!wanted.containsKey(name)) {
                delta.addRemovals(removal(name, version));
              }
            });
    return delta;
  }

  static PolicyRemoval removal(String name, long version) {
    return PolicyRemoval.newBuilder().setName(name).setVersion(version).build();
  }
}
