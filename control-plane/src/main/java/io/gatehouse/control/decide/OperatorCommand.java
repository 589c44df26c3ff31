package io.gatehouse.control.decide;

import io.gatehouse.model.OperatorRole;
import io.gatehouse.model.name.OperatorName;
import org.jspecify.annotations.Nullable;

/** Commands about an operator. */
public sealed interface OperatorCommand extends Command {
  OperatorName name();

  @Override
  default String subject() {
    return name().toString();
  }

  /** Makes an operator. */
  record CreateOperator(Request request, OperatorName name, String displayName, OperatorRole role)
      implements OperatorCommand {}

  /**
   * Changes an operator.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record UpdateOperator(Request request, OperatorName name, OperatorPatch patch, String etag)
      implements OperatorCommand {}

  /**
   * Removes an operator.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record DeleteOperator(Request request, OperatorName name, String etag)
      implements OperatorCommand {}

  /** New values; null leaves the old one. */
  record OperatorPatch(@Nullable String displayName, @Nullable OperatorRole role) {}
}
