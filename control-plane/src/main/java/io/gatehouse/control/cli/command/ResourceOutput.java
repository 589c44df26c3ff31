package io.gatehouse.control.cli.command;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.gatehouse.control.cli.output.FieldList;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.RelativeTime;
import io.gatehouse.control.cli.output.Table;
import io.gatehouse.control.cli.resource.FieldText;
import io.gatehouse.control.cli.resource.ResourceKind;
import io.gatehouse.control.cli.session.Session;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Prints resources in the form that was asked for. */
final class ResourceOutput {
  private ResourceOutput() {}

  static void one(Session session, ResourceKind kind, Message resource) {
    PrintStream out = session.out();
    switch (session.format()) {
      case JSON -> out.println(Messages.json(resource));
      case YAML -> out.print(Messages.yaml(kind.name(), resource));
      case TABLE -> out.print(details(resource, session.now()));
    }
  }

  static void many(Session session, ResourceKind kind, List<Message> resources) {
    PrintStream out = session.out();
    switch (session.format()) {
      case JSON -> out.println(Messages.jsonArray(resources));
      case YAML -> resources.forEach(r -> out.print(Messages.yaml(kind.name(), r)));
      case TABLE -> out.print(table(kind, resources, session.now()));
    }
  }

  private static Table table(ResourceKind kind, List<Message> resources, Instant now) {
    List<String> header = new ArrayList<>(List.of("NAME"));
    kind.columns().forEach(column -> header.add(column.header()));
    Table table = new Table(header);
    for (Message resource : resources) {
      List<String> row = new ArrayList<>(List.of(kind.shortNameOf(resource)));
      kind.columns().forEach(column -> row.add(column.cell().apply(resource, now)));
      table.row(row);
    }
    return table;
  }

  private static FieldList details(Message resource, Instant now) {
    FieldList details = new FieldList();
    addFields(details, "", resource, now);
    return details;
  }

  private static void addFields(FieldList details, String prefix, Message message, Instant now) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      String label = prefix + field.getName();
      Object value = message.getField(field);
      if (field.isRepeated() && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        int index = 0;
        for (Object element : (List<?>) value) {
          details.add(label + "[" + index++ + "]", element((Message) element));
        }
        continue;
      }
      boolean set = !field.hasPresence() || message.hasField(field);
      if (value instanceof Message inner && !Messages.isTimestamp(inner)) {
        addFields(details, label + ".", inner, now);
        continue;
      }
      details.add(label, set ? text(value, now) : "");
    }
  }

  private static String text(Object value, Instant now) {
    return value instanceof Message time
        ? RelativeTime.format(Messages.instant(time), now)
        : FieldText.show(value);
  }

  private static String element(Message element) {
    String text = FieldText.show(element);
    return text.isEmpty() ? words(element) : text;
  }

  /** A small message in one line, such as {@code OPENFLOW FAILED no connection}. */
  private static String words(Message message) {
    List<String> words = new ArrayList<>();
    message.getAllFields().values().forEach(value -> words.add(FieldText.show(value)));
    return String.join(" ", words);
  }
}
