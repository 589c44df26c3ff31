package io.gatehouse.runtime.identity;

import com.google.protobuf.ByteString;
import io.gatehouse.proto.v1.CertificateServiceGrpc;
import io.gatehouse.proto.v1.GetTrustBundleRequest;
import io.gatehouse.proto.v1.RenewCertificateRequest;
import io.gatehouse.proto.v1.RenewCertificateResponse;
import io.gatehouse.proto.v1.TrustBundle;
import io.grpc.Channel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a certificate fresh, over a connection that shows the current one. Calls block and throw as
 * those of {@link EnrollmentClient} do.
 */
public final class CertificateClient {
  private final Channel channel;

  /**
   * A client.
   *
   * @param channel with the current certificate; the control plane's is checked there
   */
  public CertificateClient(Channel channel) {
    this.channel = channel;
  }

  /** A newer certificate, for a new key. */
  public NewIdentity renew(Duration limit) {
    FreshKey key = FreshKey.make();
    RenewCertificateResponse answer =
        CertificateServiceGrpc.newBlockingStub(channel)
            .withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS)
            .renewCertificate(
                RenewCertificateRequest.newBuilder()
                    .setCertificateRequest(ByteString.copyFrom(key.certificateRequest()))
                    .build());
    // The connection has proved the control plane: the roots that it tells are taken over.
    HeldIdentity held = CredentialCheck.read(key, answer.getCredential(), root -> true);
    return new NewIdentity(held, answer.getCredential().getTrustBundle(), "");
  }

  /** Whom to trust now. */
  public TrustBundle trustBundle(Duration limit) {
    return CertificateServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS)
        .getTrustBundle(GetTrustBundleRequest.getDefaultInstance())
        .getTrustBundle();
  }
}
