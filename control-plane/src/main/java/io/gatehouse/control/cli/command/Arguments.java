package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.model.net.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** What was given on the command line; options may stand before or after the command's word. */
public final class Arguments {
  private final List<ParseResult> levels = new ArrayList<>();

  public Arguments(ParseResult root) {
    for (ParseResult level = root; level != null; level = level.subcommand()) {
      levels.add(level);
    }
  }

  public boolean given(String option) {
    return levels.stream().anyMatch(level -> level.hasMatchedOption(option));
  }

  public Optional<String> text(String option) {
    return Optional.ofNullable(value(option)).map(Object::toString);
  }

  public List<String> texts(String option) {
    return value(option) instanceof List<?> texts
        ? texts.stream().map(Object::toString).toList()
        : List.of();
  }

  /** The text of an option through a parser, whose complaint becomes a usage error. */
  public <T> Optional<T> parsed(String option, Function<String, T> parser) {
    return text(option).map(text -> parse(option, text, parser));
  }

  /** A positional argument that must be there. */
  public String required(int index) {
    return optional(index)
        .orElseThrow(
            () -> new IllegalStateException("picocli let argument " + index + " be missing"));
  }

  public Optional<String> optional(int index) {
    return Optional.ofNullable(leaf().<@Nullable String>matchedPositionalValue(index, null));
  }

  /** As {@link #parsed}, for a positional argument. */
  public <T> T parse(String label, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (InvalidValueException e) {
      throw new CliException(ExitCode.USAGE, label + ": " + e.reason());
    }
  }

  /** The description of the whole command. */
  CommandSpec root() {
    return levels.get(0).commandSpec();
  }

  private @Nullable Object value(String option) {
    Object found = null;
    for (ParseResult level : levels) {
      found = level.<@Nullable Object>matchedOptionValue(option, found);
    }
    return found;
  }

  private ParseResult leaf() {
    return levels.get(levels.size() - 1);
  }
}
