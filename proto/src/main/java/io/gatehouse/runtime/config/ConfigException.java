package io.gatehouse.runtime.config;

import java.util.List;
import java.util.stream.Collectors;

/** A file that cannot be used; the message has one line for each problem, in the file's order. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<ConfigProblem> problems;

  public ConfigException(List<ConfigProblem> problems) {
    super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** The problems, at least one. */
  public List<ConfigProblem> problems() {
    return problems;
  }
}
