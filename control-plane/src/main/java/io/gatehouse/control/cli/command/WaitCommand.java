package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.GetFleetStatusResponse;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse wait}: returns when a revision is real. */
public final class WaitCommand {
  private static final String SCOPE = "--scope";

  private WaitCommand() {}

  public static CommandSpec spec() {
    String summary =
        "Return when a revision is applied and read back on every DPU that it concerns.";
    return CommandBuilder.of("wait", summary, WaitCommand::run)
        .positional("REVISION", "As told by every change; 0: the newest.")
        .option(SCOPE, FleetScope.LABEL, FleetScope.HELP)
        .build();
  }

  private static ExitCode run(Arguments arguments, Session session) {
    long revision = arguments.parse("REVISION", arguments.required(0), RevisionText::parse);
    String scope = arguments.parsed(SCOPE, FleetScope::parse).orElse("");
    GetFleetStatusResponse status =
        session.revisionWait().await(revision, scope, session.timeout());
    switch (session.format()) {
      case JSON -> session.out().println(Messages.json(status));
      case YAML -> session.out().print(Messages.yaml("FleetStatus", status));
      case TABLE ->
          session
              .out()
              .println(
                  "applied up to revision %d on %d of %d DPUs"
                      .formatted(
                          status.getAppliedRevision(),
                          status.getCurrentDpuCount(),
                          status.getDpuCount()));
    }
    return ExitCode.OK;
  }

  /** Revisions of the journal as text. */
  static final class RevisionText {
    private RevisionText() {}

    static long parse(String text) {
      if (!text.matches("[0-9]{1,18}")) {
        throw new InvalidValueException("revision", text, "is not a revision");
      }
      return Long.parseLong(text);
    }
  }
}
