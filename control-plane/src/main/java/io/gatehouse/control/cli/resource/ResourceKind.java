package io.gatehouse.control.cli.resource;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Locale;

/**
 * A kind of resource.
 *
 * @param name as in the contract, such as {@code Tenant}
 * @param file where the contract defines it and its service
 * @param form of its names
 * @param fields that people set, in the order of help and output
 * @param columns of its table, after the name
 * @param example a name for help
 */
public record ResourceKind(
    String name,
    FileDescriptor file,
    NameForm form,
    List<FieldSpec> fields,
    List<Column> columns,
    String example) {

  /** The contract's word, such as {@code security_group}. */
  public String field() {
    return name.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
  }

  /** The command's word, such as {@code security-group}. */
  public String word() {
    return field().replace('_', '-');
  }

  /** The word in a sentence. */
  public String noun() {
    return name.equals("Dpu") ? "DPU" : field().replace('_', ' ');
  }

  public Descriptor type() {
    return file.findMessageTypeByName(name);
  }

  /** An empty message of this kind with a full name. */
  public DynamicMessage.Builder named(String fullName) {
    DynamicMessage.Builder resource = DynamicMessage.newBuilder(type());
    FieldPath.set(resource, "name", fullName);
    return resource;
  }

  public String nameOf(Message resource) {
    return (String) FieldPath.get(resource, "name");
  }

  public String shortNameOf(Message resource) {
    return form.shorten(nameOf(resource));
  }
}
