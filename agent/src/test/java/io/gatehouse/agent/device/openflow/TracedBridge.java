package io.gatehouse.agent.device.openflow;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.unixctl.UnixctlClient;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.trace.SwitchTracer;
import io.gatehouse.agent.trace.Trace;
import io.gatehouse.agent.walk.ConnectionState;
import io.gatehouse.agent.walk.Delivery;
import io.gatehouse.agent.walk.Packet;
import io.gatehouse.agent.walk.Walked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** A real switch that is asked what it would do with packets; none is ever sent. */
public final class TracedBridge implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final VswitchdProcess vswitchd;
  private final SwitchTracer tracer;
  private final SortedSet<Integer> ports = new TreeSet<>();

  private TracedBridge(VswitchdProcess vswitchd) {
    this.vswitchd = vswitchd;
    this.tracer = new SwitchTracer(new UnixctlClient(vswitchd.directory(), LIMIT), Site.BRIDGE);
  }

  public static TracedBridge start() throws IOException {
    VswitchdProcess vswitchd = VswitchdProcess.start("trace");
    vswitchd.addBridge(Site.BRIDGE);
    return new TracedBridge(vswitchd);
  }

  public VswitchdProcess vswitchd() {
    return vswitchd;
  }

  public SwitchTracer tracer() {
    return tracer;
  }

  /** The bridge has these ports from now on; the tunnel among them is a VXLAN port. */
  public void ports(Set<Integer> numbers, int tunnel) {
    List<String> command = new ArrayList<>();
    for (int old : ports) {
      command.addAll(List.of("--", "--if-exists", "del-port", Site.BRIDGE, "p" + old));
    }
    vsctl(command);
    command.clear();
    ports.clear();
    for (int number : numbers) {
      command.addAll(List.of("--", "add-port", Site.BRIDGE, "p" + number));
      command.addAll(List.of("--", "set", "interface", "p" + number, "ofport_request=" + number));
      command.addAll(
          number == tunnel
              ? List.of("type=vxlan", "options:remote_ip=flow", "options:key=flow")
              : List.of("type=internal"));
      ports.add(number);
    }
    vsctl(command);
  }

  private void vsctl(List<String> command) {
    if (!command.isEmpty()) {
      vswitchd.vsctl(command.subList(1, command.size()).toArray(new String[0]));
    }
  }

  /** Takes the meters of a plan in place of those that are there; flows that used those go. */
  public void meters(FlowPlan plan) {
    vswitchd.ofctl("del-meters", Site.BRIDGE);
    plan.fragments().values().stream()
        .flatMap(fragment -> fragment.meters().stream())
        .forEach(meter -> vswitchd.ofctl("add-meter", Site.BRIDGE, meter.toString()));
  }

  public void replaceFlows(List<Flow> flows) throws IOException {
    Path file = vswitchd.directory().resolve("flows.txt");
    Files.write(file, flows.stream().map(Flow::toString).toList());
    vswitchd.ofctl("del-flows", Site.BRIDGE);
    vswitchd.ofctlBundle(Site.BRIDGE, file);
  }

  /** The ports that the switch would send to, sorted. */
  public List<Integer> trace(Packet packet, List<ConnectionState> states)
      throws DeviceException, InterruptedException {
    Trace trace = tracer.trace(packet, states);
    List<Integer> sent = new ArrayList<>(trace.ports());
    if (trace.floods()) {
      ports.stream().filter(port -> port != packet.inPort()).forEach(sent::add);
      sent.add(Actions.LOCAL);
    }
    return sent.stream().sorted().toList();
  }

  /** The ports that the walker would send to, sorted. */
  public static List<Integer> ports(Walked walked) {
    return walked.deliveries().stream().map(Delivery::port).sorted().toList();
  }

  @Override
  public void close() {
    tracer.close();
    vswitchd.close();
  }
}
