package io.gatehouse.control.auth;

import io.grpc.Context;

/**
 * Who calls, as the interceptor has established it.
 *
 * @param actor such as {@code operator/admin}; goes into the journal
 */
public record Caller(String actor) {
  /** Where the interceptor puts the caller. */
  public static final Context.Key<Caller> KEY = Context.key("gatehouse-caller");

  /** The caller of the current call, {@code anonymous} if the interceptor has put none. */
  public static Caller current() {
    Caller caller = KEY.get();
    return caller == null ? new Caller("anonymous") : caller;
  }
}
