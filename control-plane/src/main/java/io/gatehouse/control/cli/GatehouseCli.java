package io.gatehouse.control.cli;

import io.gatehouse.control.cli.audit.AuditCommands;
import io.gatehouse.control.cli.command.Action;
import io.gatehouse.control.cli.command.ApplyCommand;
import io.gatehouse.control.cli.command.Arguments;
import io.gatehouse.control.cli.command.CommandBuilder;
import io.gatehouse.control.cli.command.ExplainCommand;
import io.gatehouse.control.cli.command.GlobalOptions;
import io.gatehouse.control.cli.command.QuarantineCommands;
import io.gatehouse.control.cli.command.ResourceCommands;
import io.gatehouse.control.cli.command.RuleCommands;
import io.gatehouse.control.cli.command.StatusCommand;
import io.gatehouse.control.cli.command.ToolCommands;
import io.gatehouse.control.cli.command.WaitCommand;
import io.gatehouse.control.cli.command.WatchCommand;
import io.gatehouse.control.cli.identity.EnrollCommands;
import io.gatehouse.control.cli.identity.IdentityCommands;
import io.gatehouse.control.cli.identity.LoginCommand;
import io.gatehouse.control.cli.isolation.IsolationCommands;
import io.gatehouse.control.cli.mtu.MtuCommands;
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
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command line of Gatehouse. */
public final class GatehouseCli {
  private static final Map<String, Supplier<CommandSpec>> COMMANDS = commands();

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
    CommandLine commandLine = new CommandLine(root(new HashSet<>(List.of(args))));
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
    return root(COMMANDS.keySet());
  }

  /** Only what was named, if a command was: describing them all takes half of the start-up. */
  private static CommandSpec root(Set<String> words) {
    CommandBuilder root =
        CommandBuilder.group("gatehouse", "Runs the tenant networks of a fleet of DPUs.");
    boolean all = words.contains("completion") || Collections.disjoint(words, COMMANDS.keySet());
    COMMANDS.forEach(
        (name, spec) -> {
          if (all || words.contains(name)) {
            root.sub(spec.get());
          }
        });
    return root.footer(footer()).build();
  }

  private static Map<String, Supplier<CommandSpec>> commands() {
    Map<String, Supplier<CommandSpec>> commands = new LinkedHashMap<>();
    commands.put("tenant", () -> ResourceCommands.of(ResourceKinds.TENANT));
    commands.put("network", () -> ResourceCommands.of(ResourceKinds.NETWORK));
    commands.put("port", () -> ResourceCommands.of(ResourceKinds.PORT));
    commands.put(
        "security-group",
        () -> RuleCommands.addTo(ResourceCommands.of(ResourceKinds.SECURITY_GROUP)));
    commands.put(
        "dpu",
        () ->
            EnrollCommands.addTo(
                ResourceCommands.of(ResourceKinds.DPU), "dpu1", ResourceKinds.DPU.form()::parse));
    commands.put(
        "operator",
        () ->
            EnrollCommands.addTo(
                ResourceCommands.of(ResourceKinds.OPERATOR),
                "ann, or acme/bob for one of a tenant",
                EnrollCommands::operator));
    commands.put("login", LoginCommand::spec);
    commands.put("token", IdentityCommands::tokens);
    commands.put("certificate", IdentityCommands::certificates);
    commands.put("authority", IdentityCommands::authorities);
    commands.put("quarantine", QuarantineCommands::spec);
    commands.put("apply", ApplyCommand::spec);
    commands.put("status", StatusCommand::spec);
    commands.put("explain", ExplainCommand::spec);
    commands.put("isolation", IsolationCommands::spec);
    commands.put("mtu", MtuCommands::spec);
    commands.put("wait", WaitCommand::spec);
    commands.put("watch", WatchCommand::spec);
    commands.put("audit", AuditCommands::spec);
    commands.put("completion", ToolCommands::completion);
    commands.put("version", ToolCommands::version);
    return Collections.unmodifiableMap(commands);
  }

  private static List<String> footer() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "The context file, ~/.config/gatehouse/context.yaml or what GATEHOUSE_CONTEXT names:");
    lines.add("  target: gatehouse.example:8443");
    lines.add("  server_name: gatehouse.example   (may be left out)");
    lines.add("  enrollment_target: gatehouse.example:8444   (may be left out)");
    lines.add("  ca: context-identity/roots.pem");
    lines.add("  certificate: context-identity/identity.pem");
    lines.add("  key: context-identity/identity.pem");
    lines.add("or, in place of the last two:  bearer_token_file: FILE");
    lines.add("These are what login writes; only a certificate that login wrote renews by itself.");
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
