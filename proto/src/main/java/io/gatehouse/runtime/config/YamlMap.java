package io.gatehouse.runtime.config;

import io.gatehouse.model.net.InvalidValueException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A map of settings. Each key is asked for once, with its type and whether it must be there; the
 * answer is a supplier that may be used after {@link #finish}, which throws all problems at once:
 *
 * <pre>{@code
 * YamlMap root = YamlReader.read(file);
 * YamlMap listen = root.map("listen");
 * var dpu = root.value("dpu", DpuName::new).required();
 * var port = listen.integer("port", 1, 65535).orElse(8443);
 * return root.finish(() -> new Settings(dpu.get(), port.get()));
 * }</pre>
 *
 * <p>One thread.
 */
public final class YamlMap {
  private final String path;
  private final int line;
  private final Path directory;
  private final ConfigProblems problems;
  private final Map<String, Node> entries = new LinkedHashMap<>();
  private final Map<String, Integer> keyLines = new LinkedHashMap<>();
  private final Set<String> asked = new LinkedHashSet<>();
  private final Map<String, YamlMap> children = new LinkedHashMap<>();
  private boolean unusable;

  private YamlMap(String path, int line, Path directory, ConfigProblems problems) {
    this.path = path;
    this.line = line;
    this.directory = directory;
    this.problems = problems;
  }

  static YamlMap ofRoot(Node node, ConfigProblems problems, Path directory) {
    YamlMap map = new YamlMap("", ConfigProblems.lineOf(node), directory, problems);
    map.fill(node);
    return map;
  }

  /** Line of the map in its source, from 1. */
  public int line() {
    return line;
  }

  /** Whether the key is there. */
  public boolean has(String key) {
    return entries.containsKey(key);
  }

  /** Text without line breaks or other control characters; numbers are taken as written. */
  public YamlField<String> text(String key) {
    return value(key, YamlScalars::plainText);
  }

  /** A decimal integer. */
  public YamlField<Integer> integer(String key, int min, int max) {
    return scalar(key, node -> (int) YamlScalars.integer(node, min, max));
  }

  /** {@code true} or {@code false}. */
  public YamlField<Boolean> flag(String key) {
    return scalar(key, YamlScalars::flag);
  }

  /** One of a few words. */
  public YamlField<String> choice(String key, Set<String> words) {
    return value(key, text -> YamlScalars.oneOf(text, words));
  }

  /** A number with a unit: ms, s, m, h or d. */
  public YamlField<Duration> duration(String key, Duration min, Duration max) {
    return value(key, text -> DurationText.parse(text, min, max));
  }

  /** A path; one that is not absolute starts at the directory of the file. */
  public YamlField<Path> path(String key) {
    return value(key, text -> directory.resolve(YamlScalars.plainText(text)).normalize());
  }

  /** Text that a parser accepts; its {@link IllegalArgumentException} becomes a problem. */
  public <T> YamlField<T> value(String key, Function<String, T> parser) {
    return scalar(key, node -> parser.apply(node.getValue()));
  }

  /** A list of texts that a parser accepts; one scalar alone counts as a list of one. */
  public <T> YamlField<List<T>> list(String key, int maxSize, Function<String, T> parser) {
    Node node = take(key);
    if (node == null) {
      return field(key, null);
    }
    List<Node> elements = node instanceof SequenceNode list ? list.getValue() : List.of(node);
    if (elements.size() > maxSize) {
      problems.add(node, at(key), elements.size() + " elements are more than " + maxSize);
      return invalid(key);
    }
    List<T> values = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      T value = parsed(elements.get(i), at(key) + "[" + i + "]", s -> parser.apply(s.getValue()));
      if (value != null) {
        values.add(value);
      }
    }
    return values.size() == elements.size() ? field(key, List.copyOf(values)) : invalid(key);
  }

  /** A map below; if the key is absent, an empty one, whose required keys are then missing. */
  public YamlMap map(String key) {
    return children.computeIfAbsent(key, this::child);
  }

  /** A list of maps; empty if the key is absent. */
  public List<YamlMap> maps(String key, int maxSize) {
    Node node = take(key);
    if (node == null) {
      return List.of();
    }
    if (!(node instanceof SequenceNode list)) {
      problems.add(node, at(key), YamlScalars.kind(node) + " stands where a list is needed");
      return List.of();
    }
    if (list.getValue().size() > maxSize) {
      problems.add(node, at(key), list.getValue().size() + " elements are more than " + maxSize);
      return List.of();
    }
    List<YamlMap> maps = new ArrayList<>();
    for (Node element : list.getValue()) {
      String name = key + "[" + maps.size() + "]";
      YamlMap map = new YamlMap(at(name), ConfigProblems.lineOf(element), directory, problems);
      map.fill(element);
      children.put(name, map);
      maps.add(map);
    }
    return maps;
  }

  /** Keys that may be there and mean nothing. */
  public void skip(Collection<String> keys) {
    asked.addAll(keys);
  }

  /** All keys that were not asked for, where it is not known what may stand here. */
  public void skipOthers() {
    asked.addAll(entries.keySet());
  }

  /** Adds a problem with a key that was found by other means than its own form. */
  public void problem(String key, String reason) {
    problems.add(keyLines.getOrDefault(key, line), key.isEmpty() ? path : at(key), reason);
  }

  /**
   * Ends the reading of the whole source: reports keys that nobody asked for and throws all
   * problems, or else calls the supplier.
   *
   * @throws ConfigException if there was any problem, or the supplier finds a value invalid
   */
  public <T> T finish(Supplier<T> result) {
    reportUnknown();
    return conclude(problems, result);
  }

  static <T> T conclude(ConfigProblems problems, Supplier<T> result) {
    problems.throwIfAny();
    try {
      return result.get();
    } catch (InvalidValueException e) {
      problems.add(0, e.field(), e.reason());
    }
    problems.throwIfAny();
    throw new IllegalStateException("a problem was added");
  }

  void reportUnknown() {
    Set<String> unknown = new TreeSet<>(entries.keySet());
    unknown.removeAll(asked);
    if (!unusable) {
      for (String key : unknown) {
        problem(key, "is not known" + ClosestWord.hint(key, asked));
      }
    }
    children.values().forEach(YamlMap::reportUnknown);
  }

  private YamlMap child(String key) {
    Node node = take(key);
    int childLine = node == null ? line : keyLines.getOrDefault(key, line);
    YamlMap child = new YamlMap(at(key), childLine, directory, problems);
    if (node != null) {
      child.fill(node);
    }
    child.unusable |= unusable;
    return child;
  }

  private void fill(Node node) {
    if (!(node instanceof MappingNode map)) {
      problems.add(node, path, YamlScalars.kind(node) + " stands where a map is needed");
      unusable = true;
      return;
    }
    for (NodeTuple entry : map.getValue()) {
      if (entry.getKeyNode() instanceof ScalarNode key) {
        entries.putIfAbsent(key.getValue(), entry.getValueNode());
        keyLines.putIfAbsent(key.getValue(), ConfigProblems.lineOf(key));
      }
    }
  }

  private <T> YamlField<T> scalar(String key, Function<ScalarNode, T> parser) {
    Node node = take(key);
    if (node == null) {
      return field(key, null);
    }
    T value = parsed(node, at(key), parser);
    return value == null ? invalid(key) : field(key, value);
  }

  private <T> @Nullable T parsed(Node node, String field, Function<ScalarNode, T> parser) {
    if (!(node instanceof ScalarNode scalar) || node.getTag().equals(Tag.NULL)) {
      problems.add(node, field, YamlScalars.kind(node) + " stands where one value is needed");
      return null;
    }
    try {
      return parser.apply(scalar);
    } catch (InvalidValueException e) {
      problems.add(node, field, e.reason());
    } catch (IllegalArgumentException e) {
      problems.add(node, field, YamlScalars.complaint(scalar, e));
    }
    return null;
  }

  private @Nullable Node take(String key) {
    asked.add(key);
    return entries.get(key);
  }

  private String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private <T> YamlField<T> field(String key, @Nullable T value) {
    return new YamlField<>(value, unusable, () -> problem(key, "is missing"));
  }

  private <T> YamlField<T> invalid(String key) {
    return new YamlField<>(null, true, () -> problem(key, "is missing"));
  }
}
