package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.limit.PeerLimits;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestIssuer;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.proto.v1.WatchChangesRequest;
import io.gatehouse.proto.v1.WatchChangesResponse;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real listener for those with bearer tokens, beside the one for certificates. */
final class BearerListenerTest {
  private static final int BURST = 20;
  private static final PeerLimits LIMITS =
      new PeerLimits(1_000, 100, 64, 1, BURST, Duration.ofSeconds(10), Duration.ofSeconds(10));

  @TempDir Path directory = Path.of("");
  private TestIssuer issuer;
  private TestPki pki;
  private TestControlPlane controlPlane;
  private ManagedChannel bearers;

  @BeforeEach
  void start() throws Exception {
    issuer = new TestIssuer(directory);
    pki = new TestPki(directory);
    controlPlane =
        TestControlPlane.start(
            "jdbc:sqlite:" + directory.resolve("journal.db"), pki.server(), issuer.access(LIMITS));
    bearers = controlPlane.bearerChannel(pki.serverPaths().ca());
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  @Test
  void aTokenOfTheIssuerIsEnough() {
    assertThat(list(with(issuer.token("auditor")))).isEqualTo(Status.Code.OK);
    assertThat(list(with(issuer.token("admin-of-everything"))))
        .isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(list(bearers)).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  /** The last seconds of its skew. */
  @Test
  void aWatchEndsWithItsToken() {
    Duration nearlyOver = Duration.ofSeconds(-52);
    Iterator<WatchChangesResponse> changes =
        FleetServiceGrpc.newBlockingStub(with(issuer.token(TestIssuer.NAME, "auditor", nearlyOver)))
            .watchChanges(WatchChangesRequest.newBuilder().setAfterRevision(1_000).build());
    assertThatThrownBy(changes::next)
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessage("UNAUTHENTICATED: the token has expired");
  }

  @Test
  void badTokensLockOutNobodyWhoShowsACertificate() {
    Channel bad = with("no token");
    Status.Code code = Status.Code.OK;
    for (int i = 0; i <= 2 * BURST && code != Status.Code.RESOURCE_EXHAUSTED; i++) {
      code = list(bad);
    }
    assertThat(code)
        .as("an address has only so many bad ones")
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(list(controlPlane.channel(pki.operator("admin")))).isEqualTo(Status.Code.OK);
  }

  private static Status.Code list(Channel channel) {
    return AnyCall.status(
            () ->
                TenantServiceGrpc.newBlockingStub(channel)
                    .listTenants(ListTenantsRequest.getDefaultInstance()))
        .getCode();
  }

  private Channel with(String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return ClientInterceptors.intercept(
        bearers, MetadataUtils.newAttachHeadersInterceptor(headers));
  }
}
