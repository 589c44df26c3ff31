package io.gatehouse.control.publish;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.InvalidValueException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** Why the control plane ends an agent's stream. */
final class StreamEnd {
  private StreamEnd() {}

  /** The agent's fault: names the field. */
  static StatusRuntimeException invalid(InvalidValueException complaint) {
    BadRequest details =
        BadRequest.newBuilder()
            .addFieldViolations(
                BadRequest.FieldViolation.newBuilder()
                    .setField(complaint.field())
                    .setDescription(complaint.reason()))
            .build();
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(Code.INVALID_ARGUMENT_VALUE)
            .setMessage(String.valueOf(complaint.getMessage()))
            .addDetails(Any.pack(details))
            .build());
  }

  static StatusRuntimeException notRegistered(DpuName dpu) {
    return Status.NOT_FOUND.withDescription(dpu + " is not registered").asRuntimeException();
  }

  /** Another stream of the same DPU has taken over. */
  static StatusRuntimeException replaced(DpuName dpu) {
    return Status.ABORTED
        .withDescription(dpu + " has opened another stream; this one is out of date")
        .asRuntimeException();
  }

  /** The agent and the control plane do not come to the same set, however often it is sent. */
  static StatusRuntimeException noAgreement(DpuName dpu) {
    return Status.ABORTED
        .withDescription(dpu + " keeps refusing the policy; it is sent anew on the next stream")
        .asRuntimeException();
  }

  static StatusRuntimeException stuck(DpuName dpu) {
    return Status.UNAVAILABLE
        .withDescription(dpu + " takes no more of its policy; others wait for the slot")
        .asRuntimeException();
  }

  static StatusRuntimeException silent(DpuName dpu) {
    return Status.DEADLINE_EXCEEDED
        .withDescription(dpu + " has opened a stream and said no Hello")
        .asRuntimeException();
  }

  static StatusRuntimeException shutdown() {
    return Status.UNAVAILABLE
        .withDescription("this control plane is stopping; connect to another one")
        .asRuntimeException();
  }

  static StatusRuntimeException unavailable(String why) {
    return Status.UNAVAILABLE.withDescription(why).asRuntimeException();
  }
}
