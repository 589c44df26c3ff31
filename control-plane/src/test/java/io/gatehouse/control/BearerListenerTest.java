package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.gatehouse.control.auth.oidc.OidcConfig;
import io.gatehouse.control.limit.PeerLimits;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real listener for those with bearer tokens, beside the one for certificates. */
final class BearerListenerTest {
  private static final String ISSUER = "https://login.example";
  private static final int BURST = 20;
  private static final PeerLimits LIMITS =
      new PeerLimits(1_000, 100, 64, 1, BURST, Duration.ofSeconds(10), Duration.ofSeconds(10));

  @TempDir Path directory = Path.of("");
  private ECKey key;
  private TestPki pki;
  private TestControlPlane controlPlane;
  private ManagedChannel bearers;

  @BeforeEach
  void start() throws Exception {
    key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
    Path keys = directory.resolve("keys.json");
    Files.writeString(keys, new JWKSet(key.toPublicJWK()).toString());
    OidcConfig issuer =
        new OidcConfig(ISSUER, "gatehouse", Optional.of(keys), Optional.empty(), "role", "tenant");
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    pki = new TestPki(directory);
    controlPlane =
        TestControlPlane.start(
            "jdbc:sqlite:" + directory.resolve("journal.db"),
            pki.server(),
            new AccessConfig(List.of(issuer), Optional.of(any), LIMITS));
    bearers =
        NettyChannelBuilder.forAddress("127.0.0.1", controlPlane.bearerPort())
            .sslContext(
                GrpcSslContexts.forClient().trustManager(pki.serverPaths().ca().toFile()).build())
            .build();
  }

  @AfterEach
  void stop() {
    bearers.shutdownNow();
    controlPlane.close();
  }

  @Test
  void aTokenOfTheIssuerIsEnough() throws Exception {
    assertThat(list(with(token("auditor")))).isEqualTo(Status.Code.OK);
    assertThat(list(with(token("admin-of-everything")))).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(list(bearers)).isEqualTo(Status.Code.UNAUTHENTICATED);
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

  private String token(String role) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k1").build(),
            new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience("gatehouse")
                .subject("ann")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .claim("role", role)
                .build());
    token.sign(new ECDSASigner(key));
    return token.serialize();
  }
}
