package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.model.Tenant;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.TenantState;

/** Tenants as messages, whole, without etag. */
public final class TenantWire {
  private TenantWire() {}

  public static io.gatehouse.proto.v1.Tenant toProto(Tenant tenant) {
    return io.gatehouse.proto.v1.Tenant.newBuilder()
        .setName(tenant.name().toString())
        .setDisplayName(tenant.displayName())
        .setQuota(
            io.gatehouse.proto.v1.TenantQuota.newBuilder()
                .setMaxNetworks(tenant.quota().maxNetworks())
                .setMaxPorts(tenant.quota().maxPorts())
                .setMaxSecurityGroups(tenant.quota().maxSecurityGroups()))
        .setState(
            tenant.suspended()
                ? TenantState.TENANT_STATE_SUSPENDED
                : TenantState.TENANT_STATE_ACTIVE)
        .setCreateTime(TimeWire.toProto(tenant.createdAt()))
        .setUpdateTime(TimeWire.toProto(tenant.updatedAt()))
        .build();
  }

  /**
   * Reads a whole tenant, as stored.
   *
   * @throws InvalidValueException with the path of the field below the tenant
   */
  public static Tenant fromProto(io.gatehouse.proto.v1.Tenant message) {
    return new Tenant(
        read("name", message.getName(), TenantName::parse),
        message.getDisplayName(),
        quota(message.getQuota()),
        suspended(message.getState()),
        TimeWire.fromProto("create_time", message.getCreateTime()),
        TimeWire.fromProto("update_time", message.getUpdateTime()));
  }

  /** The quota; fields that are not set take their defaults. */
  public static TenantQuota quota(io.gatehouse.proto.v1.TenantQuota message) {
    TenantQuota defaults = TenantQuota.DEFAULT;
    return new TenantQuota(
        message.hasMaxNetworks() ? message.getMaxNetworks() : defaults.maxNetworks(),
        message.hasMaxPorts() ? message.getMaxPorts() : defaults.maxPorts(),
        message.hasMaxSecurityGroups()
            ? message.getMaxSecurityGroups()
            : defaults.maxSecurityGroups());
  }

  /** Whether the state is SUSPENDED; not set means ACTIVE. */
  public static boolean suspended(TenantState state) {
    return switch (state) {
      case TENANT_STATE_UNSPECIFIED, TENANT_STATE_ACTIVE -> false;
      case TENANT_STATE_SUSPENDED -> true;
      case UNRECOGNIZED -> throw new InvalidValueException("state", state, "is not a known state");
    };
  }
}
