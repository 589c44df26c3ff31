package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.runtime.BuildVersion;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Commands about the command itself. */
public final class ToolCommands {
  private ToolCommands() {}

  public static CommandSpec version() {
    return CommandBuilder.of(
            "version",
            "Show the version.",
            (arguments, session) -> {
              session.out().println("gatehouse " + BuildVersion.current());
              return ExitCode.OK;
            })
        .build();
  }

  /** Prints a script for the shell. */
  public static CommandSpec completion() {
    CommandSpec bash =
        CommandBuilder.of(
                "bash",
                "Print the script for bash: source <(gatehouse completion bash)",
                (arguments, session) -> {
                  CommandLine whole = arguments.root().commandLine();
                  session.out().print(AutoComplete.bash("gatehouse", whole));
                  return ExitCode.OK;
                })
            .build();
    return CommandBuilder.group("completion", "Print a script that completes commands in a shell.")
        .sub(bash)
        .build();
  }
}
