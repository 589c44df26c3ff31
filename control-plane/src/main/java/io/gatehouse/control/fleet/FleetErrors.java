package io.gatehouse.control.fleet;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import io.gatehouse.model.net.InvalidValueException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** What callers of the fleet's service are told when there is no answer. */
final class FleetErrors {
  private FleetErrors() {}

  static StatusRuntimeException invalid(InvalidValueException complaint) {
    BadRequest.FieldViolation violation =
        BadRequest.FieldViolation.newBuilder()
            .setField(complaint.field())
            .setDescription(complaint.reason())
            .build();
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(Code.INVALID_ARGUMENT_VALUE)
            .setMessage(complaint.field() + ": " + complaint.reason())
            .addDetails(Any.pack(BadRequest.newBuilder().addFieldViolations(violation).build()))
            .build());
  }

  static StatusRuntimeException exhausted(String reason) {
    return Status.RESOURCE_EXHAUSTED.withDescription(reason).asRuntimeException();
  }
}
