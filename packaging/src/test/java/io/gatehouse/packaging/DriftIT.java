package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.gatehouse.proto.v1.ComponentState;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What others change by hand: set right and counted, if it is ours; reported, if it is not. */
@ExtendWith(SharedFleet.class)
final class DriftIT {
  private static final String BRIDGE = "gh-int";
  private static final String REPAIRS = "gatehouse_agent_drift_repairs_total";
  private static final long AUDIT_SECONDS = 30;

  private final Fleet fleet;
  private final Lab lab;

  DriftIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @AfterEach
  void nothingOfItStays() {
    fleet.vsctl(1, "--if-exists", "del-br", "stranger", "--", "--if-exists", "del-port", "alien");
  }

  @Test
  void flowThatIsAddedGoes() {
    List<String> planned = keys();
    repaired(
        () -> fleet.ofctl(1, "add-flow", BRIDGE, "priority=65000,actions=NORMAL"),
        () -> keys().equals(planned));
    String ours = firstCookie();
    repaired(
        () -> fleet.ofctl(1, "add-flow", BRIDGE, "cookie=" + ours + ",table=70,actions=drop"),
        () -> keys().equals(planned));
  }

  @Test
  void flowThatIsDeletedOrChangedComesBack() {
    List<String> planned = keys();
    repaired(() -> fleet.ofctl(1, "del-flows", BRIDGE, "table=0"), () -> keys().equals(planned));
    repaired(
        () -> fleet.ofctl(1, "mod-flows", BRIDGE, "table=50,actions=drop"),
        () -> keys().equals(planned));
    repaired(() -> fleet.ofctl(1, "del-flows", BRIDGE), () -> keys().equals(planned));
    assertThat(lab.reaches("acme-1", "10.0.0.2")).isTrue();
  }

  @Test
  void portThatIsRemovedComesBack() {
    repaired(() -> fleet.vsctl(1, "del-port", BRIDGE, "pf0vf0"), () -> hasPort("pf0vf0"));
    repaired(() -> fleet.vsctl(1, "del-port", BRIDGE, "gh-vxlan"), () -> hasPort("gh-vxlan"));
    fleet.awaitHealthy();
    assertThat(lab.reaches("acme-1", "10.0.0.2")).isTrue();
  }

  @Test
  void settingThatIsChangedIsSetBack() {
    repaired(
        () -> fleet.vsctl(1, "set", "interface", "gh-vxlan", "options:remote_ip=192.0.2.1"),
        () -> fleet.vsctl(1, "get", "interface", "gh-vxlan", "options:remote_ip").contains("flow"));
    repaired(
        () -> fleet.vsctl(1, "set", "bridge", BRIDGE, "fail_mode=standalone"),
        () -> fleet.vsctl(1, "get", "bridge", BRIDGE, "fail_mode").contains("secure"));
    fleet.awaitHealthy();
    assertThat(lab.reaches("acme-1", "10.0.0.2")).isTrue();
  }

  @Test
  void guardOfTheKernelIsSetBack() {
    repaired(
        () -> lab.exec("dpu1", "nft", "delete", "table", "netdev", "gatehouse"),
        () ->
            lab.tryRun("exec", "dpu1", "nft", "list", "table", "netdev", "gatehouse")
                .output()
                .contains("pf0vf0"));
    repaired(
        () -> lab.exec("dpu1", "sysctl", "-w", "net.ipv6.conf.pf0vf0.disable_ipv6=0"),
        () ->
            lab.exec("dpu1", "sysctl", "-n", "net.ipv6.conf.pf0vf0.disable_ipv6")
                .strip()
                .equals("1"));
    repaired(
        () -> lab.exec("dpu1", "ip", "link", "set", "dev", "pf0vf0", "down"),
        () -> lab.exec("dpu1", "ip", "link", "show", "dev", "pf0vf0").contains("state UP"));
  }

  @Test
  void f16AddressAndRouteOfTheTunnelsAreSetBack() {
    repaired(
        () -> lab.exec("dpu1", "ip", "route", "delete", "default"),
        () -> lab.exec("dpu1", "ip", "route").contains("default via 172.16.1.254"));
    // The route goes with the address.
    repaired(
        () -> lab.exec("dpu1", "ip", "address", "flush", "dev", "br-phy"),
        () ->
            lab.exec("dpu1", "ip", "address", "show", "dev", "br-phy").contains("172.16.1.1/24")
                && lab.exec("dpu1", "ip", "route").contains("default via 172.16.1.254"));
    assertThat(lab.reaches("acme-1", "10.0.0.2")).isTrue();
  }

  @Test
  void whatIsNotOursIsReportedAndLeftAlone() {
    fleet.vsctl(1, "add-br", "stranger", "--", "set", "bridge", "stranger", "datapath_type=netdev");
    fleet.vsctl(1, "add-port", BRIDGE, "alien", "--", "set", "interface", "alien", "type=internal");
    Eventually.holds(
        "both are reported",
        () -> {
          List<String> foreign = fleet.operator().dpu(1).getStatus().getForeignObjectsList();
          return foreign.stream().anyMatch(object -> object.contains("bridge stranger"))
              && foreign.stream().anyMatch(object -> object.contains("port alien"));
        });
    assertThat(fleet.vsctl(1, "list-br")).contains("stranger");
    assertThat(hasPort("alien")).isTrue();
    assertThat(lab.exec("dpu1", "gatehouse-agent", "status")).contains("not ours", "stranger");
  }

  @Test
  void f25BridgeThatJoinsUplinkAndHostIsAnAlarm() {
    fleet.vsctl(1, "add-br", "stranger", "--", "set", "bridge", "stranger", "datapath_type=netdev");
    fleet.vsctl(1, "del-port", "br-phy", "up0", "--", "add-port", "stranger", "up0");
    fleet.vsctl(1, "add-port", "stranger", "pf0vf2");
    try {
      // The DPU has no underlay now, so its own word is what there is.
      Eventually.holds(
          "the agent raises the alarm",
          () ->
              lab.exec("dpu1", "gatehouse-agent", "status")
                  .contains("stranger is not Gatehouse's and joins the uplink up0"));
    } finally {
      fleet.vsctl(1, "del-br", "stranger", "--", "add-port", "br-phy", "up0");
    }
    // A report of the time before the alarm says the same, so the agent's own word must go first.
    Eventually.holds(
        "the alarm ends",
        () -> !lab.exec("dpu1", "gatehouse-agent", "status").contains("joins the uplink"));
    Eventually.holds(
        "each part is as planned again",
        () ->
            fleet.operator().dpu(1).getStatus().getComponentsList().stream()
                .allMatch(part -> part.getState() == ComponentState.COMPONENT_STATE_OK),
        () -> fleet.operator().dpu(1).getStatus().toString());
  }

  @Test
  void nothingIsWrittenWhileNothingChanges() {
    double before = Metrics.ofAgent(lab, 2).sum("gatehouse_agent_writes_total");
    Timestamp start = fleet.operator().dpu(2).getStatus().getLastSeenTime();
    Eventually.holds(
        "the agent has looked at everything again",
        () ->
            Timestamps.between(start, fleet.operator().dpu(2).getStatus().getLastSeenTime())
                    .getSeconds()
                > AUDIT_SECONDS);
    assertThat(Metrics.ofAgent(lab, 2).sum("gatehouse_agent_writes_total")).isEqualTo(before);
  }

  /** Lets somebody change something, and waits until it is as it was and was counted. */
  private void repaired(Runnable change, BooleanSupplier right) {
    double before = Metrics.ofAgent(lab, 1).sum(REPAIRS);
    change.run();
    Eventually.holds(
        "it is repaired and counted",
        () -> Metrics.ofAgent(lab, 1).sum(REPAIRS) > before && right.getAsBoolean(),
        () -> String.join("\n", fleet.flows(1)));
    fleet.awaitHealthy();
  }

  private boolean hasPort(String port) {
    return fleet.vsctl(1, "list-ports", BRIDGE).lines().anyMatch(port::equals);
  }

  /** Flows without what counts and without the numbers of ports, in order. */
  private List<String> keys() {
    return fleet.flows(1).stream()
        .map(flow -> flow.replaceAll("(duration|n_packets|n_bytes|idle_age|hard_age)=[^,]*, ?", ""))
        .sorted()
        .toList();
  }

  private String firstCookie() {
    String flow = fleet.flows(1).get(0);
    return flow.replaceAll(".*cookie=(0x[0-9a-f]+).*", "$1");
  }
}
