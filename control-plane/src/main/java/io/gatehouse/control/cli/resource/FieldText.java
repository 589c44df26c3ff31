package io.gatehouse.control.cli.resource;

import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.model.net.InvalidValueException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Values of fields as people write and read them. Constants go without their type's prefix. */
public final class FieldText {
  private static final Pattern DECIMAL = Pattern.compile("0|[1-9][0-9]{0,8}");

  private FieldText() {}

  /** Reads one value of the field's type; a complaint has no field name. */
  public static Object parse(FieldDescriptor field, String text) {
    return switch (field.getJavaType()) {
      case STRING -> text;
      case INT -> number(text);
      case ENUM -> constant(field.getEnumType(), text);
      case MESSAGE -> ElementText.parse(field.getMessageType(), text);
      default -> throw new IllegalArgumentException(field.getFullName() + " has no text form");
    };
  }

  /** Writes a value; what is not set, zero or empty is empty. */
  public static String show(Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(FieldText::show).collect(Collectors.joining(", "));
    }
    if (value instanceof EnumValueDescriptor constant) {
      return constant.getNumber() == 0 ? "" : shortName(constant);
    }
    if (value instanceof Message message && Messages.isTimestamp(message)) {
      return Messages.instant(message).toString();
    }
    if (value instanceof Message message && ElementText.has(message.getDescriptorForType())) {
      return ElementText.show(message);
    }
    if (value instanceof Boolean flag) {
      return flag ? "yes" : "no";
    }
    return value instanceof Number number && number.longValue() == 0 ? "" : value.toString();
  }

  /** The words for a field of constants, without the one that means "not given". */
  public static String words(EnumDescriptor type) {
    return type.getValues().stream()
        .filter(constant -> constant.getNumber() != 0)
        .map(FieldText::shortName)
        .collect(Collectors.joining(", "));
  }

  private static Object number(String text) {
    if (!DECIMAL.matcher(text).matches()) {
      throw new InvalidValueException("", text, "is not a decimal integer");
    }
    return Integer.parseInt(text);
  }

  private static EnumValueDescriptor constant(EnumDescriptor type, String text) {
    String word = text.toUpperCase(Locale.ROOT).replace('-', '_');
    EnumValueDescriptor constant = type.findValueByName(word);
    if (constant == null) {
      constant = type.findValueByName(prefix(type) + word);
    }
    if (constant == null || constant.getNumber() == 0) {
      throw new InvalidValueException("", text, "is none of " + words(type));
    }
    return constant;
  }

  private static String shortName(EnumValueDescriptor constant) {
    String prefix = prefix(constant.getType());
    String name = constant.getName();
    return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
  }

  /** {@code PortAdminState} gives {@code PORT_ADMIN_STATE_}. */
  private static String prefix(EnumDescriptor type) {
    return type.getName().replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT) + "_";
  }
}
