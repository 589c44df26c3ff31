package io.gatehouse.control.cli.output;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Messages as JSON and YAML, with the contract's field names. */
public final class Messages {
  private static final String TIMESTAMP = "google.protobuf.Timestamp";

  private Messages() {}

  /** Protobuf's JSON over several lines; 64-bit integers are strings, as its mapping says. */
  public static String json(MessageOrBuilder message) {
    return print(JsonFormat.printer(), message);
  }

  /** The same in one line. */
  public static String jsonLine(MessageOrBuilder message) {
    return print(JsonFormat.printer().omittingInsignificantWhitespace(), message);
  }

  /** One array. */
  public static String jsonArray(List<? extends MessageOrBuilder> messages) {
    return messages.stream().map(Messages::json).collect(Collectors.joining(",\n", "[", "]"));
  }

  /** One document, opened by {@code ---}, with the kind first. */
  public static String yaml(String kind, MessageOrBuilder message) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", kind);
    tree.putAll(tree(message));
    return dump(tree);
  }

  /** One document without a kind. */
  public static String yaml(MessageOrBuilder message) {
    return dump(tree(message));
  }

  private static String dump(Map<String, Object> tree) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setWidth(Integer.MAX_VALUE);
    options.setSplitLines(false);
    return "---\n" + new Yaml(options).dump(tree);
  }

  /** The time of a {@code google.protobuf.Timestamp}, of whatever class. */
  public static Instant instant(MessageOrBuilder timestamp) {
    long seconds = (long) timestamp.getField(field(timestamp, "seconds"));
    int nanos = (int) timestamp.getField(field(timestamp, "nanos"));
    return Instant.ofEpochSecond(seconds, nanos);
  }

  /** Whether the message is a {@code google.protobuf.Timestamp}. */
  public static boolean isTimestamp(Object value) {
    return value instanceof Message message
        && message.getDescriptorForType().getFullName().equals(TIMESTAMP);
  }

  private static FieldDescriptor field(MessageOrBuilder message, String name) {
    return message.getDescriptorForType().findFieldByName(name);
  }

  private static String print(JsonFormat.Printer printer, MessageOrBuilder message) {
    try {
      return printer.preservingProtoFieldNames().alwaysPrintFieldsWithNoPresence().print(message);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("the contract has no Any fields", e);
    }
  }

  private static Map<String, Object> tree(MessageOrBuilder message) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (!field.hasPresence() || message.hasField(field)) {
        tree.put(field.getName(), value(message.getField(field)));
      }
    }
    return tree;
  }

  private static Object value(Object value) {
    if (value instanceof List<?> list) {
      List<Object> values = new ArrayList<>();
      list.forEach(element -> values.add(value(element)));
      return values;
    }
    if (value instanceof EnumValueDescriptor constant) {
      return constant.getName();
    }
    if (value instanceof Message message) {
      return isTimestamp(message) ? instant(message).toString() : tree(message);
    }
    return value;
  }
}
