package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import io.gatehouse.proto.v1.IsolationCell;
import io.gatehouse.proto.v1.IsolationFinding;
import io.gatehouse.proto.v1.IsolationMethod;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.IsolationRelation;
import io.gatehouse.proto.v1.PacketClass;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gatehouse isolation}, up to what a script sees. */
class IsolationCommandsTest {
  private static final String FLOW = "table=0,priority=500,cookie=0x0,in_port=2";

  @TempDir Path directory;
  private CliFixture cli;
  private FakeIsolationService service;

  @BeforeEach
  void start() throws IOException {
    cli = new CliFixture(directory);
    service = cli.controlPlane.isolation;
    service.proofs.put("dpus/dpu1", proof("dpus/dpu1", 0).build());
  }

  @AfterEach
  void stop() {
    cli.controlPlane.close();
  }

  private static IsolationProof.Builder proof(String dpu, long leaks) {
    return IsolationProof.newBuilder()
        .setDpu(dpu)
        .setRevision(7)
        .setProveTime(Timestamp.newBuilder().setSeconds(1_785_578_577))
        .setWalkedPacketCount(220)
        .setTracedPacketCount(220)
        .setComplete(true)
        .setEvidenceHash("ab12")
        .addCells(
            IsolationCell.newBuilder()
                .setTenant("tenants/acme")
                .setPacketClass(PacketClass.PACKET_CLASS_SPOOFED_ARP)
                .setRelation(IsolationRelation.ISOLATION_RELATION_OTHER_TENANT)
                .setPassedCount(12)
                .setBlockedCount(34)
                .setLeakCount(leaks));
  }

  @Test
  void whatIsIsolatedIsAMatrixAndDone() {
    CliFixture.Result result = cli.run("isolation", "verify");
    assertThat(result.code()).isZero();
    assertThat(service.scope).isEmpty();
    assertThat(result.err()).contains("dpus/dpu1: 0 leaks; 0 to go");
    assertThat(result.out())
        .contains("dpus/dpu1: revision 7", "220 packets walked, 220 traced")
        .containsPattern("SPOOFED_ARP +OTHER_TENANT +12 +34 +- +-");
    assertThat(result.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void aLeakIsNamedWithItsFlowAndEndsWithItsOwnCode() {
    service.proofs.put(
        "dpus/dpu2",
        proof("dpus/dpu2", 1)
            .addFindings(
                IsolationFinding.newBuilder()
                    .setLeak(true)
                    .setPacketClass(PacketClass.PACKET_CLASS_OWN)
                    .setMethod(IsolationMethod.ISOLATION_METHOD_TRACE)
                    .setFrom("tenants/acme/networks/blue/ports/web")
                    .setTo("tenants/beta/networks/red/ports/db")
                    .addFlows(FLOW))
            .build());
    CliFixture.Result result = cli.run("isolation", "verify", "--tenant", "acme");
    assertThat(result.code()).isEqualTo(9);
    assertThat(service.scope).isEqualTo("tenants/acme");
    assertThat(result.out())
        .contains("dpus/dpu2 leak, OWN, trace", "to   tenants/beta/networks/red/ports/db", FLOW);
  }

  @Test
  void aDpuThatDoesNotAnswerIsNoProof() {
    service.proofs.put("dpus/dpu2", IsolationProof.getDefaultInstance());
    CliFixture.Result result = cli.run("isolation", "verify");
    assertThat(result.code()).isEqualTo(6);
    assertThat(result.err()).contains("dpus/dpu2 is not connected");
  }

  @Test
  void theNewestProofsAreShown() {
    assertThat(cli.run("isolation", "show").out()).contains("dpus/dpu1: revision 7", "ab12");
    assertThat(cli.run("isolation", "show", "--dpu", "dpu1").out()).contains("SPOOFED_ARP");
    assertThat(cli.run("isolation", "show", "--dpu", "dpu9").code()).isEqualTo(3);
    assertThat(cli.run("isolation", "show", "-o", "json").out())
        .contains("\"evidence_hash\": \"ab12\"");
    assertThat(cli.run("isolation", "verify", "--tenant", "acme", "--dpu", "dpu1").code())
        .isEqualTo(2);
  }
}
