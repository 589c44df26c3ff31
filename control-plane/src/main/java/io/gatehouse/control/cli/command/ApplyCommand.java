package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.apply.Applier;
import io.gatehouse.control.cli.apply.ApplyPlanner;
import io.gatehouse.control.cli.apply.Declared;
import io.gatehouse.control.cli.apply.ManifestReader;
import io.gatehouse.control.cli.apply.Step;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.OutputFormat;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Failure;
import io.gatehouse.control.cli.session.Session;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse apply}: makes declared resources so. */
public final class ApplyCommand {
  private static final String FILE = "-f";
  private static final String DRY_RUN = "--dry-run";

  private ApplyCommand() {}

  public static CommandSpec spec() {
    String summary =
        "Create and change resources as a YAML file declares them. Deletes nothing; fields that the"
            + " file does not give stay as they are; what is as declared causes no change.";
    return CommandBuilder.of("apply", summary, ApplyCommand::run)
        .requiredOption(FILE, "FILE", "Documents or lists of resources; - for standard input.")
        .toggle(DRY_RUN, "Only show what would change: exit code 0 for nothing, 8 for something.")
        .toggle(ChangeOutput.WAIT, ChangeOutput.WAIT_HELP)
        .footer(
            List.of(
                "A resource has its kind, its name and the contract's fields:",
                "  kind: Network",
                "  name: acme/blue",
                "  ipv4_cidr: 10.0.0.0/24"))
        .build();
  }

  private static ExitCode run(Arguments arguments, Session session) {
    List<Declared> declared = read(arguments.text(FILE).orElse("-"), session);
    List<Step> steps = ApplyPlanner.plan(session, declared);
    if (arguments.given(DRY_RUN)) {
      return show(session, steps);
    }
    long revision = apply(session, steps);
    if (revision > 0 && arguments.given(ChangeOutput.WAIT)) {
      new ChangeOutput(session, arguments).await(revision, scopes(session, steps));
    }
    report(session, steps, revision);
    return ExitCode.OK;
  }

  private static List<Declared> read(String file, Session session) {
    if (file.equals("-")) {
      return ManifestReader.read("stdin", session.terminal().in());
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(Path.of(file)))) {
      return ManifestReader.read(file, in);
    } catch (NoSuchFileException e) {
      throw new CliException(ExitCode.USAGE, file + ": no such file");
    } catch (IOException e) {
      throw new CliException(ExitCode.USAGE, file + ": cannot be read: " + e.getMessage());
    }
  }

  /** For programs, what was done before a failure, too. */
  private static void report(Session session, List<Step> steps, long revision) {
    String json = Messages.json(ApplyReport.of(steps, revision));
    switch (session.format()) {
      case JSON -> session.out().println(json);
      // JSON is YAML, too.
      case YAML -> session.out().println("---\n" + json);
      case TABLE -> {}
    }
  }

  private static ExitCode show(Session session, List<Step> steps) {
    boolean nothing = count(steps, Step.Kind.NONE) == steps.size();
    if (session.format() == OutputFormat.TABLE) {
      print(session.out(), steps);
    }
    report(session, steps, 0);
    return nothing ? ExitCode.OK : ExitCode.HAS_CHANGES;
  }

  private static void print(PrintStream out, List<Step> steps) {
    for (Step step : steps) {
      if (step.kind() != Step.Kind.NONE) {
        boolean create = step.kind() == Step.Kind.CREATE;
        out.println((create ? "+ " : "~ ") + step.declared().title());
        step.changes()
            .forEach(c -> out.println("    " + (create ? c.field().path() + ": " + c.after() : c)));
      }
    }
    out.println(
        "would create %d, update %d, unchanged %d"
            .formatted(
                count(steps, Step.Kind.CREATE),
                count(steps, Step.Kind.UPDATE),
                count(steps, Step.Kind.NONE)));
  }

  /** Stops at the first failure: what follows may depend on it. */
  private static long apply(Session session, List<Step> steps) {
    long revision = 0;
    boolean prepared = false;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      try {
        if (!prepared && step.declared().kind().equals(ResourceKinds.SECURITY_GROUP)) {
          Applier.prepare(session, steps);
          prepared = true;
        }
        revision = Math.max(revision, Applier.apply(session, step));
      } catch (RuntimeException e) {
        tell(session, summary(steps.subList(0, i)));
        report(session, steps.subList(0, i), revision);
        throw stopped(e, step, steps.size() - i);
      }
      if (step.kind() != Step.Kind.NONE) {
        String verb = step.kind() == Step.Kind.CREATE ? "created " : "updated ";
        tell(session, verb + step.declared().title());
      }
    }
    tell(session, summary(steps));
    return revision;
  }

  private static void tell(Session session, String line) {
    if (session.format() == OutputFormat.TABLE) {
      session.out().println(line);
    }
  }

  private static CliException stopped(RuntimeException thrown, Step step, int left) {
    Failure failure = Failure.of(thrown);
    String at = step.declared().place().source() + ":" + step.declared().place().line() + ": ";
    List<String> lines = new ArrayList<>(failure.lines().stream().map(line -> at + line).toList());
    lines.add("stopped there: " + left + " of the declared resources are not done");
    return new CliException(failure.code(), lines, thrown);
  }

  private static String summary(List<Step> steps) {
    return "created %d, updated %d, unchanged %d"
        .formatted(
            count(steps, Step.Kind.CREATE),
            count(steps, Step.Kind.UPDATE),
            count(steps, Step.Kind.NONE));
  }

  private static long count(List<Step> steps, Step.Kind kind) {
    return steps.stream().filter(step -> step.kind() == kind).count();
  }

  private static Set<String> scopes(Session session, List<Step> steps) {
    ChangeScopes of = new ChangeScopes(session);
    Set<String> scopes = new LinkedHashSet<>();
    for (Step step : steps) {
      if (step.kind() != Step.Kind.NONE) {
        Declared declared = step.declared();
        scopes.addAll(of.changed(declared.kind(), declared.name(), step.before()));
      }
    }
    return scopes;
  }
}
