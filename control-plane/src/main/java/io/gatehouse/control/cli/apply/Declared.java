package io.gatehouse.control.cli.apply;

import com.google.protobuf.Message;
import io.gatehouse.control.cli.resource.FieldSpec;
import io.gatehouse.control.cli.resource.ResourceKind;
import io.gatehouse.runtime.config.ConfigProblem;
import java.util.List;

/**
 * A resource as a file declares it.
 *
 * @param place where it stands, for complaints
 * @param fields that the file gives; the others are left as they are
 * @param etag that the change depends on; empty for none
 */
public record Declared(
    ResourceKind kind, Message resource, Place place, List<FieldSpec> fields, String etag) {

  /** A place in a file. */
  public record Place(String source, int line) {
    /** A complaint about a field there. */
    String problem(String field, String reason) {
      return new ConfigProblem(source, line, field, reason).toString();
    }
  }

  public String name() {
    return kind.nameOf(resource);
  }

  /** Such as {@code Network acme/blue}. */
  public String title() {
    return kind.name() + " " + kind.shortNameOf(resource);
  }
}
