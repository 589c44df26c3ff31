package io.gatehouse.control.cli.apply;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.gatehouse.control.cli.resource.FieldPath;
import io.gatehouse.control.cli.resource.FieldSpec;
import io.gatehouse.control.cli.resource.FieldText;
import io.gatehouse.control.cli.resource.ResourceKind;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.config.ConfigException;
import io.gatehouse.runtime.config.YamlDocuments;
import io.gatehouse.runtime.config.YamlField;
import io.gatehouse.runtime.config.YamlMap;
import io.gatehouse.runtime.config.YamlReader;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads documents that declare resources, and puts them in an order in which they can be made. */
public final class ManifestReader {
  private static final int MAX_LIST = 1_000;
  private static final Map<String, ResourceKind> KINDS =
      ResourceKinds.ALL.stream().collect(Collectors.toMap(ResourceKind::name, kind -> kind));

  private final String source;
  private final Map<String, Integer> linesOfNames = new HashMap<>();

  private ManifestReader(String source) {
    this.source = source;
  }

  /**
   * Reads all documents.
   *
   * @param source what to call the stream in complaints
   * @throws ConfigException with every problem
   */
  public static List<Declared> read(String source, InputStream in) {
    YamlDocuments documents = YamlReader.readAll(source, in);
    ManifestReader reader = new ManifestReader(source);
    List<Declared> declared = new ArrayList<>();
    for (YamlMap map : documents.maps()) {
      reader.kind(map).flatMap(kind -> reader.resource(kind, map)).ifPresent(declared::add);
    }
    declared.sort(Comparator.comparingInt(d -> ResourceKinds.ALL.indexOf(d.kind())));
    return documents.finish(() -> List.copyOf(declared));
  }

  private Optional<ResourceKind> kind(YamlMap map) {
    Optional<String> word = given(map, "kind", map.choice("kind", KINDS.keySet()));
    if (word.isEmpty()) {
      map.skipOthers();
    }
    return word.map(KINDS::get);
  }

  private Optional<Declared> resource(ResourceKind kind, YamlMap map) {
    Optional<String> name = given(map, "name", map.value("name", kind.form()::parse));
    DynamicMessage.Builder resource = kind.named(name.orElse(""));
    List<FieldSpec> fields = new ArrayList<>();
    for (FieldSpec field : kind.fields()) {
      value(kind, field, map)
          .ifPresent(
              value -> {
                FieldPath.set(resource, field.path(), value);
                fields.add(field);
              });
    }
    String etag = map.text("etag").orElse("").get();
    map.skip(
        kind.type().getFields().stream()
            .map(FieldDescriptor::getName)
            .filter(field -> isOutputOnly(kind, field))
            .toList());
    name.ifPresent(full -> checkUnique(map, full));
    Declared.Place place = new Declared.Place(source, map.line());
    return name.map(full -> new Declared(kind, resource.build(), place, fields, etag));
  }

  private static Optional<?> value(ResourceKind kind, FieldSpec field, YamlMap root) {
    String[] path = field.path().split("\\.", -1);
    String key = path[path.length - 1];
    YamlMap map = root;
    for (int i = 0; i < path.length - 1; i++) {
      map = map.map(path[i]);
    }
    if (field.isList(kind.type())) {
      return map.has(key) ? Optional.of(elements(kind, field, map)) : Optional.empty();
    }
    if (field.field(kind.type()).isRepeated()) {
      return map.list(key, MAX_LIST, text -> field.parse(kind.type(), text)).optional().get();
    }
    return map.value(key, text -> field.parse(kind.type(), text)).optional().get();
  }

  /** Elements with fields of their own, as the contract names them. */
  private static List<Message> elements(ResourceKind kind, FieldSpec field, YamlMap map) {
    FieldDescriptor list = field.field(kind.type());
    List<Message> elements = new ArrayList<>();
    for (YamlMap given : map.maps(list.getName(), MAX_LIST)) {
      DynamicMessage.Builder element = DynamicMessage.newBuilder(list.getMessageType());
      for (FieldDescriptor part : list.getMessageType().getFields()) {
        given
            .value(part.getName(), text -> FieldText.parse(part, text))
            .optional()
            .get()
            .ifPresent(value -> element.setField(part, value));
      }
      try {
        elements.add(field.element(element.build()));
      } catch (InvalidValueException e) {
        given.problem(e.field(), e.reason());
      }
    }
    return elements;
  }

  /** What {@code get -o yaml} prints and nobody sets. */
  private static boolean isOutputOnly(ResourceKind kind, String field) {
    return !field.equals("name")
        && kind.fields().stream()
            .noneMatch(f -> f.path().equals(field) || f.path().startsWith(field + "."));
  }

  private static <T> Optional<T> given(YamlMap map, String key, YamlField<T> field) {
    if (!map.has(key)) {
      map.problem(key, "is missing");
    }
    return field.optional().get();
  }

  private void checkUnique(YamlMap map, String name) {
    Integer before = linesOfNames.putIfAbsent(name, map.line());
    if (before != null) {
      map.problem("name", name + " was declared before, in line " + before);
    }
  }
}
