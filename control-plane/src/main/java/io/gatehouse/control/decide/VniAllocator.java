package io.gatehouse.control.decide;

import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.VniReleased;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RestingVni;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Vni;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Gives VNIs, none of them twice, and none again before every DPU that carried it has confirmed its
 * end.
 */
final class VniAllocator {
  private static final int NAMED = 5;

  private VniAllocator() {}

  /** The next free VNI after the one given last, cyclic: one that was just freed comes late. */
  static Vni allocate(Image image) {
    int last = image.lastVni();
    for (int step = 0; step < Vni.MAX; step++) {
      Vni vni = new Vni((last + step) % Vni.MAX + 1);
      if (image.networkOf(vni).isEmpty() && !image.restingVnis().containsKey(vni)) {
        return vni;
      }
    }
    throw new RefusedException(
        Kind.RESOURCE_EXHAUSTED,
        "vni",
        "all " + Vni.MAX + " VNIs are taken, " + image.restingVnis().size() + " of them rest");
  }

  /** Takes the VNI that was asked for, or says why it cannot be had. */
  static Vni take(Image image, Vni vni, TenantName tenant) {
    Optional<NetworkName> owner = image.networkOf(vni);
    if (owner.isPresent()) {
      boolean own = owner.get().tenant().equals(tenant);
      throw Refusals.taken(
          "vni", vni + " is taken by " + (own ? owner.get() : "a network of another tenant"));
    }
    RestingVni resting = image.restingVnis().get(vni);
    if (resting != null) {
      throw Refusals.precondition(
          "vni",
          vni
              + " rests: its network was removed at revision "
              + resting.revision()
              + ", and the VNI is free when all DPUs that carried it have confirmed its end ("
              + Refusals.first(new TreeSet<>(resting.dpus()), NAMED)
              + ")");
    }
    return vni;
  }

  static List<Event> release(Image image, ReleaseVni command) {
    RestingVni resting = image.restingVnis().get(command.vni());
    if (resting == null) {
      throw new RefusedException(Kind.NOT_FOUND, "vni", command.vni() + " does not rest");
    }
    List<DpuName> missing =
        resting.dpus().stream()
            .sorted()
            .filter(dpu -> !hasConfirmed(image, resting, dpu, command.acked()))
            .toList();
    if (!missing.isEmpty()) {
      throw Refusals.precondition(
          "vni",
          command.vni()
              + " may still be carried by "
              + Refusals.first(missing, NAMED)
              + ": revision "
              + resting.revision()
              + " is not confirmed there");
    }
    return List.of(new VniReleased(command.vni()));
  }

  /**
   * A DPU without a later change has nothing to apply at the revision of the removal: for it, all
   * that it was ever told is enough.
   */
  private static boolean hasConfirmed(
      Image image, RestingVni resting, DpuName dpu, Map<DpuName, Long> acked) {
    if (image.dpu(dpu).isEmpty()) {
      return true;
    }
    long needed = Math.min(resting.revision(), image.desiredRevision(dpu));
    return acked.getOrDefault(dpu, 0L) >= needed;
  }
}
