package io.gatehouse.control.cli.apply;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.gatehouse.control.cli.resource.FieldPath;
import io.gatehouse.control.cli.resource.FieldSpec;
import io.gatehouse.control.cli.resource.FieldSpec.Change;
import io.gatehouse.control.cli.resource.ResourceClient;
import io.gatehouse.control.cli.resource.ResourceClient.Guard;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Does one step. An update depends on the state that the step was planned from. */
public final class Applier {
  private static final String RULES = "rules";

  private Applier() {}

  /**
   * Calls, if there is something to do.
   *
   * @return revision of the change; 0 if there was nothing to do
   */
  public static long apply(Session session, Step step) {
    Declared declared = step.declared();
    ResourceClient client = new ResourceClient(session, declared.kind());
    return switch (step.kind()) {
      case CREATE -> create(client, declared);
      case UPDATE -> update(client, step, step.before().orElseThrow());
      case NONE -> 0;
    };
  }

  /**
   * Makes the security groups that are not there yet, without rules, so that the rules of all may
   * name them; without rules they allow nothing. The steps themselves then give them their rules.
   */
  public static void prepare(Session session, List<Step> steps) {
    for (Step step : steps) {
      Declared declared = step.declared();
      if (step.kind() == Step.Kind.CREATE && isGroup(declared)) {
        ResourceClient client = new ResourceClient(session, declared.kind());
        client.create(without(declared.resource(), RULES), Guard.fresh());
      }
    }
  }

  private static long create(ResourceClient client, Declared declared) {
    return isGroup(declared)
        ? client.update(declared.resource(), Set.of(RULES), Guard.fresh()).revision()
        : client.create(declared.resource(), Guard.fresh()).revision();
  }

  private static boolean isGroup(Declared declared) {
    return declared.kind().equals(ResourceKinds.SECURITY_GROUP);
  }

  private static Message without(Message resource, String field) {
    return resource.toBuilder()
        .clearField(FieldPath.field(resource.getDescriptorForType(), field))
        .build();
  }

  private static long update(ResourceClient client, Step step, Message before) {
    Declared declared = step.declared();
    DynamicMessage.Builder resource = declared.kind().named(declared.name());
    Set<String> mask = new LinkedHashSet<>();
    for (FieldChange change : step.changes()) {
      FieldSpec field = change.field();
      if (field.change() == Change.WITH_PARENT && mask.add(field.maskPath())) {
        FieldPath.set(resource, field.maskPath(), FieldPath.get(before, field.maskPath()));
      }
      FieldPath.set(resource, field.path(), FieldPath.get(declared.resource(), field.path()));
      mask.add(field.maskPath());
    }
    String etag =
        declared.etag().isEmpty() ? (String) FieldPath.get(before, "etag") : declared.etag();
    return client.update(resource.build(), mask, Guard.fresh().onEtag(etag)).revision();
  }
}
