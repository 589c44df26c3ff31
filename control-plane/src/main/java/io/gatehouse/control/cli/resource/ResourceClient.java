package io.gatehouse.control.cli.resource;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import io.gatehouse.control.cli.session.Session;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The standard methods of any kind. The contract names requests, fields and methods alike for all
 * kinds, so that one piece of code serves them.
 */
public final class ResourceClient {
  private static final int PAGE_SIZE = 500;

  private final Session session;
  private final ResourceKind kind;

  public ResourceClient(Session session, ResourceKind kind) {
    this.session = session;
    this.kind = kind;
  }

  /**
   * What a change led to.
   *
   * @param answer of the contract, such as {@code CreatePortResponse}
   * @param revision that holds the change
   */
  public record Changed(Message answer, long revision) {}

  /** Who makes the change: an id that makes it safe to repeat, and the state that it depends on. */
  public record Guard(String requestId, String etag) {
    /** A fresh id, and no condition. */
    public static Guard fresh() {
      return new Guard(UUID.randomUUID().toString(), "");
    }

    public Guard onEtag(String current) {
      return new Guard(requestId, current);
    }
  }

  public Changed create(Message resource, Guard guard) {
    Method method = method("Create");
    Message.Builder request = method.request();
    set(request, kind.field(), resource);
    set(request, "request_id", guard.requestId());
    return changed(method.call(session, request));
  }

  public Message get(String name) {
    Method method = method("Get");
    Message.Builder request = method.request();
    set(request, "name", name);
    return (Message) FieldPath.get(method.call(session, request), kind.field());
  }

  /** As {@link #get}, or nothing if there is none. */
  public Optional<Message> find(String name) {
    try {
      return Optional.of(get(name));
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * All pages.
   *
   * @param parent empty for a kind without one
   * @param filter as in the contract; empty for all
   */
  public List<Message> list(String parent, String filter) {
    Method method = method("List");
    List<Message> resources = new ArrayList<>();
    String token = "";
    do {
      Message.Builder request = method.request();
      if (!parent.isEmpty()) {
        set(request, "parent", parent);
      }
      set(request, "filter", filter);
      set(request, "page_size", PAGE_SIZE);
      set(request, "page_token", token);
      Message page = method.call(session, request);
      for (Object resource : (List<?>) FieldPath.get(page, kind.field() + "s")) {
        resources.add((Message) resource);
      }
      token = (String) FieldPath.get(page, "next_page_token");
    } while (!token.isEmpty());
    return resources;
  }

  public Changed update(Message resource, Set<String> mask, Guard guard) {
    Method method = method("Update");
    Message.Builder request = method.request();
    set(request, kind.field(), withEtag(resource, guard.etag()));
    FieldDescriptor maskField = FieldPath.field(request.getDescriptorForType(), "update_mask");
    request.setField(
        maskField,
        DynamicMessage.newBuilder(maskField.getMessageType())
            .setField(
                maskField.getMessageType().findFieldByNumber(FieldMask.PATHS_FIELD_NUMBER),
                List.copyOf(mask))
            .build());
    set(request, "request_id", guard.requestId());
    return changed(method.call(session, request));
  }

  public Changed delete(String name, Guard guard) {
    Method method = method("Delete");
    Message.Builder request = method.request();
    set(request, "name", name);
    set(request, "etag", guard.etag());
    set(request, "request_id", guard.requestId());
    return changed(method.call(session, request));
  }

  private static Message withEtag(Message resource, String etag) {
    Message.Builder changed = resource.toBuilder();
    FieldPath.set(changed, "etag", etag);
    return changed.build();
  }

  private static Changed changed(Message answer) {
    return new Changed(answer, (long) FieldPath.get(answer, "revision"));
  }

  private static void set(Message.Builder request, String field, Object value) {
    FieldPath.set(request, field, value);
  }

  private Method method(String verb) {
    ServiceDescriptor service = kind.file().findServiceByName(kind.name() + "Service");
    String name = verb + kind.name() + (verb.equals("List") ? "s" : "");
    var method = service.findMethodByName(name);
    return new Method(
        MethodDescriptor.generateFullMethodName(service.getFullName(), name),
        method.getInputType(),
        method.getOutputType());
  }

  /** One method of the contract, by its description. */
  private record Method(String fullName, Descriptor input, Descriptor output) {
    Message.Builder request() {
      return DynamicMessage.newBuilder(input);
    }

    Message call(Session session, Message.Builder request) {
      MethodDescriptor<Message, Message> method =
          MethodDescriptor.<Message, Message>newBuilder()
              .setType(MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(fullName)
              .setRequestMarshaller(ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(input)))
              .setResponseMarshaller(
                  ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(output)))
              .build();
      return session.call(method, request.build());
    }
  }
}
