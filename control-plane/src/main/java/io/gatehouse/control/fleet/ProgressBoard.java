package io.gatehouse.control.fleet;

import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.model.Port;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The progress of every DPU, kept from commits and reports; and who waits for it. Safe for use by
 * many threads; nothing blocks.
 */
public final class ProgressBoard {
  private final Map<DpuName, DpuProgress> progress = new HashMap<>();

  /** DPUs that left a network and may still carry it: the revision that they have to confirm. */
  private final Map<DpuName, Map<NetworkName, Long>> leaving = new HashMap<>();

  private final View view = new View();
  private final RevisionWaiters waiters = new RevisionWaiters(view);
  private Image image;

  /** Starts from an image; what DPUs have applied is reported afterwards. */
  public ProgressBoard(Image image) {
    this.image = image;
  }

  /**
   * Takes an entry.
   *
   * @param concerned the DPUs whose policy it may change
   */
  public void committed(Committed committed, Set<DpuName> concerned) {
    synchronized (this) {
      image = committed.after();
      for (DpuName dpu : concerned) {
        if (image.dpu(dpu).isEmpty()) {
          progress.remove(dpu);
          leaving.remove(dpu);
          continue;
        }
        long revision = committed.after().revision();
        progress.merge(
            dpu, new DpuProgress(0, revision), (before, first) -> before.concerned(revision));
      }
      committed.entry().events().forEach(event -> departure(committed, event));
      waiters.advanced();
      concerned.forEach(waiters::reported);
    }
    waiters.answer();
  }

  /** A DPU has reported what it has applied. */
  public void reported(DpuName dpu, long applied) {
    synchronized (this) {
      long desired = image.desiredRevision(dpu);
      progress.merge(
          dpu,
          DpuProgress.UNKNOWN.reported(applied, desired),
          (before, first) -> before.reported(applied, desired));
      Map<NetworkName, Long> left = leaving.get(dpu);
      if (left != null && left.values().removeIf(revision -> revision <= applied)) {
        leaving.computeIfPresent(dpu, (name, rest) -> rest.isEmpty() ? null : rest);
      }
      waiters.reported(dpu);
    }
    waiters.answer();
  }

  /** Up to which revision the policy is real in a scope; empty if there is no such scope. */
  public synchronized Optional<LowWater> lowWater(Scope scope) {
    return scope.exists(image)
        ? Optional.of(LowWater.of(image, view.dpus(scope), progress))
        : Optional.empty();
  }

  public synchronized DpuProgress progress(DpuName dpu) {
    return progress.getOrDefault(dpu, DpuProgress.UNKNOWN);
  }

  public synchronized Image image() {
    return image;
  }

  /** Lets a waiter join; what it waits for may be there already. */
  boolean await(RevisionWaiters.Waiter waiter) {
    boolean taken;
    synchronized (this) {
      taken = waiters.add(waiter);
    }
    waiters.answer();
    return taken;
  }

  /** A waiter waits no more. */
  synchronized void giveUp(RevisionWaiters.Waiter waiter) {
    waiters.remove(waiter);
  }

  private void departure(Committed committed, Event event) {
    PortName name = null;
    if (event instanceof Event.PortPut put) {
      name = put.port().name();
    } else if (event instanceof Event.PortDeleted deleted) {
      name = deleted.name();
    }
    if (name == null) {
      return;
    }
    NetworkName network = name.network();
    Optional<DpuName> before = committed.before().port(name).map(Port::dpu);
    before
        .filter(dpu -> image.dpu(dpu).isPresent() && !image.dpusOf(network).contains(dpu))
        .ifPresent(
            dpu ->
                leaving
                    .computeIfAbsent(dpu, d -> new HashMap<>())
                    .put(network, committed.after().revision()));
  }

  /** The board as the waiters see it; under the board's lock. */
  private final class View implements RevisionWaiters.View {
    @Override
    public Image image() {
      return image;
    }

    /** The DPUs that carry the scope, and those that may still do. */
    @Override
    public Set<DpuName> dpus(Scope scope) {
      Set<DpuName> dpus = new TreeSet<>(scope.dpus(image));
      leaving.forEach(
          (dpu, networks) -> {
            if (networks.keySet().stream().anyMatch(scope::covers)) {
              dpus.add(dpu);
            }
          });
      return dpus;
    }

    /** A DPU that was removed has nothing to confirm. */
    @Override
    public long confirmed(DpuName dpu) {
      return image.dpu(dpu).isEmpty()
          ? image.revision()
          : progress.getOrDefault(dpu, DpuProgress.UNKNOWN).confirmed(image.revision());
    }
  }
}
