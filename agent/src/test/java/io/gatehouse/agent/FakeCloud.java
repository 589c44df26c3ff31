package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.gatehouse.agent.fixture.TestAuthority;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.Credential;
import io.gatehouse.proto.v1.EnrollRequest;
import io.gatehouse.proto.v1.EnrollResponse;
import io.gatehouse.proto.v1.PolicySeal;
import io.gatehouse.proto.v1.RecoverCertificateRequest;
import io.gatehouse.proto.v1.RecoverCertificateResponse;
import io.gatehouse.proto.v1.TrustBundle;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.identity.IdentityFiles;
import io.gatehouse.runtime.identity.PossessionProof;
import io.gatehouse.runtime.identity.RenewalTime;
import io.gatehouse.runtime.identity.TokenText;
import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.wire.PolicySeals;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/**
 * A control plane with an authority of its own, on loopback over TLS: enrolment for those without a
 * certificate, renewal and streams for those with one. Strict: it checks requests and proofs.
 */
final class FakeCloud implements AutoCloseable {
  static final String DPU_URI = "spiffe://gatehouse.test/dpu/d1";

  final TestAuthority authority = new TestAuthority("root");
  final FakeStreams streams = new FakeStreams();
  final List<EnrollRequest> enrollments = new CopyOnWriteArrayList<>();
  final List<RecoverCertificateRequest> recoveries = new CopyOnWriteArrayList<>();
  final List<PublicKey> renewedKeys = new CopyOnWriteArrayList<>();

  /** What the next certificates are like, and whether they are given at all. */
  volatile Duration life = Duration.ofHours(1);

  volatile String issuedTo = DPU_URI;
  volatile Optional<Status> refusal = Optional.empty();

  private final TokenText token = TokenText.of(new byte[TokenText.PART_BYTES], authority.root());
  private volatile KeyPair policyKey = newPolicyKey();
  private volatile List<ByteString> revocationLists = List.of();
  private final IdentityFiles files;
  private final Server enrollment;
  private final Server server;

  FakeCloud(Path directory) throws IOException {
    files = new IdentityFiles(directory);
    files.save(authority.server());
    TlsFiles tls = TlsFiles.open(files.paths());
    enrollment = start(tls.openServerContext(), new Enrollment());
    server = start(tls.serverContext(), streams, new FakeCertificates(this));
  }

  private static Server start(SslContext tls, io.grpc.BindableService... services)
      throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .sslContext(tls);
    for (io.grpc.BindableService service : services) {
      builder.addService(service);
    }
    return builder.build().start();
  }

  HostPort enrollmentTarget() {
    return new HostPort("127.0.0.1", enrollment.getPort());
  }

  HostPort target() {
    return new HostPort("127.0.0.1", server.getPort());
  }

  TokenText token() {
    return token;
  }

  /** Signs policy with another key from now on. */
  void rotatePolicyKey() {
    policyKey = newPolicyKey();
  }

  byte[] policyPublicKey() {
    return policyKey.getPublic().getEncoded();
  }

  PolicySeal seal(long revision, ByteString inventoryHash) {
    try {
      Signature signer = Signature.getInstance("Ed25519");
      signer.initSign(policyKey.getPrivate());
      signer.update(PolicySeals.signedBytes(new DpuName("d1"), revision, inventoryHash));
      return PolicySeal.newBuilder()
          .setKeyId(PolicySeals.keyId(policyPublicKey()))
          .setSignature(ByteString.copyFrom(signer.sign()))
          .build();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  TrustBundle trust() {
    return TrustBundle.newBuilder()
        .addRootCertificates(der(authority.root()))
        .addPolicyKeys(ByteString.copyFrom(policyPublicKey()))
        .addAllRevocationLists(revocationLists)
        .build();
  }

  /** Tells from now on that the certificate which its servers show is revoked. */
  void revokeServerCertificate() {
    X509Certificate shown = files.read().certificate();
    revocationLists =
        List.of(ByteString.copyFrom(authority.revocationList(shown.getSerialNumber())));
  }

  /** Shows another certificate from the next handshake on. */
  void replaceServerCertificate() throws IOException {
    files.save(authority.server());
  }

  /** Certifies the key of a request. */
  Credential credential(ByteString certificateRequest) {
    Instant now = Instant.now();
    X509Certificate certificate =
        authority.client(
            issuedTo, keyOf(certificateRequest), now.minus(RenewalTime.BACKDATED), now.plus(life));
    return Credential.newBuilder()
        .addCertificateChain(der(certificate))
        .setTrustBundle(trust())
        .build();
  }

  static PublicKey keyOf(ByteString certificateRequest) {
    try {
      JcaPKCS10CertificationRequest request =
          new JcaPKCS10CertificationRequest(certificateRequest.toByteArray());
      PublicKey key = request.getPublicKey();
      assertThat(request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key)))
          .isTrue();
      return key;
    } catch (Exception e) {
      throw new IllegalStateException("not a certificate request", e);
    }
  }

  private static ByteString der(X509Certificate certificate) {
    try {
      return ByteString.copyFrom(certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair newPolicyKey() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    enrollment.shutdownNow();
    server.shutdownNow();
    try {
      assertThat(server.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** For those without a certificate. */
  private final class Enrollment
      extends io.gatehouse.proto.v1.EnrollmentServiceGrpc.EnrollmentServiceImplBase {
    @Override
    public void enroll(EnrollRequest request, StreamObserver<EnrollResponse> observer) {
      enrollments.add(request);
      Optional<Status> refused = refusal;
      if (refused.isPresent() || !request.getToken().equals(token.text())) {
        observer.onError(refused.orElse(Status.PERMISSION_DENIED).asRuntimeException());
        return;
      }
      observer.onNext(
          EnrollResponse.newBuilder()
              .setIdentity("dpus/d1")
              .setCredential(credential(request.getCertificateRequest()))
              .build());
      observer.onCompleted();
    }

    @Override
    public void recoverCertificate(
        RecoverCertificateRequest request, StreamObserver<RecoverCertificateResponse> observer) {
      recoveries.add(request);
      Optional<Status> refused = refusal;
      if (refused.isPresent() || !isProved(request)) {
        observer.onError(refused.orElse(Status.PERMISSION_DENIED).asRuntimeException());
        return;
      }
      observer.onNext(
          RecoverCertificateResponse.newBuilder()
              .setCredential(credential(request.getCertificateRequest()))
              .build());
      observer.onCompleted();
    }

    private boolean isProved(RecoverCertificateRequest request) {
      try {
        X509Certificate expired =
            (X509Certificate)
                CertificateFactory.getInstance("X.509")
                    .generateCertificate(
                        new ByteArrayInputStream(request.getExpiredChain(0).toByteArray()));
        expired.verify(authority.root().getPublicKey());
        return PossessionProof.isValid(
            expired.getPublicKey(),
            request.getPossessionProof().toByteArray(),
            request.getSignedAtMillis(),
            request.getCertificateRequest().toByteArray());
      } catch (GeneralSecurityException e) {
        return false;
      }
    }
  }
}
