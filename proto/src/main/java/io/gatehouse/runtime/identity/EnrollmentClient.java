package io.gatehouse.runtime.identity;

import com.google.protobuf.ByteString;
import io.gatehouse.proto.v1.EnrollRequest;
import io.gatehouse.proto.v1.EnrollResponse;
import io.gatehouse.proto.v1.EnrollmentServiceGrpc;
import io.gatehouse.proto.v1.RecoverCertificateRequest;
import io.gatehouse.proto.v1.RecoverCertificateResponse;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.runtime.tls.Trust;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.net.InetSocketAddress;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Gets a certificate without having a valid one. Each call makes its own connection, blocks, and
 * throws {@link io.grpc.StatusRuntimeException} as gRPC does, or {@link IdentityException} if the
 * answer cannot be used.
 *
 * <p>The server shows its whole chain, root included. Nothing is sent before TLS has proved that
 * the server holds a key that this root vouches for: who is in the middle learns no token.
 */
public final class EnrollmentClient {
  private final HostPort server;
  private final Optional<String> serverName;

  /**
   * A client.
   *
   * @param server the enrolment address of a control plane
   * @param serverName the name that its certificate must carry, if that is not the host
   */
  public EnrollmentClient(HostPort server, Optional<String> serverName) {
    this.server = server;
    this.serverName = serverName;
  }

  /**
   * Trades a token for a certificate, with a key made here.
   *
   * @param machineSerialNumber of this machine; empty if it is not known
   */
  public NewIdentity enroll(TokenText token, String machineSerialNumber, Duration limit) {
    return enroll(token, FreshKey.make(), machineSerialNumber, limit);
  }

  /**
   * As above, with a key that was made before. If an answer was lost, the same token with the same
   * key gets the same certificate.
   */
  public NewIdentity enroll(
      TokenText token, FreshKey key, String machineSerialNumber, Duration limit) {
    EnrollRequest request =
        EnrollRequest.newBuilder()
            .setToken(token.text())
            .setCertificateRequest(ByteString.copyFrom(key.certificateRequest()))
            .setMachineSerialNumber(machineSerialNumber)
            .build();
    EnrollResponse answer =
        call(
            new PinnedTrustManager(token::pins),
            EnrollmentServiceGrpc.getEnrollMethod(),
            request,
            limit);
    HeldIdentity held = CredentialCheck.read(key, answer.getCredential(), token::pins);
    return new NewIdentity(held, answer.getCredential().getTrustBundle(), answer.getIdentity());
  }

  /**
   * Replaces an expired certificate, with a new key, by proving that the old key is here. The
   * server is checked against the roots on disk.
   *
   * @param now by the clock of this machine; more than an hour from the control plane's is refused
   */
  public NewIdentity recover(HeldIdentity old, Instant now, Duration limit) {
    FreshKey key = FreshKey.make();
    byte[] certificateRequest = key.certificateRequest();
    long signedAtMillis = now.toEpochMilli();
    RecoverCertificateRequest request =
        RecoverCertificateRequest.newBuilder()
            .addAllExpiredChain(ders(old.chain()))
            .setCertificateRequest(ByteString.copyFrom(certificateRequest))
            .setPossessionProof(
                ByteString.copyFrom(
                    PossessionProof.sign(old.key(), signedAtMillis, certificateRequest)))
            .setSignedAtMillis(signedAtMillis)
            .build();
    RecoverCertificateResponse answer =
        call(
            Trust.in(old.roots()),
            EnrollmentServiceGrpc.getRecoverCertificateMethod(),
            request,
            limit);
    HeldIdentity held = CredentialCheck.read(key, answer.getCredential(), old.roots()::contains);
    return new NewIdentity(held, answer.getCredential().getTrustBundle(), "");
  }

  private <Q, R> R call(
      X509ExtendedTrustManager servers, MethodDescriptor<Q, R> method, Q request, Duration limit) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(new InetSocketAddress(server.host(), server.port()))
            .sslContext(TlsFiles.anonymousClientContext(servers))
            .directExecutor();
    serverName.ifPresent(builder::overrideAuthority);
    ManagedChannel channel = builder.build();
    try {
      return ClientCalls.blockingUnaryCall(
          channel,
          method,
          CallOptions.DEFAULT.withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS),
          request);
    } finally {
      channel.shutdownNow();
    }
  }

  private static List<ByteString> ders(List<X509Certificate> chain) {
    return chain.stream().map(EnrollmentClient::der).toList();
  }

  private static ByteString der(X509Certificate certificate) {
    try {
      return ByteString.copyFrom(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    }
  }
}
