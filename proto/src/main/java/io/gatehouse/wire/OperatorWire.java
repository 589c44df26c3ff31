package io.gatehouse.wire;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.model.Operator;
import io.gatehouse.model.OperatorRole;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.Role;

/** Operators as messages, whole, without etag. */
public final class OperatorWire {
  private OperatorWire() {}

  public static io.gatehouse.proto.v1.Operator toProto(Operator operator) {
    return io.gatehouse.proto.v1.Operator.newBuilder()
        .setName(operator.name().toString())
        .setDisplayName(operator.displayName())
        .setRole(toProto(operator.role()))
        .setCreateTime(TimeWire.toProto(operator.createdAt()))
        .setUpdateTime(TimeWire.toProto(operator.updatedAt()))
        .build();
  }

  /**
   * Reads a whole operator, as stored.
   *
   * @throws InvalidValueException with the path of the field below the operator
   */
  public static Operator fromProto(io.gatehouse.proto.v1.Operator message) {
    return new Operator(
        read("name", message.getName(), OperatorName::parse),
        message.getDisplayName(),
        role(message.getRole()),
        TimeWire.fromProto("create_time", message.getCreateTime()),
        TimeWire.fromProto("update_time", message.getUpdateTime()));
  }

  /** The role; one that is not given is refused: nobody gets a right by leaving it out. */
  public static OperatorRole role(Role role) {
    return switch (role) {
      case ROLE_FLEET_ADMIN -> OperatorRole.FLEET_ADMIN;
      case ROLE_FLEET_OPERATOR -> OperatorRole.FLEET_OPERATOR;
      case ROLE_AUDITOR -> OperatorRole.AUDITOR;
      case ROLE_TENANT_ADMIN -> OperatorRole.TENANT_ADMIN;
      case ROLE_TENANT_VIEWER -> OperatorRole.TENANT_VIEWER;
      case ROLE_UNSPECIFIED -> throw new InvalidValueException("role", "", "is not given");
      case UNRECOGNIZED -> throw new InvalidValueException("role", role, "is not a known role");
    };
  }

  private static Role toProto(OperatorRole role) {
    return switch (role) {
      case FLEET_ADMIN -> Role.ROLE_FLEET_ADMIN;
      case FLEET_OPERATOR -> Role.ROLE_FLEET_OPERATOR;
      case AUDITOR -> Role.ROLE_AUDITOR;
      case TENANT_ADMIN -> Role.ROLE_TENANT_ADMIN;
      case TENANT_VIEWER -> Role.ROLE_TENANT_VIEWER;
    };
  }
}
