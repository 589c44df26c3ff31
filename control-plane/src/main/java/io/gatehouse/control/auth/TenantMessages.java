package io.gatehouse.control.auth;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.proto.v1.Laggard;
import io.gatehouse.proto.v1.Peering;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Messages as one tenant may send and see them: its own names only. Pure.
 *
 * <p>In a request every name, parent, target and scope must lie below the tenant; the wildcard
 * {@code tenants/-} and an empty scope or parent become the tenant itself. In an answer the name of
 * anything of another tenant is blotted out, wherever it stands: a second line behind the services,
 * which should put none there. The one name that stays is the peer of an own peering: the tenant
 * has given it.
 */
final class TenantMessages {
  private static final String ROOT = "tenants/";
  private static final String WILDCARD = "tenants/-";
  private static final String SCOPE = "scope";
  private static final Set<String> TOP = Set.of("name", "parent", "target", SCOPE);
  private static final Pattern FOREIGN =
      Pattern.compile("tenants/([a-z][a-z0-9-]*)(?:/[a-zA-Z]+/[a-z0-9-]+)*");
  private static final String BLOTTED = "something of another tenant";

  /** What a DPU says of itself may be about any tenant. */
  private static final String BEHIND = "it has not confirmed its newest policy yet";

  /** Requests that name nothing: what they answer is narrowed by the service itself. */
  private static final Set<String> NAMELESS =
      Set.of(
          "gatehouse.v1.ListTenantsRequest",
          "gatehouse.v1.WatchChangesRequest",
          "gatehouse.v1.RenewCertificateRequest",
          "gatehouse.v1.GetTrustBundleRequest",
          "grpc.health.v1.HealthCheckRequest");

  private final String own;

  TenantMessages(TenantName tenant) {
    this.own = tenant.toString();
  }

  /** A request that names what is not the tenant's. */
  static final class ForeignNameException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final String name;

    ForeignNameException(String field, String name) {
      super(field);
      this.field = field;
      this.name = name;
    }

    /** Path of the field. */
    String field() {
      return field;
    }

    /** The name, cut to a sane length. */
    String name() {
      return name;
    }
  }

  /**
   * The request, bound to the tenant.
   *
   * @throws ForeignNameException if it names something else, or nothing where a name is needed
   */
  Message narrowed(Message request) throws ForeignNameException {
    if (NAMELESS.contains(request.getDescriptorForType().getFullName())) {
      return request;
    }
    Message.Builder narrowed = request.toBuilder();
    boolean named = false;
    for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
      if (isText(field) && TOP.contains(field.getName())) {
        narrowed.setField(field, name("", field, (String) request.getField(field)));
        named = true;
      }
      Optional<FieldDescriptor> inner = nameOf(field);
      if (inner.isPresent()) {
        Message resource = (Message) request.getField(field);
        name(field.getName() + ".", inner.get(), (String) resource.getField(inner.get()));
        named = true;
      }
    }
    if (!named) {
      throw new ForeignNameException("name", "");
    }
    return narrowed.build();
  }

  /** The answer without names of others; the same object if there are none. */
  Message blotted(Message answer) {
    if (answer instanceof Laggard laggard) {
      return laggard.toBuilder().setReason(BEHIND).build();
    }
    boolean ownPeering = answer instanceof Peering peering && isOwn(peering.getName());
    Message.Builder builder = answer.toBuilder();
    boolean changed = false;
    for (var entry : answer.getAllFields().entrySet()) {
      Object value = entry.getValue();
      boolean given = ownPeering && entry.getKey().getNumber() == Peering.PEER_NETWORK_FIELD_NUMBER;
      Object shown = entry.getKey().isMapField() || given ? value : blottedValue(value);
      if (shown != value) {
        builder.setField(entry.getKey(), shown);
        changed = true;
      }
    }
    return changed ? builder.build() : answer;
  }

  /** The text without names of others; the same object if there are none. */
  String blotted(String text) {
    if (!text.contains(ROOT)) {
      return text;
    }
    String shown = FOREIGN.matcher(text).replaceAll(this::blotted);
    return shown.equals(text) ? text : shown;
  }

  private String blotted(MatchResult match) {
    return own.equals(ROOT + match.group(1)) ? match.group() : BLOTTED;
  }

  private Object blottedValue(Object value) {
    if (value instanceof String text) {
      return blotted(text);
    }
    if (value instanceof Message inner) {
      return blotted(inner);
    }
    if (value instanceof List<?> list) {
      List<Object> shown = list.stream().<Object>map(this::blottedValue).toList();
      for (int i = 0; i < shown.size(); i++) {
        if (shown.get(i) != list.get(i)) {
          return shown;
        }
      }
    }
    return value;
  }

  private String name(String path, FieldDescriptor field, String given)
      throws ForeignNameException {
    String narrowed = given;
    boolean parent = path.isEmpty() && field.getName().equals("parent");
    if (parent && given.isEmpty()) {
      narrowed = own;
    }
    if (parent && (given.equals(WILDCARD) || given.startsWith(WILDCARD + "/"))) {
      narrowed = own + given.substring(WILDCARD.length());
    }
    if (path.isEmpty() && field.getName().equals(SCOPE) && given.isEmpty()) {
      narrowed = own;
    }
    if (!isOwn(narrowed)) {
      throw new ForeignNameException(path + field.getName(), given);
    }
    return narrowed;
  }

  private boolean isOwn(String name) {
    return name.equals(own) || name.startsWith(own + "/");
  }

  private static boolean isText(FieldDescriptor field) {
    return field.getJavaType() == JavaType.STRING && !field.isRepeated();
  }

  /** The name in the resource that a request carries, if the field is one. */
  private static Optional<FieldDescriptor> nameOf(FieldDescriptor field) {
    if (field.getJavaType() != JavaType.MESSAGE || field.isRepeated()) {
      return Optional.empty();
    }
    return Optional.ofNullable(field.getMessageType().findFieldByName("name"))
        .filter(TenantMessages::isText);
  }
}
