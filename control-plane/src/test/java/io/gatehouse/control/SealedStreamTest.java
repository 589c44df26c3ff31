package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.Delta;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.SyncResponse;
import io.gatehouse.proto.v1.SyncServiceGrpc;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.wire.PolicySeals;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a DPU was told to trust at its enrolment verifies what its stream brings. */
final class SealedStreamTest {
  private static final DpuName D1 = new DpuName("d1");

  @TempDir private Path directory = Path.of("");

  @Test
  void theStreamIsSealedWithAKeyOfTheTrustBundle() throws Exception {
    try (PkiLab lab = new PkiLab(directory, Duration.ofDays(7))) {
      ManagedChannel admin = lab.admin();
      TestControlPlane.createDpu(admin, "d1", "172.16.0.1");
      NewIdentity fresh = lab.enrolled(lab.token(admin, "dpus/d1"));
      byte[] key = fresh.trustBundle().getPolicyKeys(0).toByteArray();
      Delta delta = first(lab.channel(fresh.held()));
      assertThat(delta.getSeal().getKeyId()).isEqualTo(PolicySeals.keyId(key));
      assertThat(verifies(key, D1, delta)).isTrue();
      assertThat(verifies(key, new DpuName("d2"), delta)).isFalse();
      lab.restart();
      assertThat(verifies(key, D1, first(lab.channel(fresh.held())))).isTrue();
    }
  }

  private static boolean verifies(byte[] key, DpuName dpu, Delta delta) throws Exception {
    Signature verifier = Signature.getInstance("Ed25519");
    verifier.initVerify(
        KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(key)));
    verifier.update(PolicySeals.signedBytes(dpu, delta.getToRevision(), delta.getInventoryHash()));
    return verifier.verify(delta.getSeal().getSignature().toByteArray());
  }

  /** What an agent that holds nothing is sent first. */
  private static Delta first(Channel channel) throws InterruptedException {
    BlockingQueue<SyncResponse> responses = new LinkedBlockingQueue<>();
    StreamObserver<SyncRequest> requests =
        SyncServiceGrpc.newStub(channel)
            .sync(
                new StreamObserver<>() {
                  @Override
                  public void onNext(SyncResponse response) {
                    responses.add(response);
                  }

                  @Override
                  public void onError(Throwable cause) {
                    responses.add(SyncResponse.getDefaultInstance());
                  }

                  @Override
                  public void onCompleted() {
                    responses.add(SyncResponse.getDefaultInstance());
                  }
                });
    requests.onNext(new FakeAgent(FakeAgent.Mode.STAGED).hello());
    SyncResponse response = responses.poll(60, TimeUnit.SECONDS);
    assertThat(response).isNotNull();
    Delta delta = response.getDelta();
    assertThat(delta.getComplete()).isTrue();
    requests.onCompleted();
    return delta;
  }
}
