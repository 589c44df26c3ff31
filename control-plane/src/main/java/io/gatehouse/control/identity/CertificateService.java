package io.gatehouse.control.identity;

import io.gatehouse.control.api.StatusErrors;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.identity.IdentityCommand.Renew;
import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.control.pki.CertificateRequests;
import io.gatehouse.proto.v1.CertificateServiceGrpc;
import io.gatehouse.proto.v1.Credential;
import io.gatehouse.proto.v1.GetTrustBundleRequest;
import io.gatehouse.proto.v1.GetTrustBundleResponse;
import io.gatehouse.proto.v1.RenewCertificateRequest;
import io.gatehouse.proto.v1.RenewCertificateResponse;
import io.grpc.stub.StreamObserver;
import java.security.PublicKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Gives callers newer certificates; who calls is whom the certificate of the connection names. */
public final class CertificateService extends CertificateServiceGrpc.CertificateServiceImplBase {
  private final Issuance issuance;
  private final Executor answering;

  /**
   * The service.
   *
   * @param answering where answers are built, away from the sequencer's thread
   */
  public CertificateService(Issuance issuance, Executor answering) {
    this.issuance = issuance;
    this.answering = answering;
  }

  @Override
  public void renewCertificate(
      RenewCertificateRequest request, StreamObserver<RenewCertificateResponse> observer) {
    try {
      ShownCertificate shown = LiveCalls.SHOWN.get();
      if (shown == null) {
        throw new RefusedException(
            Kind.FAILED_PRECONDITION, "the certificate is not of this control plane's authorities");
      }
      PublicKey key = CertificateRequests.keyOf(request.getCertificateRequest().toByteArray());
      CompletableFuture<Credential> unused =
          issuance
              .give(shown.identity(), key, issued -> new Renew(shown, issued.entry()))
              .whenCompleteAsync(
                  (credential, failure) -> answer(observer, credential, failure), answering);
    } catch (RuntimeException e) {
      observer.onError(StatusErrors.of(e, ""));
    }
  }

  @Override
  public void getTrustBundle(
      GetTrustBundleRequest request, StreamObserver<GetTrustBundleResponse> observer) {
    GetTrustBundleResponse answer;
    try {
      answer =
          GetTrustBundleResponse.newBuilder()
              .setTrustBundle(issuance.bundles().of(issuance.image(), issuance.now()))
              .build();
    } catch (RuntimeException e) {
      observer.onError(StatusErrors.of(e, ""));
      return;
    }
    observer.onNext(answer);
    observer.onCompleted();
  }

  private static void answer(
      StreamObserver<RenewCertificateResponse> observer,
      @Nullable Credential credential,
      @Nullable Throwable failure) {
    if (credential == null || failure != null) {
      Throwable known = failure == null ? new IllegalStateException("no answer") : failure;
      observer.onError(StatusErrors.of(known, ""));
      return;
    }
    observer.onNext(RenewCertificateResponse.newBuilder().setCredential(credential).build());
    observer.onCompleted();
  }
}
