package io.gatehouse.control.decide;

import io.gatehouse.model.net.InvalidValueException;

/** A command that cannot be carried out, with a reason that is fit to be shown to the caller. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kinds of refusal, named like the gRPC codes that they become. */
  public enum Kind {
    INVALID_ARGUMENT,
    NOT_FOUND,
    ALREADY_EXISTS,
    FAILED_PRECONDITION,
    RESOURCE_EXHAUSTED,
    /** The caller may not ask for that, whatever the state is. */
    PERMISSION_DENIED,
    /** The etag is not the current one. */
    ABORTED
  }

  private final Kind kind;
  private final String field;

  public RefusedException(Kind kind, String reason) {
    this(kind, "", reason);
  }

  /**
   * A refusal because of one field.
   *
   * @param field its path from the root of the resource, such as {@code mtu_bytes}
   */
  public RefusedException(Kind kind, String field, String reason) {
    super(reason);
    this.kind = kind;
    this.field = field;
  }

  /** The refusal of a value that is outside its range or form. */
  public static RefusedException of(InvalidValueException invalid) {
    return new RefusedException(Kind.INVALID_ARGUMENT, invalid.field(), invalid.reason());
  }

  public Kind kind() {
    return kind;
  }

  /** Path of the field that is to blame, from the root of the resource; empty if none is. */
  public String field() {
    return field;
  }

  /** Why; names the values and limits. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
