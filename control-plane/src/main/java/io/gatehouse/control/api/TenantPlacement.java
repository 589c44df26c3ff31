package io.gatehouse.control.api;

import io.gatehouse.control.auth.Caller;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.RateLimits;
import io.gatehouse.model.security.StandingQuarantine;
import java.util.Optional;

/**
 * What a tenant's operators may not choose by themselves, for it is a claim on what others use: a
 * VNI, and a DPU that the fleet's operators have not given the tenant a port on, and much room in
 * the connection tracker; and the end of a port that those have cut off.
 */
final class TenantPlacement {
  private TenantPlacement() {}

  /** Refuses a VNI that a tenant's operator asks for; 0 asks for none. */
  static void checkVni(int vni) {
    if (vni != 0 && Caller.current().tenant().isPresent()) {
      throw denied("vni", "is given by the control plane; leave it out");
    }
  }

  /** Refuses a DPU to a tenant's operator, unless the tenant has a port there. */
  static void checkDpu(Image image, DpuName dpu) {
    Optional<TenantName> tenant = Caller.current().tenant();
    if (tenant.isEmpty()) {
      return;
    }
    boolean given =
        image.portsOf(dpu).keySet().stream()
            .anyMatch(port -> port.network().tenant().equals(tenant.get()));
    if (!given) {
      throw denied(
          "dpu",
          dpu
              + " has no port of "
              + tenant.get()
              + ": ask those who run the fleet to place the first one");
    }
  }

  /**
   * Refuses to a tenant's operator more room in the connection tracker, which all on a DPU share,
   * than every port has.
   *
   * @param given what the port may have already
   */
  static void checkConnections(RateLimits wanted, RateLimits given) {
    int most = Math.max(RateLimits.DEFAULT_CONNECTIONS, given.connectionsAtATime());
    if (wanted.connectionsAtATime() > most && Caller.current().tenant().isPresent()) {
      throw denied(
          "rate_limits.connections",
          wanted.connections() + " is more than " + most + ": ask those who run the fleet");
    }
  }

  /**
   * Refuses the end of a port to a tenant's operator while the fleet's operators have it cut off:
   * made again, it would be free.
   */
  static void checkNotHeld(Image image, PortName port) {
    boolean held =
        Optional.ofNullable(image.quarantines().get(new QuarantineTarget.OfPort(port)))
            .map(StandingQuarantine::byFleet)
            .orElse(false);
    if (held && Caller.current().tenant().isPresent()) {
      throw denied("name", port + " is cut off by those who run the fleet: they must release it");
    }
  }

  private static RefusedException denied(String field, String reason) {
    return new RefusedException(RefusedException.Kind.PERMISSION_DENIED, field, reason);
  }
}
