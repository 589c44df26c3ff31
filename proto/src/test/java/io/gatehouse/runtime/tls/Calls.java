package io.gatehouse.runtime.tls;

import io.gatehouse.proto.v1.GetTenantRequest;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.TimeUnit;

/** Calls of a service that nobody serves. */
final class Calls {
  private Calls() {}

  /** Whether the other side answered, if only to say that it knows no such service. */
  static boolean isAnswered(Channel channel) {
    try {
      TenantServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(10, TimeUnit.SECONDS)
          .getTenant(GetTenantRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() == Status.Code.UNIMPLEMENTED;
    }
    return true;
  }
}
