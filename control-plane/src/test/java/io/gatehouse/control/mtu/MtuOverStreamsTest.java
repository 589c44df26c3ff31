package io.gatehouse.control.mtu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.google.protobuf.FieldMask;
import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.GrpcAgent;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.ExplainMtuRequest;
import io.gatehouse.proto.v1.ExplainMtuResponse;
import io.gatehouse.proto.v1.ListDpuMtusRequest;
import io.gatehouse.proto.v1.MtuServiceGrpc;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.NetworkServiceGrpc;
import io.gatehouse.proto.v1.UpdateNetworkRequest;
import io.grpc.ManagedChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A raise over real streams: it waits for the DPU that is away, and for nobody else. */
final class MtuOverStreamsTest {
  private static final String BLUE = "tenants/acme/networks/blue";

  @TempDir Path directory = Path.of("");

  private TestPki pki;
  private TestControlPlane controlPlane;
  private ManagedChannel operator;

  @BeforeEach
  void start() throws Exception {
    pki = new TestPki(directory);
    controlPlane =
        TestControlPlane.start("jdbc:sqlite:" + directory.resolve("journal.db"), pki.server());
    operator = controlPlane.channel(pki.operator("admin"));
    TestControlPlane.createDpu(operator, "d1", "172.31.0.1");
    TestControlPlane.createDpu(operator, "d2", "172.31.0.2");
    TestControlPlane.createTenant(operator, "acme");
    TestControlPlane.createPort(operator, "acme", "web", "d1");
    TestControlPlane.createPort(operator, "acme", "db", "d2");
  }

  @AfterEach
  void stop() {
    controlPlane.close();
  }

  private void connect(String dpu) {
    new GrpcAgent(new FakeAgent(FakeAgent.Mode.STAGED)).connect(controlPlane.channel(pki.dpu(dpu)));
  }

  private Network ask(int mtuBytes) {
    return NetworkServiceGrpc.newBlockingStub(operator)
        .updateNetwork(
            UpdateNetworkRequest.newBuilder()
                .setNetwork(Network.newBuilder().setName(BLUE).setMtuBytes(mtuBytes))
                .setUpdateMask(FieldMask.newBuilder().addPaths("mtu_bytes"))
                .build())
        .getNetwork();
  }

  private ExplainMtuResponse explained() {
    return MtuServiceGrpc.newBlockingStub(operator)
        .explainMtu(ExplainMtuRequest.newBuilder().setName(BLUE).build());
  }

  @Test
  void aRaiseIsInForceWhenTheLastDpuHasConfirmed() {
    connect("d1");
    Network lowered = ask(1_400);
    assertThat(lowered.getEffectiveMtuBytes()).isEqualTo(1_400);
    assertThat(lowered.getReceiveMtuBytes()).isEqualTo(1_450);
    ask(1_440);
    Eventually.holds(
        "only the DPU that is away is missing",
        () ->
            explained().getWaitsForList().stream().noneMatch(text -> text.contains("dpus/d1"))
                && explained().getWaitsForCount() == 2);
    assertThat(explained().getEffectiveMtuBytes()).isEqualTo(1_400);
    assertThat(explained().getWaitsForList())
        .anyMatch(text -> text.startsWith("dpus/d2 has not confirmed revision"))
        .contains("dpus/d2 has not reported the MTU of its underlay");
    connect("d2");
    Eventually.holds("it is in force", () -> explained().getEffectiveMtuBytes() == 1_440);
    assertThat(explained().getReceiveMtuBytes()).isZero();
    assertThat(
            MtuServiceGrpc.newBlockingStub(operator)
                .listDpuMtus(ListDpuMtusRequest.newBuilder().setPageSize(1).build())
                .getDpusList())
        .extracting(DpuMtu::getDpu, DpuMtu::getReportedUnderlayMtuBytes)
        .containsExactly(tuple("dpus/d1", 1_500));
    assertThat(controlPlane.metrics()).contains("gatehouse_dpus_underlay_smaller 0.0");
  }
}
