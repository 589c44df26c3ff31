package io.gatehouse.control.image;

import java.util.Collection;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * The newest requests, by id.
 *
 * @param byRevision the same requests, the oldest first
 */
record RequestMemory(
    PMap<String, RememberedRequest> byId, TreePMap<Long, RememberedRequest> byRevision) {
  static final int CAPACITY = 10_000;

  static final RequestMemory EMPTY = new RequestMemory(HashTreePMap.empty(), TreePMap.empty());

  Optional<RememberedRequest> find(String requestId) {
    return Optional.ofNullable(byId.get(requestId));
  }

  Collection<RememberedRequest> oldestFirst() {
    return byRevision.values();
  }

  RequestMemory with(Entry entry) {
    if (entry.requestId().isEmpty()) {
      return this;
    }
    return with(
        new RememberedRequest(
            entry.requestId(), entry.requestHash(), entry.subject(), entry.revision()));
  }

  /** Remembers one more, and forgets the oldest above the capacity. */
  RequestMemory with(RememberedRequest request) {
    PMap<String, RememberedRequest> ids = byId.plus(request.requestId(), request);
    TreePMap<Long, RememberedRequest> revisions = byRevision;
    RememberedRequest same = byId.get(request.requestId());
    if (same != null) {
      revisions = revisions.minus(same.revision());
    }
    revisions = revisions.plus(request.revision(), request);
    if (revisions.size() > CAPACITY) {
      ids = ids.minus(revisions.firstEntry().getValue().requestId());
      revisions = revisions.minusFirstEntry();
    }
    return new RequestMemory(ids, revisions);
  }
}
