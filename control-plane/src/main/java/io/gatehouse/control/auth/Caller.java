package io.gatehouse.control.auth;

import io.gatehouse.model.name.TenantName;
import io.grpc.Context;
import java.time.Instant;
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
 * @param until when its bearer token is over; {@link Instant#MAX} for one with a certificate
 */
public record Caller(String actor, Role role, Optional<TenantName> tenant, Instant until) {
  /** Where the interceptor puts the caller. */
  public static final Context.Key<Caller> KEY = Context.key("gatehouse-caller");

  /** What a call without an interceptor has: nobody, who may nothing. */
  private static final Caller ANONYMOUS = new Caller("anonymous", Role.ANYONE, Optional.empty());

  /** One whose time is not known from a token. */
  public Caller(String actor, Role role, Optional<TenantName> tenant) {
    this(actor, role, tenant, Instant.MAX);
  }

  /** The caller of the current call, {@code anonymous} if the interceptor has put none. */
  public static Caller current() {
    Caller caller = KEY.get();
    return caller == null ? ANONYMOUS : caller;
  }

  /** Whether its role is that of an operator in the journal, which may change. */
  boolean isResource() {
    return actor.startsWith("operators/") || actor.startsWith("tenants/");
  }

  /** Who shares a budget of calls: all of a tenant's operators, else the caller alone. */
  public String purse() {
    return tenant.map(TenantName::toString).orElse(actor);
  }
}
