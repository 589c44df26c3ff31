package io.gatehouse.control.cli.resource;

import com.google.protobuf.Message;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.RelativeTime;
import java.time.Instant;
import java.util.function.BiFunction;

/**
 * A column of a kind's table.
 *
 * @param cell the text for a resource at a time; empty for nothing
 */
public record Column(String header, BiFunction<Message, Instant, String> cell) {

  /** The value of a field. */
  static Column of(String header, String path) {
    return new Column(header, (resource, now) -> FieldText.show(FieldPath.get(resource, path)));
  }

  /** How long ago the time of a field was. */
  public static Column ago(String header, String path) {
    return new Column(
        header,
        (resource, now) ->
            FieldPath.has(resource, path)
                ? RelativeTime.format(
                    Messages.instant((Message) FieldPath.get(resource, path)), now)
                : "");
  }
}
