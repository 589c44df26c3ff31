package io.gatehouse.agent.subscribe;

import com.google.protobuf.ByteString;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.proto.storage.v1.StoredPolicy;
import io.gatehouse.wire.PolicyVersions;
import io.gatehouse.wire.PolicyWire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The resources that an agent holds at one revision, as received and as read. A resource that
 * cannot be read is held all the same, so that both sides agree on what is held, and is a problem
 * of its own.
 *
 * @param revision 0 if nothing is held
 * @param resources by name
 */
record HeldPolicy(long revision, SortedMap<String, Held> resources) {
  static final HeldPolicy NONE = new HeldPolicy(0, Collections.emptySortedMap());

  HeldPolicy {
    resources = Collections.unmodifiableSortedMap(resources);
  }

  /** One resource: the message, and the value or the reason why there is none. */
  sealed interface Held {
    io.gatehouse.proto.v1.PolicyResource message();

    static Held of(io.gatehouse.proto.v1.PolicyResource message) {
      try {
        return new Valid(message, PolicyWire.fromProto(message));
      } catch (InvalidValueException e) {
        return new Invalid(message, e.getMessage());
      }
    }
  }

  /** A resource with a valid value. */
  record Valid(io.gatehouse.proto.v1.PolicyResource message, PolicyResource value)
      implements Held {}

  /** A resource without one. */
  record Invalid(io.gatehouse.proto.v1.PolicyResource message, String reason) implements Held {}

  static HeldPolicy of(long revision, Collection<io.gatehouse.proto.v1.PolicyResource> messages) {
    return NONE.with(
        revision,
        resources -> {
          messages.forEach(message -> resources.put(message.getName(), Held.of(message)));
          return resources;
        });
  }

  /** The same with changes at another revision. */
  HeldPolicy with(long newRevision, UnaryOperator<SortedMap<String, Held>> change) {
    return new HeldPolicy(newRevision, change.apply(new TreeMap<>(resources)));
  }

  /** What the planner gets. */
  Policy policy() {
    List<PolicyResource> values = new ArrayList<>(resources.size());
    for (Held held : resources.values()) {
      if (held instanceof Valid valid) {
        values.add(valid.value());
      }
    }
    return Policy.of(revision, values);
  }

  /** The resources that the planner does not get. */
  List<Problem> problems() {
    List<Problem> problems = new ArrayList<>();
    resources.forEach(
        (name, held) -> {
          if (held instanceof Invalid invalid) {
            problems.add(Problem.rejected(name, invalid.reason()));
          }
        });
    return problems;
  }

  SortedMap<String, Long> versions() {
    SortedMap<String, Long> versions = new TreeMap<>();
    resources.forEach((name, held) -> versions.put(name, held.message().getVersion()));
    return versions;
  }

  ByteString inventoryHash() {
    return PolicyVersions.inventoryHash(versions());
  }

  /** All but the seal. */
  StoredPolicy.Builder toStored() {
    StoredPolicy.Builder stored = StoredPolicy.newBuilder().setRevision(revision);
    resources.values().forEach(held -> stored.addResources(held.message()));
    return stored;
  }
}
