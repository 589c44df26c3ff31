package io.gatehouse.model.security;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.InvalidValueException;
import java.util.Optional;

/** What is cut off: a port, all ports of a tenant, or all ports on a DPU. In order of the names. */
public sealed interface QuarantineTarget extends Comparable<QuarantineTarget> {
  /** The resource name. */
  String name();

  /** Whose it is; empty for a DPU. */
  default Optional<TenantName> tenant() {
    return Optional.empty();
  }

  @Override
  default int compareTo(QuarantineTarget other) {
    return name().compareTo(other.name());
  }

  /** A port. */
  record OfPort(PortName port) implements QuarantineTarget {
    @Override
    public String name() {
      return port.toString();
    }

    @Override
    public Optional<TenantName> tenant() {
      return Optional.of(port.network().tenant());
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** All ports of a tenant. */
  record OfTenant(TenantName owner) implements QuarantineTarget {
    @Override
    public String name() {
      return owner.toString();
    }

    @Override
    public Optional<TenantName> tenant() {
      return Optional.of(owner);
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** All ports on a DPU. */
  record OfDpu(DpuName dpu) implements QuarantineTarget {
    @Override
    public String name() {
      return dpu.toString();
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /**
   * Reads a resource name.
   *
   * @throws InvalidValueException if it is that of nothing that can be cut off
   */
  static QuarantineTarget parse(String name) {
    if (name.startsWith("dpus/")) {
      return new OfDpu(DpuName.parse(name));
    }
    if (!name.startsWith("tenants/")) {
      throw new InvalidValueException("target", name, "is the name of no port, tenant or DPU");
    }
    return name.indexOf('/') == name.lastIndexOf('/')
        ? new OfTenant(TenantName.parse(name))
        : new OfPort(PortName.parse(name));
  }
}
