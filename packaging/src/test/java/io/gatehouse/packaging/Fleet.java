package io.gatehouse.packaging;

import io.gatehouse.packaging.packet.PacketSocket;
import io.gatehouse.proto.v1.ComponentState;
import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.GetFleetStatusRequest;
import io.gatehouse.proto.v1.GetFleetStatusResponse;
import io.gatehouse.proto.v1.GetNetworkRequest;
import io.gatehouse.proto.v1.Port;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Three DPUs with the two tenants of the demo, which have the same addresses: acme-1, acme-2 and
 * acme-3, globex-1, globex-2 and globex-4 are hosts on DPU 1, 2 and 3. Functions pf0vf2 and pf0vf3
 * are free for the tests.
 */
final class Fleet implements AutoCloseable {
  static final int DPUS = 3;
  static final String ACME = "tenants/acme";
  static final String ACME_NETWORK = ACME + "/networks/train";
  static final String GLOBEX_NETWORK = "tenants/globex/networks/train";

  private static final Path TENANTS =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("demo.d/tenants.yaml");

  private final Lab lab;
  private final Operator operator;

  private Fleet(Lab lab, Operator operator) {
    this.lab = lab;
    this.operator = operator;
  }

  /** Makes the lab, onboards the tenants through the command line, and adds their hosts. */
  static Fleet start() {
    Lab lab = Lab.running(DPUS);
    Fleet fleet = new Fleet(lab, Operator.of(lab));
    for (int dpu = 1; dpu <= DPUS; dpu++) {
      fleet.operator.createDpu(dpu);
    }
    fleet.applyTenants();
    IntStream.rangeClosed(1, 3).forEach(n -> lab.addHost(host("acme-" + n, n, "pf0vf0", n)));
    lab.addHost(host("globex-1", 1, "pf0vf1", 1));
    lab.addHost(host("globex-2", 2, "pf0vf1", 2));
    lab.addHost(host("globex-4", 3, "pf0vf1", 4));
    return fleet;
  }

  /** Brings the tenants of the demo back to what its file says. */
  final void applyTenants() {
    lab.gatehouse("apply", "-f", TENANTS.toString(), "--wait", "--timeout", "120s");
  }

  Lab lab() {
    return lab;
  }

  Operator operator() {
    return operator;
  }

  /** A host of either tenant: its number is in its MAC and its addresses. */
  static TenantHost host(String name, int dpu, String function, int number) {
    return new TenantHost(
        name,
        dpu,
        function,
        mac(number),
        List.of("10.0.0." + number + "/24", "fd00:0:0:1::" + number + "/64"));
  }

  static String mac(int number) {
    return "02:00:00:00:00:%02d".formatted(number);
  }

  /** A port of Acme's for such a host. */
  static Port port(TenantHost host) {
    return Port.newBuilder()
        .setName(ACME_NETWORK + "/ports/" + host.name())
        .setDpu("dpus/dpu" + host.dpu())
        .setFunction(host.function())
        .setMacAddress(host.mac())
        .addAllIpAddresses(
            host.addresses().stream().map(ip -> ip.substring(0, ip.indexOf('/'))).toList())
        .build();
  }

  PacketSocket tap(String host) {
    return PacketSocket.open(lab.namespace(host));
  }

  int vni(String network) {
    return operator
        .networks()
        .getNetwork(GetNetworkRequest.newBuilder().setName(network).build())
        .getNetwork()
        .getVni();
  }

  /** Returns once every DPU is connected, current, and as planned by its own read-back. */
  void awaitHealthy() {
    Eventually.holds("every DPU is current and as planned", this::isHealthy, this::state);
  }

  /**
   * Waits until no path limits a network. A control plane that is started anew has forgotten how
   * often that came and went, and raises them in the shortest time.
   */
  void awaitUnlimited() {
    if (isLimited()) {
      lab.stopControlPlane();
      lab.startControlPlane();
    }
    Eventually.holds(
        "no network is limited",
        () -> !isLimited(),
        () -> lab.tryRun("gatehouse", "status").output());
    awaitHealthy();
  }

  private boolean isLimited() {
    return lab.tryRun("gatehouse", "status").output().contains("by paths");
  }

  private boolean isHealthy() {
    GetFleetStatusResponse status =
        operator.fleet().getFleetStatus(GetFleetStatusRequest.getDefaultInstance());
    return status.getDpuCount() == DPUS
        && status.getCurrentDpuCount() == DPUS
        && dpus().allMatch(Fleet::isHealthy);
  }

  private static boolean isHealthy(Dpu dpu) {
    return dpu.getStatus().getConnected()
        && dpu.getStatus().getProblemsCount() == 0
        && dpu.getStatus().getComponentsCount() > 0
        && dpu.getStatus().getComponentsList().stream()
            .allMatch(part -> part.getState() == ComponentState.COMPONENT_STATE_OK);
  }

  private String state() {
    return dpus().map(Dpu::toString).toList().toString();
  }

  private java.util.stream.Stream<Dpu> dpus() {
    return IntStream.rangeClosed(1, DPUS).mapToObj(operator::dpu);
  }

  /** The bridge's flows on a DPU, as Open vSwitch itself shows them. */
  List<String> flows(int dpu) {
    return lab.run("ofctl", String.valueOf(dpu), "dump-flows", "gh-int")
        .lines()
        .filter(line -> line.contains("actions="))
        .toList();
  }

  /** Runs {@code ovs-vsctl} on a DPU. */
  String vsctl(int dpu, String... arguments) {
    return lab.exec(
        "dpu" + dpu, CommandLines.join(List.of("ovs-vsctl", "--timeout=30"), arguments));
  }

  /** Runs {@code ovs-ofctl} on a DPU. */
  String ofctl(int dpu, String... arguments) {
    return lab.exec(
        "dpu" + dpu, CommandLines.join(List.of("ovs-ofctl", "-O", "OpenFlow15"), arguments));
  }

  @Override
  public void close() {
    operator.close();
    lab.close();
  }
}
