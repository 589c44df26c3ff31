package io.gatehouse.control.cli.identity;

import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.Table;
import io.gatehouse.control.cli.session.Session;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;

/** Prints messages in the form that was asked for. */
final class IdentityOutput {
  private IdentityOutput() {}

  /** One answer, where a table would have no use. */
  static void one(Session session, Message message) {
    switch (session.format()) {
      case JSON -> session.out().println(Messages.json(message));
      case YAML, TABLE -> session.out().print(Messages.yaml(message));
    }
  }

  /** A list, a row each in a table. */
  static <M extends Message> void many(
      Session session, List<String> header, List<M> messages, Function<M, List<String>> row) {
    switch (session.format()) {
      case JSON -> session.out().println(Messages.jsonArray(messages));
      case YAML -> messages.forEach(message -> session.out().print(Messages.yaml(message)));
      case TABLE -> {
        Table table = new Table(header);
        messages.forEach(message -> table.row(row.apply(message)));
        session.out().print(table);
      }
    }
  }

  /** In whole seconds, UTC. */
  static String time(Timestamp time) {
    return Messages.instant(time).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
