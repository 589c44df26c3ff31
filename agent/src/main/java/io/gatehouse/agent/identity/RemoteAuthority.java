package io.gatehouse.agent.identity;

import io.gatehouse.proto.v1.TrustBundle;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.identity.CertificateClient;
import io.gatehouse.runtime.identity.EnrollmentClient;
import io.gatehouse.runtime.identity.FreshKey;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.TokenText;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The control plane's replicas, one after the other. For one thread. */
public final class RemoteAuthority implements Authority {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final List<HostPort> enrollmentTargets;
  private final String serverName;
  private final String machineSerialNumber;
  private final Connector connector;
  private final InstantSource clock;
  private int next;

  /** Opens channels that show the current certificate. */
  public interface Connector {
    /** A new channel; the caller shuts it down. */
    ManagedChannel connect() throws IOException;
  }

  /**
   * Calls nobody yet.
   *
   * @param enrollmentTargets for those without a valid certificate
   * @param serverName that the control planes' certificates must carry
   * @param machineSerialNumber of this machine; empty if it is not known
   */
  public RemoteAuthority(
      List<HostPort> enrollmentTargets,
      String serverName,
      String machineSerialNumber,
      Connector connector,
      InstantSource clock) {
    this.enrollmentTargets = List.copyOf(enrollmentTargets);
    this.serverName = serverName;
    this.machineSerialNumber = machineSerialNumber;
    this.connector = connector;
    this.clock = clock;
  }

  @Override
  public NewIdentity enroll(TokenText token, FreshKey key) throws IOException {
    return enrollment().enroll(token, key, machineSerialNumber, LIMIT);
  }

  @Override
  public NewIdentity recover(HeldIdentity expired) throws IOException {
    return enrollment().recover(expired, clock.instant(), LIMIT);
  }

  @Override
  public NewIdentity renew() throws IOException {
    return connected(client -> client.renew(LIMIT));
  }

  @Override
  public TrustBundle trustBundle() throws IOException {
    return connected(client -> client.trustBundle(LIMIT));
  }

  private EnrollmentClient enrollment() throws IOException {
    if (enrollmentTargets.isEmpty()) {
      throw new IOException("identity.enrollment_target is not set");
    }
    HostPort target = enrollmentTargets.get(next++ % enrollmentTargets.size());
    next %= enrollmentTargets.size();
    return new EnrollmentClient(target, Optional.of(serverName));
  }

  private <T> T connected(Function<CertificateClient, T> call) throws IOException {
    ManagedChannel channel = connector.connect();
    try {
      return call.apply(new CertificateClient(channel));
    } finally {
      channel.shutdownNow();
    }
  }
}
