package io.gatehouse.runtime.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The maps of a stream of documents, in order; their problems are reported together. One thread.
 */
public final class YamlDocuments {
  private final List<YamlMap> maps;
  private final ConfigProblems problems;

  private YamlDocuments(List<YamlMap> maps, ConfigProblems problems) {
    this.maps = List.copyOf(maps);
    this.problems = problems;
  }

  static YamlDocuments of(List<Node> documents, ConfigProblems problems) {
    List<YamlMap> maps = new ArrayList<>();
    Path directory = Path.of("").toAbsolutePath();
    for (Node document : documents) {
      if (document.getTag().equals(Tag.NULL)) {
        continue;
      }
      List<Node> nodes =
          document instanceof SequenceNode list ? list.getValue() : List.of(document);
      nodes.forEach(node -> maps.add(YamlMap.ofRoot(node, problems, directory)));
    }
    return new YamlDocuments(maps, problems);
  }

  /** Every map of every document. */
  public List<YamlMap> maps() {
    return maps;
  }

  /** As {@link YamlMap#finish} for all maps. */
  public <T> T finish(Supplier<T> result) {
    maps.forEach(YamlMap::reportUnknown);
    return YamlMap.conclude(problems, result);
  }
}
