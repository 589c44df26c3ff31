package io.gatehouse.control.cli;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.FieldMaskUtil;
import com.google.rpc.BadRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Resources of all kinds in memory, by name, with the contract's rules for names and etags. */
final class FakeStore {
  static final Timestamp NOW = Timestamp.newBuilder().setSeconds(1_785_578_400).build();

  private final TreeMap<String, Message> resources = new TreeMap<>();
  private final Map<String, Written> answered = new HashMap<>();
  private long revision;

  /** A change that was made. */
  record Written(Message resource, long revision) {}

  synchronized long revision() {
    return revision;
  }

  synchronized Written create(Message given, String requestId, UnaryOperator<Message> fill) {
    String name = name(given);
    Written before = repeated(requestId);
    if (before != null) {
      return before;
    }
    if (resources.containsKey(name)) {
      throw Status.ALREADY_EXISTS.withDescription(name + " exists").asRuntimeException();
    }
    String parent = parent(name);
    if (!parent.isEmpty() && !resources.containsKey(parent)) {
      throw Status.NOT_FOUND.withDescription(parent + " does not exist").asRuntimeException();
    }
    Message stored = set(set(fill.apply(given), "create_time", NOW), "update_time", NOW);
    return write(requestId, stored);
  }

  synchronized Message get(String name) {
    return find(name)
        .orElseThrow(
            () -> Status.NOT_FOUND.withDescription(name + " does not exist").asRuntimeException());
  }

  synchronized Optional<Message> find(String name) {
    return Optional.ofNullable(resources.get(name));
  }

  /** Names of a collection, such as {@code tenants/-/networks}. */
  synchronized List<Message> list(String pattern) {
    String regex = pattern.replace("/-", "/[^/]+") + "/[^/]+";
    List<Message> found = new ArrayList<>();
    resources.forEach(
        (name, resource) -> {
          if (name.matches(regex)) {
            found.add(resource);
          }
        });
    return found;
  }

  synchronized Written update(
      Message given, FieldMask mask, String requestId, Set<String> allowed) {
    Written before = repeated(requestId);
    if (before != null) {
      return before;
    }
    if (mask.getPathsCount() == 0) {
      throw invalid("update_mask", "is empty");
    }
    for (String path : mask.getPathsList()) {
      if (!allowed.contains(path)) {
        throw invalid("update_mask", path + " cannot be changed");
      }
    }
    Message current = get(name(given));
    checkEtag(current, text(given, "etag"));
    Message.Builder merged = current.toBuilder();
    FieldMaskUtil.merge(
        mask,
        given,
        merged,
        new FieldMaskUtil.MergeOptions()
            .setReplaceRepeatedFields(true)
            .setReplaceMessageFields(true)
            .setReplacePrimitiveFields(true));
    return write(requestId, merged.build());
  }

  synchronized long delete(String name, String etag, String requestId) {
    Written before = repeated(requestId);
    if (before != null) {
      return before.revision();
    }
    Message gone = get(name);
    checkEtag(gone, etag);
    if (resources.keySet().stream().anyMatch(other -> other.startsWith(name + "/"))) {
      throw Status.FAILED_PRECONDITION.withDescription(name + " owns others").asRuntimeException();
    }
    resources.remove(name);
    revision++;
    answered.put(requestId, new Written(gone, revision));
    return revision;
  }

  /** Changes what the control plane itself sets. */
  synchronized void amend(String name, UnaryOperator<Message> change) {
    resources.put(name, change.apply(get(name)));
  }

  static StatusRuntimeException invalid(String... fieldsAndReasons) {
    BadRequest.Builder details = BadRequest.newBuilder();
    for (int i = 0; i < fieldsAndReasons.length; i += 2) {
      details
          .addFieldViolationsBuilder()
          .setField(fieldsAndReasons[i])
          .setDescription(fieldsAndReasons[i + 1]);
    }
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(Status.Code.INVALID_ARGUMENT.value())
            .setMessage("the request is not valid")
            .addDetails(Any.pack(details.build()))
            .build());
  }

  static Message set(Message message, String field, Object value) {
    return message.toBuilder().setField(field(message, field), value).build();
  }

  private Written write(String requestId, Message resource) {
    revision++;
    Message stored = set(resource, "etag", "e" + revision);
    resources.put(name(stored), stored);
    Written written = new Written(stored, revision);
    answered.put(requestId, written);
    return written;
  }

  private @Nullable Written repeated(String requestId) {
    try {
      UUID.fromString(requestId);
    } catch (IllegalArgumentException e) {
      throw invalid("request_id", requestId + " is not a UUID");
    }
    return answered.get(requestId);
  }

  private static void checkEtag(Message current, String etag) {
    if (!etag.isEmpty() && !etag.equals(text(current, "etag"))) {
      throw Status.ABORTED
          .withDescription("etag: " + etag + " is not current")
          .asRuntimeException();
    }
  }

  private static String parent(String name) {
    String[] parts = name.split("/", -1);
    return parts.length == 2
        ? ""
        : name.substring(0, name.lastIndexOf('/', name.lastIndexOf('/') - 1));
  }

  private static String name(Message resource) {
    return text(resource, "name");
  }

  private static String text(Message message, String field) {
    return (String) message.getField(field(message, field));
  }

  private static FieldDescriptor field(Message message, String name) {
    return message.getDescriptorForType().findFieldByName(name);
  }
}
