package io.gatehouse.control.api;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import com.google.rpc.Status;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.sequencer.UnavailableException;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.Failures;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What callers are told of a failure: a code, a sentence, and the path of the field to blame. Of a
 * bug they are told an id that is also in the log, and nothing else.
 */
public final class StatusErrors {
  private static final Logger LOG = LoggerFactory.getLogger(StatusErrors.class);

  /** Fields that every request has itself, beside the resource. */
  private static final Set<String> OF_REQUEST = Set.of("request_id", "update_mask");

  private StatusErrors() {}

  /**
   * The status for a failure.
   *
   * @param resource field of the request that holds the resource; empty if the request is flat
   */
  public static StatusRuntimeException of(Throwable failure, String resource) {
    return ofCause(Failures.cause(failure), resource);
  }

  private static StatusRuntimeException ofCause(Throwable failure, String resource) {
    if (failure instanceof InvalidValueException invalid) {
      return status(Code.INVALID_ARGUMENT, path(resource, invalid.field()), invalid.reason());
    }
    if (failure instanceof RefusedException refused) {
      return status(code(refused.kind()), path(resource, refused.field()), refused.reason());
    }
    if (failure instanceof UnavailableException unavailable) {
      return status(Code.UNAVAILABLE, "", String.valueOf(unavailable.getMessage()));
    }
    String id = UUID.randomUUID().toString();
    LOG.error("internal error {}", id, failure);
    return status(Code.INTERNAL, "", "internal error " + id + ": the control plane's log has more");
  }

  private static Code code(RefusedException.Kind kind) {
    return switch (kind) {
      case INVALID_ARGUMENT -> Code.INVALID_ARGUMENT;
      case NOT_FOUND -> Code.NOT_FOUND;
      case ALREADY_EXISTS -> Code.ALREADY_EXISTS;
      case FAILED_PRECONDITION -> Code.FAILED_PRECONDITION;
      case RESOURCE_EXHAUSTED -> Code.RESOURCE_EXHAUSTED;
      case PERMISSION_DENIED -> Code.PERMISSION_DENIED;
      case ABORTED -> Code.ABORTED;
    };
  }

  private static String path(String resource, String field) {
    boolean whole = resource.isEmpty() || field.isEmpty() || OF_REQUEST.contains(field);
    return whole ? field : resource + "." + field;
  }

  private static StatusRuntimeException status(Code code, String field, String reason) {
    Status.Builder status = Status.newBuilder().setCode(code.getNumber());
    if (field.isEmpty()) {
      return StatusProto.toStatusRuntimeException(status.setMessage(reason).build());
    }
    BadRequest detail =
        BadRequest.newBuilder()
            .addFieldViolations(
                BadRequest.FieldViolation.newBuilder().setField(field).setDescription(reason))
            .build();
    return StatusProto.toStatusRuntimeException(
        status.setMessage(field + ": " + reason).addDetails(Any.pack(detail)).build());
  }
}
