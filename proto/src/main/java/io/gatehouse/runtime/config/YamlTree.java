package io.gatehouse.runtime.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Checks what holds for every document: standard tags only, keys that are text and unique. */
final class YamlTree {
  private static final Set<Tag> TAGS =
      Set.of(
          Tag.STR,
          Tag.INT,
          Tag.FLOAT,
          Tag.BOOL,
          Tag.NULL,
          Tag.TIMESTAMP,
          Tag.MAP,
          Tag.SEQ,
          Tag.MERGE);

  private YamlTree() {}

  /** Recursion is bounded by the reader's limit of depth. */
  static void check(Node node, ConfigProblems problems) {
    if (!TAGS.contains(node.getTag())) {
      problems.add(node, "", "the tag " + node.getTag() + " is not allowed");
    }
    if (node instanceof MappingNode map) {
      checkKeys(map, problems);
      map.getValue().forEach(entry -> check(entry.getValueNode(), problems));
    }
    if (node instanceof SequenceNode list) {
      list.getValue().forEach(element -> check(element, problems));
    }
  }

  private static void checkKeys(MappingNode map, ConfigProblems problems) {
    Map<String, Integer> lines = new HashMap<>();
    for (NodeTuple entry : map.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        problems.add(entry.getKeyNode(), "", "a key must be text");
        continue;
      }
      Integer before = lines.putIfAbsent(key.getValue(), ConfigProblems.lineOf(key));
      if (before != null) {
        problems.add(key, key.getValue(), "was given before, in line " + before);
      }
    }
  }
}
