package io.gatehouse.control.mtu;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.NetworkCommand.LimitPath;
import io.gatehouse.control.decide.NetworkCommand.NetworkPatch;
import io.gatehouse.control.decide.NetworkCommand.UpdateNetwork;
import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.decide.fit.NarrowPath;
import io.gatehouse.model.Dpu;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.ExplainMtuResponse;
import io.gatehouse.proto.v1.MtuBudgetLine;
import io.gatehouse.proto.v1.PathEffect;
import io.gatehouse.proto.v1.UnderlayAgreement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said of an MTU, and to whom. */
class MtuExplainerTest {
  private static final String BLUE = "tenants/acme/networks/blue";
  private static final DpuName A = new DpuName("a");
  private static final DpuName B = new DpuName("b");

  private World world = new World();

  @BeforeEach
  void aFleetOfTwoSizes() {
    world = new World().tenant("tenants/acme");
    world.dpu("dpus/a", "192.0.2.1", 9_000).dpu("dpus/b", "192.0.2.2", 4_200);
    world.network(BLUE, "10.0.0.0/24");
  }

  private ExplainMtuResponse explain(Map<DpuName, MtuChange.Facts> facts) {
    Network network = world.image().network(NetworkName.parse(BLUE)).orElseThrow();
    return MtuExplainer.explain(world.image(), network, facts);
  }

  private World withPorts() {
    return world.port(BLUE + "/ports/a", "dpus/a", 0).port(BLUE + "/ports/b", "dpus/b", 0);
  }

  @Test
  void theBudgetGoesFromTheUnderlayToTheNetwork() {
    withPorts().settle(BLUE);
    ExplainMtuResponse answer = explain(world.allConfirmed());
    assertThat(answer.getLimitingDpu()).isEqualTo("dpus/b");
    assertThat(answer.getLargestMtuBytes()).isEqualTo(4_150);
    assertThat(answer.getNeededUnderlayMtuBytes()).isEqualTo(4_200);
    int taken = answer.getBudgetList().stream().mapToInt(MtuBudgetLine::getBytes).sum();
    assertThat(answer.getLimitingUnderlayMtuBytes() - taken).isEqualTo(4_150);
    assertThat(answer.getWaitsForList()).isEmpty();
    assertThat(answer.getDpusList()).extracting(DpuMtu::getDpu).containsExactly("dpus/a", "dpus/b");
  }

  @Test
  void anRdmaStepThatIsLostIsAWarningWithBothNumbers() {
    withPorts().settle(BLUE);
    assertThat(explain(world.allConfirmed()).getRdmaMtuBytes()).isEqualTo(2_048);
    assertThat(explain(world.allConfirmed()).getWarningsList())
        .containsExactly(
            "RDMA drops from 4096 to 2048 bytes of payload: 4096 needs an mtu of 4192, 4242 on the"
                + " underlay");
    world.delete(BLUE + "/ports/b").settle(BLUE);
    assertThat(explain(world.allConfirmed()).getWarningsList()).isEmpty();
  }

  /** f06: another interface was counted than the one with the address. */
  @Test
  void f06AnInterfaceThatIsSmallerThanDeclaredIsNamed() {
    world.port(BLUE + "/ports/a", "dpus/a", 0);
    MtuChange.Facts small = new MtuChange.Facts(world.image().revision(), 1_500);
    assertThat(explain(Map.of(A, small)).getWarningsList())
        .containsExactly(
            "mtu 8950 needs 9000 on the underlay, dpus/a reports 1500: large packets are lost");
    Dpu dpu = world.image().dpu(A).orElseThrow();
    DpuMtu shown = DpuMtus.withNetworks(world.image(), dpu, small);
    assertThat(shown.getAgreement()).isEqualTo(UnderlayAgreement.UNDERLAY_AGREEMENT_LESS);
    assertThat(shown.getBrokenNetworksList()).containsExactly(BLUE);
    assertThat(shown.getBrokenNetworkCount()).isEqualTo(1);
    DpuMtu unknown = DpuMtus.withNetworks(world.image(), dpu, MtuChange.Facts.NONE);
    assertThat(unknown.getBrokenNetworkCount()).as("unknown is not small").isZero();
    assertThat(unknown.getAgreement()).isEqualTo(UnderlayAgreement.UNDERLAY_AGREEMENT_UNSPECIFIED);
  }

  @Test
  void aDpuLimitsWhatOthersWouldCarry() {
    withPorts().settle(BLUE);
    assertThat(listed(B).getLimitedNetworksList()).containsExactly(BLUE);
    assertThat(listed(A).getLimitedNetworksList()).isEmpty();
    assertThat(listed(A).getNetworkCount()).isEqualTo(1);
    world.delete(BLUE + "/ports/a");
    assertThat(listed(B).getLimitedNetworkCount()).as("nobody else carries it").isZero();
  }

  private DpuMtu listed(DpuName name) {
    Dpu dpu = world.image().dpu(name).orElseThrow();
    return DpuMtus.withNetworks(
        world.image(), dpu, world.allConfirmed().getOrDefault(name, MtuChange.Facts.NONE));
  }

  @Test
  void withoutPortsTheFleetCountsAndATenantIsToldNoDpu() {
    ExplainMtuResponse whole = explain(Map.of());
    assertThat(whole.getLimitingDpu()).isEqualTo("dpus/b");
    ExplainMtuResponse seen = MtuExplainer.forTenant(whole);
    assertThat(seen.toString()).doesNotContain("dpus/");
    assertThat(seen.getLargestMtuBytes()).isEqualTo(4_150);
    assertThat(seen.getBudgetList()).isEqualTo(whole.getBudgetList());
  }

  @Test
  void aTenantIsToldNothingOfReports() {
    withPorts();
    ExplainMtuResponse whole = explain(Map.of(A, new MtuChange.Facts(1, 1_500)));
    assertThat(whole.getWaitsForList()).hasSize(2);
    assertThat(whole.getWarningsList()).anyMatch(text -> text.contains("reports 1500"));
    ExplainMtuResponse seen = MtuExplainer.forTenant(whole);
    assertThat(seen.getWaitsForList()).containsExactly("not every DPU has confirmed it yet");
    assertThat(seen.getWarningsList()).allMatch(text -> text.startsWith("RDMA"));
    assertThat(seen.getDpusList())
        .allSatisfy(dpu -> assertThat(dpu.getReportedUnderlayMtuBytes()).isZero());
    assertThat(seen.getDpusList()).extracting(DpuMtu::getDpu).containsExactly("dpus/a", "dpus/b");
  }

  /** A tenant knows these DPUs from its ports, and the number from its network. */
  @Test
  void aPathThatLimitsIsToldToTheTenantToo() {
    withPorts().settle(BLUE);
    limit(A, B, 1_400);
    ExplainMtuResponse whole = explain(world.allConfirmed());
    assertThat(whole.getPathLimit().getEffect()).isEqualTo(PathEffect.PATH_EFFECT_LOWERED);
    assertThat(whole.getPathLimit().getUnlimitedMtuBytes()).isEqualTo(4_150);
    assertThat(whole.getEffectiveMtuBytes()).isEqualTo(1_350);
    assertThat(whole.getLargestMtuBytes()).as("what fits is another question").isEqualTo(4_150);
    assertThat(whole.getWarningsList()).noneMatch(text -> text.contains("vanish"));
    assertThat(MtuExplainer.forTenant(whole).getPathLimit()).isEqualTo(whole.getPathLimit());
  }

  @Test
  void aDegradedNetworkSaysWhyItsMtuIsKept() {
    withPorts().settle(BLUE);
    NetworkName blue = NetworkName.parse(BLUE);
    limit(B, A, 500);
    assertThat(explain(world.allConfirmed()).getWarningsList())
        .contains(
            "packets larger than 450 vanish from dpus/b to dpus/a: its prefixes need an mtu of"
                + " 576");
    NetworkPatch fixed = new NetworkPatch(null, null, null, 4_000, null);
    world.run(new UpdateNetwork(world.request(), blue, fixed, ""));
    ExplainMtuResponse seen = MtuExplainer.forTenant(explain(world.allConfirmed()));
    assertThat(seen.getWarningsList())
        .contains(
            "packets larger than 450 vanish from dpus/b to dpus/a: the mtu of 4000 was asked for,"
                + " and is kept");
  }

  private void limit(DpuName from, DpuName to, int provenBytes) {
    NarrowPath path = new NarrowPath(from, to, provenBytes);
    world.run(new LimitPath(world.request(), NetworkName.parse(BLUE), List.of(path)));
  }
}
