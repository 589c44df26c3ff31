package io.gatehouse.control;

import io.gatehouse.control.GrpcEndpoint.Guards;
import io.gatehouse.runtime.tls.PeerCheck;
import io.gatehouse.runtime.tls.TlsFiles;
import io.grpc.BindableService;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * All addresses that a control plane serves: for those with client certificates, for those with
 * bearer tokens if the settings say so, and for those who have neither yet.
 */
final class Listeners implements AutoCloseable {
  private final Parts parts = new Parts();
  private Optional<GrpcEndpoint> certificates = Optional.empty();
  private Optional<GrpcEndpoint> bearers = Optional.empty();
  private int enrollmentPort;

  /**
   * What all of them serve.
   *
   * @param tls own certificate, and whom to trust
   * @param guards the same for all, so that a caller has one budget
   */
  record Served(
      TlsFiles tls, Guards guards, List<BindableService> services, ExecutorService executor) {}

  /**
   * Binds and serves; closes what it has opened if one address cannot be bound.
   *
   * @param identity who issues certificates; empty if somebody else does
   * @throws IOException if an address cannot be bound
   */
  static Listeners start(ControlPlaneConfig config, Optional<IdentityParts> identity, Served served)
      throws IOException {
    Listeners listeners = new Listeners();
    try {
      listeners.startAll(config, identity, served);
      return listeners;
    } catch (IOException | RuntimeException e) {
      listeners.close();
      throw e;
    }
  }

  private void startAll(ControlPlaneConfig config, Optional<IdentityParts> identity, Served served)
      throws IOException {
    Guards guards = served.guards();
    PeerCheck check = PeerCheck.NONE;
    if (identity.isPresent()) {
      check = identity.get().check();
      guards = guards.behind(identity.get().liveCalls());
    }
    certificates =
        Optional.of(
            parts.opened(
                GrpcEndpoint.start(
                    config.listen(),
                    served.tls().serverContext(check),
                    guards,
                    served.services(),
                    served.executor())));
    if (config.access().bearerListen().isPresent()) {
      bearers =
          Optional.of(
              parts.opened(
                  GrpcEndpoint.start(
                      config.access().bearerListen().get(),
                      served.tls().openServerContext(),
                      guards,
                      served.services(),
                      served.executor())));
    }
    if (identity.isPresent()) {
      EnrollmentEndpoint enrollment =
          identity.get().enrollment(config.pki().enrollment(), served.tls(), served.executor());
      enrollmentPort = parts.opened(enrollment).port();
    }
  }

  /** Where agents and operators with certificates come. */
  int port() {
    return certificates.map(GrpcEndpoint::port).orElse(0);
  }

  /** Where operators with bearer tokens come; 0 if nowhere. */
  int bearerPort() {
    return bearers.map(GrpcEndpoint::port).orElse(0);
  }

  /** Where those enrol who have no certificate; 0 if nowhere. */
  int enrollmentPort() {
    return enrollmentPort;
  }

  /** Takes no more calls; calls under way go on. */
  void drain() {
    certificates.ifPresent(GrpcEndpoint::drain);
    bearers.ifPresent(GrpcEndpoint::drain);
  }

  @Override
  public void close() {
    parts.close();
  }
}
