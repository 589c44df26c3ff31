package io.gatehouse.control.cli.command;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.gatehouse.control.cli.resource.FieldPath;
import io.gatehouse.control.cli.resource.FieldSpec;
import io.gatehouse.control.cli.resource.FieldSpec.Change;
import io.gatehouse.control.cli.resource.ResourceClient;
import io.gatehouse.control.cli.resource.ResourceClient.Changed;
import io.gatehouse.control.cli.resource.ResourceClient.Guard;
import io.gatehouse.control.cli.resource.ResourceKind;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.model.net.InvalidValueException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** What the five commands of one kind do. */
final class ResourceActions {
  static final String REQUEST_ID = "--request-id";
  static final String ETAG = "--etag";
  static final String FILTER = "--filter";

  private final ResourceKind kind;

  ResourceActions(ResourceKind kind) {
    this.kind = kind;
  }

  ExitCode create(Arguments arguments, Session session) {
    String name = name(arguments);
    DynamicMessage.Builder resource = kind.named(name);
    setGiven(kind.fields(), arguments, resource);
    Changed changed = client(session).create(resource.build(), guard(arguments));
    return new ChangeOutput(session, arguments)
        .tell(
            "created",
            kind,
            name,
            changed,
            () -> new ChangeScopes(session).changed(kind, name, Optional.empty()));
  }

  ExitCode get(Arguments arguments, Session session) {
    ResourceOutput.one(session, kind, client(session).get(name(arguments)));
    return ExitCode.OK;
  }

  ExitCode list(Arguments arguments, Session session) {
    String owner = kind.form().parentLevels() > 0 ? arguments.optional(0).orElse("") : "";
    String parent = arguments.parse("OWNER", owner, kind.form()::parent);
    List<Message> resources = client(session).list(parent, arguments.text(FILTER).orElse(""));
    ResourceOutput.many(session, kind, resources);
    return ExitCode.OK;
  }

  ExitCode update(Arguments arguments, Session session) {
    String name = name(arguments);
    List<FieldSpec> given =
        changeable().stream().filter(field -> arguments.given(field.flag())).toList();
    if (given.isEmpty()) {
      String flags = changeable().stream().map(FieldSpec::flag).collect(Collectors.joining(", "));
      throw new CliException(ExitCode.USAGE, "nothing to change: give at least one of " + flags);
    }
    ChangeOutput output = new ChangeOutput(session, arguments);
    boolean partly = given.stream().anyMatch(field -> field.change() == Change.WITH_PARENT);
    Optional<Message> before =
        partly || output.waits() ? Optional.of(client(session).get(name)) : Optional.empty();
    DynamicMessage.Builder resource = kind.named(name);
    before.ifPresent(current -> copyParents(given, current, resource));
    setGiven(given, arguments, resource);
    Set<String> mask = new LinkedHashSet<>();
    given.forEach(field -> mask.add(field.maskPath()));
    Guard guard = guard(arguments);
    if (partly && guard.etag().isEmpty()) {
      guard = guard.onEtag(before.map(current -> text(current, "etag")).orElse(""));
    }
    Changed changed = client(session).update(resource.build(), mask, guard);
    return output.tell(
        "updated",
        kind,
        name,
        changed,
        () -> new ChangeScopes(session).changed(kind, name, before));
  }

  ExitCode delete(Arguments arguments, Session session) {
    String name = name(arguments);
    ChangeOutput output = new ChangeOutput(session, arguments);
    Optional<Message> before = output.waits() ? client(session).find(name) : Optional.empty();
    Changed changed = client(session).delete(name, guard(arguments));
    return output.tell(
        "deleted",
        kind,
        name,
        changed,
        () -> new ChangeScopes(session).deleted(kind, name, before));
  }

  /** What the update replaces as a whole is first filled with what is there. */
  private static void copyParents(
      List<FieldSpec> given, Message current, DynamicMessage.Builder resource) {
    for (FieldSpec field : given) {
      if (field.change() == Change.WITH_PARENT) {
        FieldPath.set(resource, field.maskPath(), FieldPath.get(current, field.maskPath()));
      }
    }
  }

  private void setGiven(
      List<FieldSpec> fields, Arguments arguments, DynamicMessage.Builder resource) {
    for (FieldSpec field : fields) {
      if (arguments.given(field.flag())) {
        List<String> texts =
            field.field(kind.type()).isRepeated()
                ? arguments.texts(field.flag())
                : List.of(arguments.text(field.flag()).orElse(""));
        set(field, resource, texts);
      }
    }
  }

  /** A complaint names the field as the control plane's would. */
  private void set(FieldSpec field, DynamicMessage.Builder resource, List<String> texts) {
    try {
      field.set(resource, texts);
    } catch (InvalidValueException e) {
      throw e.within(kind.field());
    }
  }

  List<FieldSpec> changeable() {
    return kind.fields().stream().filter(field -> field.change() != Change.NEVER).toList();
  }

  private String name(Arguments arguments) {
    return arguments.parse(kind.form().shape(), arguments.required(0), kind.form()::parse);
  }

  private static Guard guard(Arguments arguments) {
    return new Guard(requestId(arguments), arguments.text(ETAG).orElse(""));
  }

  /** The id that was given, or a fresh one. */
  static String requestId(Arguments arguments) {
    return arguments.text(REQUEST_ID).orElseGet(() -> UUID.randomUUID().toString());
  }

  private static String text(Message resource, String path) {
    return (String) FieldPath.get(resource, path);
  }

  private ResourceClient client(Session session) {
    return new ResourceClient(session, kind);
  }
}
