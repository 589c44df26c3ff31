package io.gatehouse.control.cli;

import io.gatehouse.control.cli.command.Action;
import io.gatehouse.control.cli.command.ApplyCommand;
import io.gatehouse.control.cli.command.Arguments;
import io.gatehouse.control.cli.command.CommandBuilder;
import io.gatehouse.control.cli.command.ExplainCommand;
import io.gatehouse.control.cli.command.GlobalOptions;
import io.gatehouse.control.cli.command.ResourceCommands;
import io.gatehouse.control.cli.command.StatusCommand;
import io.gatehouse.control.cli.command.ToolCommands;
import io.gatehouse.control.cli.command.WaitCommand;
import io.gatehouse.control.cli.command.WatchCommand;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Failure;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.control.cli.session.Terminal;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command line of Gatehouse. */
public final class GatehouseCli {
  private final Terminal terminal;

  public GatehouseCli(Terminal terminal) {
    this.terminal = terminal;
  }

  public static void main(String[] args) {
    Terminal terminal =
        new Terminal(
            System.in,
            new PrintStream(System.out, true, StandardCharsets.UTF_8),
            new PrintStream(System.err, true, StandardCharsets.UTF_8),
            System.getenv(),
            Path.of(System.getProperty("user.home", "/")),
            Clock.systemUTC());
    int code = new GatehouseCli(terminal).run(args);
    terminal.out().flush();
    System.exit(code);
  }

  /** Runs one command and returns the exit code. */
  public int run(String... args) {
    CommandLine commandLine = new CommandLine(root());
    commandLine
        .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
        .setExpandAtFiles(false)
        .setInterpolateVariables(false)
        .setUnmatchedOptionsArePositionalParams(false)
        .setUsageHelpWidth(100)
        .setExecutionStrategy(this::execute)
        .setParameterExceptionHandler((thrown, given) -> wrongUsage(thrown));
    return commandLine.execute(args);
  }

  /** The tree of all commands. */
  public static CommandSpec root() {
    CommandBuilder root =
        CommandBuilder.group("gatehouse", "Runs the tenant networks of a fleet of DPUs.");
    ResourceKinds.ALL.forEach(kind -> root.sub(ResourceCommands.of(kind)));
    return root.sub(ApplyCommand.spec())
        .sub(StatusCommand.spec())
        .sub(ExplainCommand.spec())
        .sub(WaitCommand.spec())
        .sub(WatchCommand.spec())
        .sub(ToolCommands.completion())
        .sub(ToolCommands.version())
        .footer(footer())
        .build();
  }

  private static List<String> footer() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "The context file, ~/.config/gatehouse/context.yaml or what GATEHOUSE_CONTEXT names:");
    lines.add("  target: gatehouse.example:8443");
    lines.add("  server_name: gatehouse.example   (may be left out)");
    lines.add("  ca: ca.pem");
    lines.add("  certificate: operator.pem");
    lines.add("  key: operator.key");
    lines.add("");
    lines.add("Exit codes:");
    for (ExitCode code : ExitCode.values()) {
      lines.add("  " + code.number() + "  " + code.meaning());
    }
    return lines;
  }

  private int execute(ParseResult parsed) {
    Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped != null) {
      return helped;
    }
    Arguments arguments = new Arguments(parsed);
    ParseResult leaf = parsed;
    while (leaf.subcommand() != null) {
      leaf = leaf.subcommand();
    }
    if (!(leaf.commandSpec().userObject() instanceof Action action)) {
      leaf.commandSpec().commandLine().usage(terminal.err(), Ansi.OFF);
      return ExitCode.USAGE.number();
    }
    try (Session session = GlobalOptions.session(arguments, terminal)) {
      return action.run(arguments, session).number();
    } catch (RuntimeException e) {
      return failed(e, GlobalOptions.verbose(arguments));
    }
  }

  private int failed(RuntimeException thrown, boolean verbose) {
    Failure failure = Failure.of(thrown);
    terminal.out().flush();
    failure.lines().forEach(line -> terminal.err().println("gatehouse: " + line));
    if (verbose) {
      thrown.printStackTrace(terminal.err());
    }
    return failure.code().number();
  }

  private int wrongUsage(ParameterException thrown) {
    terminal.err().println("gatehouse: " + thrown.getMessage());
    String command = thrown.getCommandLine().getCommandSpec().qualifiedName();
    terminal.err().println("gatehouse: see " + command + " --help");
    return ExitCode.USAGE.number();
  }
}
