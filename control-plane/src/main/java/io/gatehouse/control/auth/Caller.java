package io.gatehouse.control.auth;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.name.TenantName;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import java.util.Optional;

/**
 * Who calls, as the interceptor has established it.
 *
 * @param actor such as {@code operators/admin}, {@code dpus/dpu1} or {@code
 *     tenants/acme/operators/ann}, which are the names that certificates give; {@code
 *     oidc/{issuer}/{subject}} for a token; {@code address/192.0.2.7} for nobody in particular.
 *     Goes into the journal
 * @param role at the start of the call
 * @param tenant that bounds what it sees; empty for those of the fleet
 */
public record Caller(String actor, Role role, Optional<TenantName> tenant) {
  /** Where the interceptor puts the caller. */
  public static final Context.Key<Caller> KEY = Context.key("gatehouse-caller");

  /** What a call without an interceptor has: nobody, who may nothing. */
  private static final Caller ANONYMOUS = new Caller("anonymous", Role.ANYONE, Optional.empty());

  /** The caller of the current call, {@code anonymous} if the interceptor has put none. */
  public static Caller current() {
    Caller caller = KEY.get();
    return caller == null ? ANONYMOUS : caller;
  }

  /** Whether an operator still has the right that a long call began with. */
  public boolean mayStill(Image image, MethodDescriptor<?, ?> method) {
    if (!actor.startsWith("operators/") && !actor.startsWith("tenants/")) {
      return true;
    }
    return image
        .operator(OperatorName.parse(actor))
        .filter(found -> Permissions.allows(Role.of(found.role()), method.getFullMethodName()))
        .isPresent();
  }

  /** Who shares a budget of calls: all of a tenant's operators, else the caller alone. */
  public String purse() {
    return tenant.map(TenantName::toString).orElse(actor);
  }
}
