package io.gatehouse.control.cli.resource;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;

/** Reads and writes fields of messages by paths such as {@code quota.max_ports}. */
public final class FieldPath {
  private FieldPath() {}

  /** The field at the end of the path. */
  public static FieldDescriptor field(Descriptor type, String path) {
    Descriptor at = type;
    FieldDescriptor field = null;
    for (String part : path.split("\\.", -1)) {
      field = at.findFieldByName(part);
      if (field == null) {
        throw new IllegalArgumentException(at.getFullName() + " has no field " + part);
      }
      at = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE ? field.getMessageType() : at;
    }
    if (field == null) {
      throw new IllegalArgumentException("an empty path");
    }
    return field;
  }

  /** The value, which is the default one where a message on the way is not set. */
  public static Object get(MessageOrBuilder message, String path) {
    int dot = path.indexOf('.');
    if (dot < 0) {
      return message.getField(field(message.getDescriptorForType(), path));
    }
    FieldDescriptor first = field(message.getDescriptorForType(), path.substring(0, dot));
    return get((Message) message.getField(first), path.substring(dot + 1));
  }

  /** Whether the field is set; one without presence is, if its message is. */
  public static boolean has(MessageOrBuilder message, String path) {
    int dot = path.indexOf('.');
    FieldDescriptor first =
        field(message.getDescriptorForType(), dot < 0 ? path : path.substring(0, dot));
    boolean here = !first.hasPresence() || message.hasField(first);
    return here && (dot < 0 || has((Message) message.getField(first), path.substring(dot + 1)));
  }

  /** Sets the value, and with it the messages on the way. */
  public static void set(Message.Builder message, String path, Object value) {
    int dot = path.indexOf('.');
    if (dot < 0) {
      message.setField(field(message.getDescriptorForType(), path), value);
      return;
    }
    FieldDescriptor first = field(message.getDescriptorForType(), path.substring(0, dot));
    Message.Builder inner = ((Message) message.getField(first)).toBuilder();
    set(inner, path.substring(dot + 1), value);
    message.setField(first, inner.build());
  }
}
