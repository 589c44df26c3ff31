package io.gatehouse.control.fleet;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.InvalidValueException;
import java.util.Set;
import java.util.TreeSet;

/** A part of the fleet that a question is about. */
public sealed interface Scope {

  /** All of it. */
  record Fleet() implements Scope {}

  /** One tenant's networks. */
  record OfTenant(TenantName tenant) implements Scope {}

  /** One network. */
  record OfNetwork(NetworkName network) implements Scope {}

  /** One DPU. */
  record OfDpu(DpuName dpu) implements Scope {}

  /**
   * Reads a resource name; empty is the fleet.
   *
   * @throws InvalidValueException if it is the name of nothing that can be asked about
   */
  static Scope parse(String name) {
    if (name.isEmpty()) {
      return new Fleet();
    }
    if (name.startsWith("dpus/")) {
      return new OfDpu(DpuName.parse(name));
    }
    if (!name.startsWith("tenants/")) {
      throw new InvalidValueException(
          "name", name, "is no tenant, network or DPU; empty means the whole fleet");
    }
    return name.contains("/networks/")
        ? new OfNetwork(NetworkName.parse(name))
        : new OfTenant(TenantName.parse(name));
  }

  default boolean exists(Image image) {
    if (this instanceof OfTenant scope) {
      return image.tenant(scope.tenant()).isPresent();
    }
    if (this instanceof OfNetwork scope) {
      return image.network(scope.network()).isPresent();
    }
    if (this instanceof OfDpu scope) {
      return image.dpu(scope.dpu()).isPresent();
    }
    return true;
  }

  /** Whether a network lies in the scope. */
  default boolean covers(NetworkName network) {
    if (this instanceof OfTenant scope) {
      return network.tenant().equals(scope.tenant());
    }
    return this instanceof OfNetwork scope && network.equals(scope.network());
  }

  /** The DPUs that carry it now. */
  default Set<DpuName> dpus(Image image) {
    if (this instanceof OfTenant scope) {
      Set<DpuName> dpus = new TreeSet<>();
      image.networksOf(scope.tenant()).keySet().forEach(n -> dpus.addAll(image.dpusOf(n)));
      return dpus;
    }
    if (this instanceof OfNetwork scope) {
      return image.dpusOf(scope.network());
    }
    return this instanceof OfDpu scope ? Set.of(scope.dpu()) : image.dpus().keySet();
  }
}
