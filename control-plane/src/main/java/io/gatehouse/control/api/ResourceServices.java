package io.gatehouse.control.api;

import io.gatehouse.control.api.peering.PeeringService;
import io.gatehouse.control.api.security.QuarantineService;
import io.gatehouse.control.api.security.SecurityGroupService;
import io.gatehouse.control.sequencer.Sequencer;
import io.grpc.BindableService;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;

/** All services of this package, ready for a gRPC server. */
public final class ResourceServices {
  private ResourceServices() {}

  /**
   * Builds the services.
   *
   * @param answering where answers to changes are built; the server's own executor will do
   */
  public static List<BindableService> of(
      Sequencer sequencer, StatusSource status, PortExplainer explainer, Executor answering) {
    Calls calls = new Calls(sequencer, InstantSource.system(), answering);
    PortRequests portRequests = new PortRequests(calls, status, UUID::randomUUID);
    return List.of(
        new TenantService(calls),
        new NetworkService(calls),
        new PortService(calls, portRequests, status, explainer),
        new DpuService(calls, status),
        new OperatorService(calls),
        new SecurityGroupService(calls),
        new PeeringService(calls),
        new QuarantineService(calls));
  }
}
