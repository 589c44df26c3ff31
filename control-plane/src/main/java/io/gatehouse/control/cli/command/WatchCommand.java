package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.proto.v1.ChangeKind;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.ResourceChange;
import io.gatehouse.proto.v1.WatchChangesRequest;
import io.gatehouse.proto.v1.WatchChangesResponse;
import io.grpc.StatusRuntimeException;
import java.util.Iterator;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse watch}: prints changes as they are made, until it is stopped. */
public final class WatchCommand {
  private static final String FROM = "--from";

  private WatchCommand() {}

  public static CommandSpec spec() {
    return CommandBuilder.of(
            "watch", "Print changes as they are made, until interrupted.", WatchCommand::run)
        .option(FROM, "REVISION", "Begin after this revision; left out: with what is yet to come.")
        .build();
  }

  private static ExitCode run(Arguments arguments, Session session) {
    long from = arguments.parsed(FROM, WaitCommand.RevisionText::parse).orElse(0L);
    WatchChangesRequest request = WatchChangesRequest.newBuilder().setAfterRevision(from).build();
    try {
      Iterator<WatchChangesResponse> changes =
          session.connection().stream(FleetServiceGrpc.getWatchChangesMethod(), request);
      while (changes.hasNext()) {
        print(session, changes.next());
      }
    } catch (StatusRuntimeException e) {
      throw session.connection().explained(e);
    }
    return ExitCode.OK;
  }

  private static void print(Session session, WatchChangesResponse change) {
    switch (session.format()) {
      case JSON -> session.out().println(Messages.jsonLine(change));
      case YAML -> session.out().print(Messages.yaml(change));
      case TABLE -> printLines(session, change);
    }
    session.out().flush();
  }

  private static void printLines(Session session, WatchChangesResponse change) {
    String time = Messages.instant(change.getTime()).toString();
    String actor = change.getActor().isEmpty() ? "-" : change.getActor();
    String head = "%-8d %s  %s".formatted(change.getRevision(), time, actor);
    for (ResourceChange resource : change.getChangesList()) {
      session.out().printf("%s  %-7s  %s%n", head, verb(resource.getKind()), resource.getName());
    }
  }

  private static String verb(ChangeKind kind) {
    return kind.name().replace("CHANGE_KIND_", "").toLowerCase(Locale.ROOT);
  }
}
