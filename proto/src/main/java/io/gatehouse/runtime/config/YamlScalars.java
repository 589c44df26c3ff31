package io.gatehouse.runtime.config;

import io.gatehouse.model.net.InvalidValueException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The forms of single values. Fields are named by the caller. */
final class YamlScalars {
  /** No leading zero: YAML 1.1 would read 010 as 8, and a person as 10. */
  private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9][0-9]{0,17})");

  private YamlScalars() {}

  static String plainText(String text) {
    if (text.isBlank()) {
      throw new InvalidValueException("", text, "is empty");
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidValueException("", text, "has control characters");
    }
    return text;
  }

  static long integer(ScalarNode node, long min, long max) {
    String text = node.getValue();
    if (!node.getTag().equals(Tag.INT) || !DECIMAL.matcher(text).matches()) {
      throw new InvalidValueException("", text, "is not a decimal integer");
    }
    long value = Long.parseLong(text);
    if (value < min || value > max) {
      throw new InvalidValueException("", text, "is outside " + min + ".." + max);
    }
    return value;
  }

  static boolean flag(ScalarNode node) {
    String text = node.getValue();
    if (!node.getTag().equals(Tag.BOOL) || !(text.equals("true") || text.equals("false"))) {
      throw new InvalidValueException("", text, "is neither true nor false");
    }
    return text.equals("true");
  }

  static String oneOf(String text, Set<String> words) {
    if (!words.contains(text)) {
      String all = String.join(", ", new TreeSet<>(words));
      throw new InvalidValueException(
          "", text, "is none of " + all + ClosestWord.hint(text, words));
    }
    return text;
  }

  /** What stands there, for complaints. */
  static String kind(Node node) {
    if (node instanceof MappingNode) {
      return "a map";
    }
    if (node instanceof SequenceNode) {
      return "a list";
    }
    return node.getTag().equals(Tag.NULL) ? "nothing" : "a single value";
  }

  static String complaint(ScalarNode node, IllegalArgumentException e) {
    return new InvalidValueException("", node.getValue(), "is refused: " + e.getMessage()).reason();
  }
}
