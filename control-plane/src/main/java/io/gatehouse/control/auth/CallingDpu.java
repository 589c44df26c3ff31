package io.gatehouse.control.auth;

import io.gatehouse.model.name.DpuName;
import io.grpc.Context;
import io.grpc.Status;

/** The DPU that calls, by its certificate. */
public final class CallingDpu {
  /** Where the interceptor puts the DPU. */
  public static final Context.Key<DpuName> KEY = Context.key("gatehouse-dpu");

  private CallingDpu() {}

  /**
   * The DPU of the current call.
   *
   * @throws io.grpc.StatusRuntimeException UNAUTHENTICATED if the interceptor has put none
   */
  public static DpuName current() {
    DpuName dpu = KEY.get();
    if (dpu == null) {
      throw Status.UNAUTHENTICATED
          .withDescription("the call carries no DPU's certificate")
          .asRuntimeException();
    }
    return dpu;
  }
}
