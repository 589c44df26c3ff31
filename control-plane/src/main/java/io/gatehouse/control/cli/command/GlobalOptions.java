package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.output.OutputFormat;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.control.cli.session.Terminal;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.config.DurationText;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options that every command has, wherever they stand on the command line. */
public final class GlobalOptions {
  private static final String CONTEXT = "--context";
  private static final String OUTPUT = "--output";
  private static final String TIMEOUT = "--timeout";
  private static final String VERBOSE = "--verbose";
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration MAX_TIMEOUT = Duration.ofDays(1);
  private static final Set<String> FORMATS = Set.of("table", "json", "yaml");

  private GlobalOptions() {}

  /** For one command's description; the group has no meaning but its heading in the help. */
  static ArgGroupSpec group() {
    return ArgGroupSpec.builder()
        .heading("%nGlobal options:%n")
        .exclusive(false)
        .validate(false)
        .order(1_000)
        .addArg(text("FILE", "Which control plane, and as whom.", CONTEXT))
        .addArg(text("FORMAT", "table, json or yaml.", "-o", OUTPUT))
        .addArg(text("DURATION", "For a call or a wait; 30s if left out.", TIMEOUT))
        .addArg(toggle("Show where an error comes from.", VERBOSE))
        .addArg(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .arity("0")
                .type(boolean.class)
                .description("Show this.")
                .build())
        .build();
  }

  /** The session that the options ask for. */
  public static Session session(Arguments arguments, Terminal terminal) {
    OutputFormat format =
        arguments.parsed(OUTPUT, GlobalOptions::format).orElse(OutputFormat.TABLE);
    Duration timeout =
        arguments
            .parsed(TIMEOUT, text -> DurationText.parse(text, Duration.ofMillis(1), MAX_TIMEOUT))
            .orElse(DEFAULT_TIMEOUT);
    return new Session(terminal, arguments.text(CONTEXT), format, timeout);
  }

  /** Whether stack traces are wanted. */
  public static boolean verbose(Arguments arguments) {
    return arguments.given(VERBOSE);
  }

  private static OutputFormat format(String text) {
    if (!FORMATS.contains(text)) {
      throw new InvalidValueException("output", text, "is none of table, json, yaml");
    }
    return OutputFormat.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private static OptionSpec text(String label, String help, String... names) {
    return OptionSpec.builder(names)
        .paramLabel(label)
        .description(help)
        .arity("1")
        .type(String.class)
        .build();
  }

  private static OptionSpec toggle(String help, String name) {
    return OptionSpec.builder(name).arity("0").type(boolean.class).description(help).build();
  }
}
