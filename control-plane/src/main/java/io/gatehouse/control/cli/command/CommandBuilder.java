package io.gatehouse.control.cli.command;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Describes a command to picocli by code: its reflection on annotations costs start-up time. */
public final class CommandBuilder {
  private final CommandSpec spec;
  private int positionals;

  private CommandBuilder(CommandSpec spec) {
    this.spec = spec;
  }

  /** A command with an action. */
  public static CommandBuilder of(String name, String summary, Action action) {
    return of(name, summary, CommandSpec.wrapWithoutInspection(action));
  }

  /** A word that has commands below it. */
  public static CommandBuilder group(String name, String summary) {
    return of(name, summary, CommandSpec.create());
  }

  private static CommandBuilder of(String name, String summary, CommandSpec spec) {
    spec.name(name);
    spec.usageMessage()
        .description(summary)
        .sortOptions(false)
        .abbreviateSynopsis(true)
        .parameterListHeading("%n")
        .commandListHeading("%nCommands:%n")
        .footerHeading("%n");
    spec.addArgGroup(GlobalOptions.group());
    return new CommandBuilder(spec);
  }

  public CommandBuilder positional(String label, String help) {
    return positional(label, "1", help);
  }

  public CommandBuilder optionalPositional(String label, String help) {
    return positional(label, "0..1", help);
  }

  public CommandBuilder option(String name, String label, String help) {
    return add(text(OptionSpec.builder(name), label, help).build());
  }

  public CommandBuilder requiredOption(String name, String label, String help) {
    return add(text(OptionSpec.builder(name), label, help).required(true).build());
  }

  /** An option that may be given several times; commas belong to its values. */
  public CommandBuilder repeatedOption(String name, String label, String help) {
    return add(
        OptionSpec.builder(name)
            .paramLabel(label)
            .description(help)
            .arity("1")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .build());
  }

  /** An option that may be given several times, or once with commas. */
  public CommandBuilder listOption(String name, String label, String help) {
    return add(
        OptionSpec.builder(name)
            .paramLabel(label)
            .description(help)
            .arity("1")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .splitRegex(",")
            .build());
  }

  public CommandBuilder toggle(String name, String help) {
    return add(OptionSpec.builder(name).arity("0").type(boolean.class).description(help).build());
  }

  public CommandBuilder footer(List<String> lines) {
    spec.usageMessage().footer(lines.toArray(String[]::new));
    return this;
  }

  public CommandBuilder sub(CommandSpec command) {
    spec.addSubcommand(command.name(), command);
    return this;
  }

  public CommandSpec build() {
    return spec;
  }

  private CommandBuilder positional(String label, String arity, String help) {
    spec.addPositional(
        PositionalParamSpec.builder()
            .index(Integer.toString(positionals++))
            .arity(arity)
            .required(arity.equals("1"))
            .type(String.class)
            .paramLabel(label)
            .description(help)
            .build());
    return this;
  }

  private CommandBuilder add(OptionSpec option) {
    spec.usageMessage().optionListHeading("%nOptions:%n");
    spec.addOption(option);
    return this;
  }

  private static OptionSpec.Builder text(OptionSpec.Builder option, String label, String help) {
    return option.paramLabel(label).description(help).arity("1").type(String.class);
  }
}
