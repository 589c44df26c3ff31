package io.gatehouse.control.cli.apply;

import com.google.protobuf.Message;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done about one declared resource.
 *
 * @param before the resource as it is; empty if there is none
 * @param changes what differs; all given fields if there is none
 */
public record Step(Declared declared, Optional<Message> before, List<FieldChange> changes) {

  /** What a step does. */
  public enum Kind {
    CREATE,
    UPDATE,
    NONE
  }

  public Kind kind() {
    if (before.isEmpty()) {
      return Kind.CREATE;
    }
    return changes.isEmpty() ? Kind.NONE : Kind.UPDATE;
  }
}
