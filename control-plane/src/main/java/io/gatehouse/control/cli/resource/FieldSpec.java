package io.gatehouse.control.cli.resource;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import io.gatehouse.model.net.InvalidValueException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A field that people set.
 *
 * @param path in the resource's message
 * @param flag on the command line
 * @param help one sentence
 * @param change how an update names it
 * @param canonical checks a text and writes it as the control plane would, so that equal values are
 *     equal texts
 */
public record FieldSpec(
    String path, String flag, String help, Change change, UnaryOperator<String> canonical) {

  /** How a field takes part in an update. */
  public enum Change {
    /** By its own path. */
    ALONE,
    /** Only together with all fields of its message. */
    WITH_PARENT,
    /** Never: it is set when the resource is created. */
    NEVER
  }

  /** A field that changes alone and whose text is taken as it is. */
  static FieldSpec of(String path, String flag, String help) {
    return new FieldSpec(path, flag, help, Change.ALONE, UnaryOperator.identity());
  }

  FieldSpec changing(Change other) {
    return new FieldSpec(path, flag, help, other, canonical);
  }

  /** The text may also be empty, which means "none". */
  FieldSpec written(UnaryOperator<String> form) {
    return new FieldSpec(
        path, flag, help, change, text -> text.isEmpty() ? text : form.apply(text));
  }

  /** What stands in the update mask for it. */
  public String maskPath() {
    return change == Change.WITH_PARENT ? path.substring(0, path.indexOf('.')) : path;
  }

  public FieldDescriptor field(Descriptor type) {
    return FieldPath.field(type, path);
  }

  /** Whether it is a list of messages: an element may then have commas, and a complaint a path. */
  public boolean isList(Descriptor type) {
    return field(type).isRepeated() && field(type).getJavaType() == JavaType.MESSAGE;
  }

  /**
   * Takes a whole element of a list of messages.
   *
   * @throws InvalidValueException with the path below the element
   */
  public Message element(Message given) {
    return ElementText.canonical(given);
  }

  /**
   * Reads one value, or one element of a list.
   *
   * @throws InvalidValueException with the field's path
   */
  public Object parse(Descriptor type, String text) {
    try {
      return FieldText.parse(field(type), canonical.apply(text));
    } catch (InvalidValueException e) {
      boolean deeper = isList(type) && !e.field().isEmpty();
      throw deeper ? e.within(path) : e.renamed(path);
    }
  }

  /** Sets the field from texts, of which there is one unless the field is a list. */
  public void set(Message.Builder resource, List<String> texts) {
    Descriptor type = resource.getDescriptorForType();
    if (field(type).isRepeated()) {
      List<Object> values =
          texts.stream().filter(t -> !t.isEmpty()).map(t -> parse(type, t)).toList();
      FieldPath.set(resource, path, values);
      return;
    }
    FieldPath.set(resource, path, parse(type, texts.get(texts.size() - 1)));
  }
}
