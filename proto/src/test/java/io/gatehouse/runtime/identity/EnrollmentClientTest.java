package io.gatehouse.runtime.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.gatehouse.proto.v1.Credential;
import io.gatehouse.proto.v1.EnrollRequest;
import io.gatehouse.proto.v1.EnrollResponse;
import io.gatehouse.proto.v1.EnrollmentServiceGrpc;
import io.gatehouse.proto.v1.RecoverCertificateRequest;
import io.gatehouse.proto.v1.RecoverCertificateResponse;
import io.gatehouse.proto.v1.TrustBundle;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.runtime.tls.TestCertificates;
import io.gatehouse.runtime.tls.TlsFiles;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnrollmentClientTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path directory;
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private TestCertificates certificates;
  private FakeEnrollment service;
  private Server server;

  @BeforeEach
  void start() throws Exception {
    certificates = new TestCertificates(directory);
    certificates.authority("ca");
    certificates.leaf("server", "ca");
    Files.writeString(
        directory.resolve("server.pem"),
        Files.readString(directory.resolve("server.pem"))
            + Files.readString(directory.resolve("ca.pem")));
    service = new FakeEnrollment("ca");
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sslContext(TlsFiles.open(certificates.paths("ca", "server")).openServerContext())
            .addService(service)
            .build()
            .start();
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  @Test
  void tradesATokenForACertificateAndKeepsIt() throws Exception {
    TokenText token = token("ca");
    NewIdentity fresh = client().enroll(token, "SN1", LIMIT);
    assertThat(heard).containsExactly(token.text() + " SN1");
    assertThat(fresh.name()).isEqualTo("dpus/d1");
    IdentityFiles files = new IdentityFiles(directory.resolve("state"));
    assertThat(files.exist()).isFalse();
    files.save(fresh.held());
    assertThat(files.exist()).isTrue();
    assertThat(files.read()).isEqualTo(fresh.held());
    assertThat(TlsFiles.open(files.paths()).certificate()).isEqualTo(fresh.held().certificate());
    assertThat(Files.getPosixFilePermissions(directory.resolve("state/identity.pem")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(fresh.held().toString()).doesNotContain("PrivateKey");
  }

  @Test
  void saysNoTokenToAServerOfAnotherRoot() {
    certificates.authority("other");
    assertThatThrownBy(() -> client().enroll(token("other"), "", LIMIT))
        .isInstanceOf(StatusRuntimeException.class)
        .hasStackTraceContaining("has not the root that the token names");
    assertThat(heard).isEmpty();
  }

  /** A man in the middle may know the root's certificate: it is public. */
  @Test
  void saysNoTokenToAServerThatOnlyShowsTheRoot() throws Exception {
    certificates.authority("evil");
    certificates.leaf("middle", "evil");
    Files.writeString(
        directory.resolve("middle.pem"),
        Files.readString(directory.resolve("middle.pem"))
            + Files.readString(directory.resolve("ca.pem")));
    Server middle =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sslContext(TlsFiles.open(certificates.paths("ca", "middle")).openServerContext())
            .addService(service)
            .build()
            .start();
    try {
      EnrollmentClient client =
          new EnrollmentClient(
              new HostPort("127.0.0.1", middle.getPort()), Optional.of("localhost"));
      assertThatThrownBy(() -> client.enroll(token("ca"), "", LIMIT))
          .isInstanceOf(StatusRuntimeException.class);
      assertThat(heard).isEmpty();
    } finally {
      middle.shutdownNow();
    }
  }

  @Test
  void saysNoTokenToAServerOfAnotherName() {
    EnrollmentClient client =
        new EnrollmentClient(
            new HostPort("127.0.0.1", server.getPort()), Optional.of("elsewhere.example"));
    assertThatThrownBy(() -> client.enroll(token("ca"), "", LIMIT))
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(heard).isEmpty();
  }

  @Test
  void takesNoCertificateOfAnotherRootAndNoneForAnotherKey() {
    certificates.authority("other");
    service.issuer = "other";
    assertThatThrownBy(() -> client().enroll(token("ca"), "", LIMIT))
        .isInstanceOf(IdentityException.class)
        .hasMessageContaining("is not of the root that is trusted");
    service.issuer = "ca";
    service.request = FreshKey.make().certificateRequest();
    assertThatThrownBy(() -> client().enroll(token("ca"), "", LIMIT))
        .isInstanceOf(IdentityException.class)
        .hasMessageContaining("is for another key");
  }

  @Test
  void provesTheOldKeyToRecover() {
    HeldIdentity old = client().enroll(token("ca"), "", LIMIT).held();
    NewIdentity fresh = client().recover(old, Instant.now(), LIMIT);
    assertThat(fresh.held().certificate()).isNotEqualTo(old.certificate());
    assertThat(fresh.held().key()).isNotEqualTo(old.key());
  }

  @Test
  void aProofIsForItsKeyItsTimeAndItsRequestOnly() {
    FreshKey old = FreshKey.make();
    byte[] request = FreshKey.make().certificateRequest();
    byte[] proof = PossessionProof.sign(old.privateKey(), 5, request);
    assertThat(PossessionProof.isValid(old.publicKey(), proof, 5, request)).isTrue();
    assertThat(PossessionProof.isValid(old.publicKey(), proof, 6, request)).isFalse();
    assertThat(PossessionProof.isValid(FreshKey.make().publicKey(), proof, 5, request)).isFalse();
    byte[] other = FreshKey.make().certificateRequest();
    assertThat(PossessionProof.isValid(old.publicKey(), proof, 5, other)).isFalse();
    assertThat(PossessionProof.isValid(old.publicKey(), new byte[3], 5, request)).isFalse();
  }

  private EnrollmentClient client() {
    return new EnrollmentClient(
        new HostPort("127.0.0.1", server.getPort()), Optional.of("localhost"));
  }

  private TokenText token(String root) {
    return TokenText.of(new byte[TokenText.PART_BYTES], certificate(root));
  }

  private X509Certificate certificate(String name) {
    return PemFiles.certificates(directory.resolve(name + ".pem")).get(0);
  }

  /** Signs with openssl whatever comes. */
  private final class FakeEnrollment extends EnrollmentServiceGrpc.EnrollmentServiceImplBase {
    private volatile String issuer;
    private volatile byte[] request = new byte[0];

    FakeEnrollment(String issuer) {
      this.issuer = issuer;
    }

    @Override
    public void enroll(EnrollRequest asked, StreamObserver<EnrollResponse> observer) {
      heard.add(asked.getToken() + " " + asked.getMachineSerialNumber());
      observer.onNext(
          EnrollResponse.newBuilder()
              .setIdentity("dpus/d1")
              .setCredential(credential(asked.getCertificateRequest()))
              .build());
      observer.onCompleted();
    }

    @Override
    public void recoverCertificate(
        RecoverCertificateRequest asked, StreamObserver<RecoverCertificateResponse> observer) {
      boolean proved =
          PossessionProof.isValid(
              CredentialCheck.certificates("chain", asked.getExpiredChainList())
                  .get(0)
                  .getPublicKey(),
              asked.getPossessionProof().toByteArray(),
              asked.getSignedAtMillis(),
              asked.getCertificateRequest().toByteArray());
      if (!proved) {
        observer.onError(Status.PERMISSION_DENIED.asRuntimeException());
        return;
      }
      observer.onNext(
          RecoverCertificateResponse.newBuilder()
              .setCredential(credential(asked.getCertificateRequest()))
              .build());
      observer.onCompleted();
    }

    private Credential credential(ByteString asked) {
      try {
        Files.write(
            directory.resolve("asked.der"), request.length > 0 ? request : asked.toByteArray());
        certificates.openssl(
            "x509",
            "-req",
            "-in",
            "asked.der",
            "-inform",
            "DER",
            "-subj",
            "/CN=x",
            "-CA",
            issuer + ".pem",
            "-CAkey",
            issuer + ".key",
            "-CAcreateserial",
            "-days",
            "1",
            "-out",
            "asked.pem");
        return Credential.newBuilder()
            .addCertificateChain(der("asked"))
            .setTrustBundle(TrustBundle.newBuilder().addRootCertificates(der("ca")))
            .build();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private ByteString der(String name) {
      try {
        return ByteString.copyFrom(certificate(name).getEncoded());
      } catch (CertificateEncodingException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
