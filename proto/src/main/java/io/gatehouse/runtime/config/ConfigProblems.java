package io.gatehouse.runtime.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.yaml.snakeyaml.nodes.Node;

/** The problems found in one source so far. One thread. */
final class ConfigProblems {
  /** More than a person repairs in one go; what is beyond is counted. */
  private static final int SHOWN = 100;

  private final String source;
  private final List<ConfigProblem> found = new ArrayList<>();

  ConfigProblems(String source) {
    this.source = source;
  }

  void add(Node node, String field, String reason) {
    add(lineOf(node), field, reason);
  }

  void add(int line, String field, String reason) {
    found.add(new ConfigProblem(source, line, field, reason));
  }

  /** Throws all that was found; does nothing if that is nothing. */
  void throwIfAny() {
    if (found.isEmpty()) {
      return;
    }
    found.sort(Comparator.comparingInt(ConfigProblem::line));
    if (found.size() <= SHOWN) {
      throw new ConfigException(found);
    }
    List<ConfigProblem> shown = new ArrayList<>(found.subList(0, SHOWN));
    shown.add(new ConfigProblem(source, 0, "", "and " + (found.size() - SHOWN) + " more problems"));
    throw new ConfigException(shown);
  }

  static int lineOf(Node node) {
    return node.getStartMark().getLine() + 1;
  }
}
