package io.gatehouse.control.publish.projection;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.gatehouse.proto.v1.PolicyRemoval;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The policy of one DPU at one revision, encoded and ordered by key. Immutable; two of them share
 * the resources that are equal.
 */
public final class Projection {
  private final long revision;
  private final List<EncodedResource> resources;
  private final ByteString inventoryHash;

  private Projection(long revision, List<EncodedResource> resources) {
    this.revision = revision;
    this.resources = resources;
    MessageDigest digest = sha256();
    resources.forEach(resource -> resource.addTo(digest));
    this.inventoryHash = UnsafeByteOperations.unsafeWrap(digest.digest());
  }

  /**
   * Orders and hashes the resources.
   *
   * @param resources in any order, each key once
   */
  public static Projection of(long revision, List<EncodedResource> resources) {
    List<EncodedResource> ordered = new ArrayList<>(resources);
    // Names, not the model's order: "a-b" sorts before "a/", and the hash is over names.
    ordered.sort(Comparator.comparing(EncodedResource::key));
    return new Projection(revision, ordered);
  }

  public long revision() {
    return revision;
  }

  public List<EncodedResource> resources() {
    return resources;
  }

  public ByteString inventoryHash() {
    return inventoryHash;
  }

  /** What to send to an agent that holds an earlier projection of the same DPU. */
  public PolicyDelta since(Projection earlier) {
    List<EncodedResource> upserts = new ArrayList<>();
    List<PolicyRemoval> removals = new ArrayList<>();
    int index = 0;
    for (EncodedResource held : earlier.resources) {
      while (index < resources.size() && resources.get(index).key().compareTo(held.key()) < 0) {
        upserts.add(resources.get(index++));
      }
      if (index == resources.size() || !resources.get(index).key().equals(held.key())) {
        removals.add(held.removal());
        continue;
      }
      if (resources.get(index).version() != held.version()) {
        upserts.add(resources.get(index));
      }
      index++;
    }
    upserts.addAll(resources.subList(index, resources.size()));
    return new PolicyDelta(upserts, removals);
  }

  /**
   * What to send to an agent whose inventory is known.
   *
   * @param held version by key, as the agent says
   */
  public PolicyDelta since(Map<String, Long> held) {
    List<EncodedResource> upserts = new ArrayList<>();
    NavigableMap<String, Long> surplus = new TreeMap<>(held);
    for (EncodedResource wanted : resources) {
      Long version = surplus.remove(wanted.key());
      if (version == null || version != wanted.version()) {
        upserts.add(wanted);
      }
    }
    List<PolicyRemoval> removals = new ArrayList<>(surplus.size());
    surplus.forEach((key, version) -> removals.add(EncodedResource.removal(key, version)));
    return new PolicyDelta(upserts, removals);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
