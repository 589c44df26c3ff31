package io.gatehouse.agent;

import io.gatehouse.proto.v1.CertificateServiceGrpc;
import io.gatehouse.proto.v1.GetTrustBundleRequest;
import io.gatehouse.proto.v1.GetTrustBundleResponse;
import io.gatehouse.proto.v1.RenewCertificateRequest;
import io.gatehouse.proto.v1.RenewCertificateResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Optional;

/** Renewals and trust of a {@link FakeCloud}; no key is certified twice. */
final class FakeCertificates extends CertificateServiceGrpc.CertificateServiceImplBase {
  private final FakeCloud cloud;

  FakeCertificates(FakeCloud cloud) {
    this.cloud = cloud;
  }

  @Override
  public void renewCertificate(
      RenewCertificateRequest request, StreamObserver<RenewCertificateResponse> observer) {
    Optional<Status> refused = cloud.refusal;
    var key = FakeCloud.keyOf(request.getCertificateRequest());
    if (refused.isPresent() || cloud.renewedKeys.contains(key)) {
      observer.onError(refused.orElse(Status.INVALID_ARGUMENT).asRuntimeException());
      return;
    }
    cloud.renewedKeys.add(key);
    observer.onNext(
        RenewCertificateResponse.newBuilder()
            .setCredential(cloud.credential(request.getCertificateRequest()))
            .build());
    observer.onCompleted();
  }

  @Override
  public void getTrustBundle(
      GetTrustBundleRequest request, StreamObserver<GetTrustBundleResponse> observer) {
    observer.onNext(GetTrustBundleResponse.newBuilder().setTrustBundle(cloud.trust()).build());
    observer.onCompleted();
  }
}
