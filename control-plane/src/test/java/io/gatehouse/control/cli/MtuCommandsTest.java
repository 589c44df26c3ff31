package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.ExplainMtuResponse;
import io.gatehouse.proto.v1.LldpNeighbour;
import io.gatehouse.proto.v1.LldpState;
import io.gatehouse.proto.v1.MtuBudgetLine;
import io.gatehouse.proto.v1.PathEffect;
import io.gatehouse.proto.v1.PathLimit;
import io.gatehouse.proto.v1.RepresentorMtus;
import io.gatehouse.proto.v1.UnderlayAgreement;
import io.gatehouse.proto.v1.UnderlayLayer;
import io.gatehouse.proto.v1.UnderlayLayerKind;
import io.gatehouse.proto.v1.UnderlayObservation;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gatehouse mtu}, up to what a script sees. */
class MtuCommandsTest {
  @TempDir Path directory;
  private CliFixture cli;

  @BeforeEach
  void start() throws IOException {
    cli = new CliFixture(directory);
    DpuMtu small = dpu("dpus/dpu1", 9_000, 1_500, UnderlayAgreement.UNDERLAY_AGREEMENT_LESS);
    DpuMtu known = dpu("dpus/dpu2", 4_200, 4_200, UnderlayAgreement.UNDERLAY_AGREEMENT_EQUAL);
    DpuMtu silent = dpu("dpus/dpu3", 1_500, 0, UnderlayAgreement.UNDERLAY_AGREEMENT_UNSPECIFIED);
    cli.controlPlane.mtu.dpus.add(
        small.toBuilder()
            .setNetworkCount(1)
            .setBrokenNetworkCount(1)
            .addBrokenNetworks("tenants/acme/networks/blue")
            .setUnderlay(layers())
            .setNeededFrameBytes(9_022)
            .setSwitchFrameBytes(1_518)
            .setUnderlayRdmaMtuBytes(4_096)
            .setSmallestRdmaMtuBytes(4_096)
            .addDifferences("br-phy has 1500, declared is 9000")
            .addDifferences("the switch leaf1\u001b says 1518")
            .build());
    cli.controlPlane.mtu.dpus.add(
        known.toBuilder()
            .setNetworkCount(7)
            .setLimitedNetworkCount(6)
            .addLimitedNetworks("tenants/acme/networks/blue")
            .setNeededFrameBytes(4_218)
            .setSwitchFrameBytes(9_216)
            .setUnderlayRdmaMtuBytes(4_096)
            .setSmallestRdmaMtuBytes(2_048)
            .setRdmaLoweredNetworkCount(7)
            .addDifferences("RDMA drops")
            .build());
    cli.controlPlane.mtu.dpus.add(silent);
    cli.controlPlane.mtu.networks.put(
        "tenants/acme/networks/blue",
        ExplainMtuResponse.newBuilder()
            .setName("tenants/acme/networks/blue")
            .setEffectiveMtuBytes(1_450)
            .setReceiveMtuBytes(4_150)
            .setLargestMtuBytes(4_150)
            .setNeededUnderlayMtuBytes(1_500)
            .setLimitingDpu("dpus/dpu2")
            .setLimitingUnderlayMtuBytes(4_200)
            .addBudget(MtuBudgetLine.newBuilder().setWhat("IPv4 header").setBytes(20))
            .addBudget(MtuBudgetLine.newBuilder().setWhat("the\nrest").setBytes(30))
            .setRdmaMtuBytes(1_024)
            .addWarnings("RDMA drops from 4096 to 1024 bytes of payload")
            .addWaitsFor("dpus/dpu2 has not confirmed revision 9")
            .addDpus(small)
            .addDpus(known)
            .build());
  }

  @AfterEach
  void stop() {
    cli.controlPlane.close();
  }

  private static DpuMtu dpu(String name, int declared, int reported, UnderlayAgreement agreement) {
    return DpuMtu.newBuilder()
        .setDpu(name)
        .setDeclaredUnderlayMtuBytes(declared)
        .setReportedUnderlayMtuBytes(reported)
        .setAgreement(agreement)
        .setLargestMtuBytes(declared - 50)
        .build();
  }

  private static UnderlayObservation layers() {
    return UnderlayObservation.newBuilder()
        .setDevice("br-phy")
        .setMtuBytes(1_500)
        .addLayers(layer("br-phy", UnderlayLayerKind.UNDERLAY_LAYER_KIND_SWITCH, 1_500, 0))
        .addLayers(layer("p0", UnderlayLayerKind.UNDERLAY_LAYER_KIND_UPLINK, 9_216, 1))
        .addLayers(layer("p1", UnderlayLayerKind.UNDERLAY_LAYER_KIND_UPLINK, 9_216, 1))
        .setLldp(LldpState.LLDP_STATE_KNOWN)
        .addNeighbours(
            LldpNeighbour.newBuilder()
                .setInterface("p0")
                .setSwitchName("leaf1\u001b")
                .setPort("Ethernet1/7")
                .setMaxFrameBytes(1_518))
        .setRepresentors(
            RepresentorMtus.newBuilder()
                .setSmallestDevice("pf0vf0")
                .setSmallestMtuBytes(9_216)
                .setNeededMtuBytes(8_950))
        .build();
  }

  private static UnderlayLayer layer(String name, UnderlayLayerKind kind, int mtu, int tags) {
    return UnderlayLayer.newBuilder()
        .setName(name)
        .setKind(kind)
        .setMtuBytes(mtu)
        .setTagCount(tags)
        .build();
  }

  @Test
  void oneDpuIsShownLayerByLayer() {
    CliFixture.Result result = cli.run("mtu", "show", "dpu1");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            dpu         dpu1
            declared    9000
            reported    1500
            fits        8950 for a network
            frame       9022 must fit through the switch
            neighbours  1 by LLDP
            ports       smallest device pf0vf0 with 9216, 8950 are needed
            rdma        4096
            limits      -
            lose        acme/blue

            LAYER   IS               MTU   TAGS  SWITCH  PORT         FRAME
            br-phy  has the address  1500  -     -       -            -
            br-phy  Open vSwitch     1500  -     -       -            -
            p0      uplink           9216  1     leaf1   Ethernet1/7  1518
            p1      uplink           9216  1     -       -            -

            differs
              br-phy has 1500, declared is 9000
              the switch leaf1  says 1518
            """);
    assertThat(cli.run("mtu", "show", "dpus/dpu3").out()).contains("neighbours  not known");
    assertThat(cli.run("mtu", "show", "dpu1", "-o", "json").out())
        .contains("\"max_frame_bytes\": 1518")
        .doesNotContain("dpus/dpu2");
    assertThat(cli.run("mtu", "show", "dpu9").code()).isEqualTo(3);
    assertThat(cli.run("mtu", "show", "DPU").code()).isEqualTo(2);
  }

  @Test
  void anMtuIsExplainedLayerByLayer() {
    CliFixture.Result result = cli.run("mtu", "explain", "acme/blue");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            network     acme/blue
            mtu         1450 in force, asked for: the largest that fits; changing, DPUs take 4150 meanwhile
            needs       1500 on the underlay
            limited by  dpu2, an underlay of 4200
            rdma        1024 bytes of payload

               4200  underlay
                -20  IPv4 header
                -30  the rest
               4150  largest that fits

            DPU   DECLARED  REPORTED  DIFFERS             FITS
            dpu1  9000      1500      less than declared  8950
            dpu2  4200      4200      -                   4150

            warnings
              RDMA drops from 4096 to 1024 bytes of payload

            a change waits
              dpus/dpu2 has not confirmed revision 9
            """);
    assertThat(cli.run("mtu", "explain", "tenants/acme/networks/blue", "-o", "json").out())
        .contains("\"largest_mtu_bytes\": 4150", "\"what\": \"IPv4 header\"");
    assertThat(cli.run("mtu", "explain", "acme/blue", "-o", "yaml").out())
        .contains("effective_mtu_bytes: 1450");
    assertThat(cli.run("mtu", "explain", "acme/red").code()).isEqualTo(3);
    assertThat(cli.run("mtu", "explain", "acme").code()).isEqualTo(2);
  }

  @Test
  void theFleetIsARowForEachDpuOverAllPages() {
    CliFixture.Result result = cli.run("mtu", "show");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            DPU   DECLARED  REPORTED  SWITCH     FITS  NETWORKS  LIMITS                LOSE       RDMA       DIFFERS
            dpu1  9000      1500      1518<9022  8950  1         -                     acme/blue  4096       2
            dpu2  4200      4200      9216       4150  7         acme/blue and 5 more  -          2048<4096  1
            dpu3  1500      -         -          1450  -         -                     -          -          -

            differs
              dpu1: br-phy has 1500, declared is 9000
              dpu1: the switch leaf1  says 1518
              dpu2: RDMA drops
            """);
    assertThat(cli.run("mtu", "show", "-o", "json").out())
        .contains("\"UNDERLAY_AGREEMENT_LESS\"", "\"dpus/dpu3\"");
    assertThat(cli.run("mtu", "show", "-o", "yaml").out()).contains("kind: DpuMtu");
  }

  @Test
  void aPathThatLimitsANetworkIsNamedWithDirection() {
    assertThat(explainedWith(PathEffect.PATH_EFFECT_LOWERED))
        .contains(
            "paths       lowered: dpu1 -> dpu2 carries 1350 since 2026-08-01T09:59:00Z; 1450"
                + " without that\n");
    assertThat(explainedWith(PathEffect.PATH_EFFECT_DEGRADED))
        .contains(
            "paths       degraded: dpu1 -> dpu2 carries 1350 since 2026-08-01T09:59:00Z; larger"
                + " packets vanish there\n");
    assertThat(cli.run("mtu", "explain", "acme/blue", "-o", "json").out())
        .contains("\"from_dpu\": \"dpus/dpu1\"", "\"PATH_EFFECT_DEGRADED\"");
  }

  private String explainedWith(PathEffect effect) {
    cli.controlPlane.mtu.networks.computeIfPresent(
        "tenants/acme/networks/blue",
        (name, known) ->
            known.toBuilder()
                .setPathLimit(
                    PathLimit.newBuilder()
                        .setEffect(effect)
                        .setLargestMtuBytes(1_350)
                        .setFromDpu("dpus/dpu1")
                        .setToDpu("dpus/dpu2")
                        .setUnlimitedMtuBytes(1_450)
                        .setSinceTime(Timestamp.newBuilder().setSeconds(1_785_578_340)))
                .build());
    return cli.run("mtu", "explain", "acme/blue").out();
  }
}
