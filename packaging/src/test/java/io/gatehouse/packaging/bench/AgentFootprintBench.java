package io.gatehouse.packaging.bench;

import io.gatehouse.packaging.Eventually;
import io.gatehouse.packaging.Lab;
import io.gatehouse.packaging.Metrics;
import io.gatehouse.packaging.Operator;
import io.gatehouse.proto.v1.CreatePortRequest;
import io.gatehouse.proto.v1.Port;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * An agent that has 1 000 ports to know of: its memory, how long the switch takes to have them all,
 * and how long the agent takes to be ready again after kill -9. The ports are four on its own DPU
 * and the rest on a DPU that is not there, since a switch of real devices slows down with their
 * number and not with ours. Not a test: it asserts nothing. Argument: ports.
 */
public final class AgentFootprintBench {
  private static final int LOCAL = 4;

  private AgentFootprintBench() {}

  public static void main(String[] arguments) {
    int ports = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000;
    try (Lab lab = Lab.running(1);
        Operator operator = Operator.of(lab)) {
      operator.createDpu(1);
      operator.createDpu(2);
      lab.gatehouse("tenant", "create", "bench", "--max-ports", String.valueOf(ports));
      lab.gatehouse("network", "create", "bench/net", "--ipv4", "10.0.0.0/16");
      long revision = 0;
      for (int i = 0; i < ports; i++) {
        revision = create(operator, i);
      }
      long newest = revision;
      Eventually.holds("all is applied", () -> applied(lab) >= newest);
      ProcessCost agent = new ProcessCost(lab.directory().resolve("dpu1/agent.pid"));
      System.out.printf(
          Locale.ROOT,
          "agent with %d ports, %.0f flows: RSS %d MB%n",
          ports,
          Metrics.ofAgent(lab, 1).sum("gatehouse_agent_flows"),
          agent.residentMegabytes());
      lab.run("kill", "agent", "1");
      restart(lab, newest, "after kill -9");
      lab.run("kill", "agent", "1");
      lab.exec("dpu1", "ovs-vsctl", "--if-exists", "del-br", "gh-int");
      restart(lab, newest, "from an empty switch");
    }
  }

  private static void restart(Lab lab, long revision, String what) {
    lab.run("start", "agent", "1", "--no-wait");
    Eventually.holds("all is applied again", () -> applied(lab) >= revision);
    ProcessCost agent = new ProcessCost(lab.directory().resolve("dpu1/agent.pid"));
    System.out.printf(
        Locale.ROOT,
        "%s: read back %d ms after the start of the process (to 0.1 s), CPU %d ms, RSS %d MB,"
            + " %.0f writes%n",
        what,
        agent.ageMillis(),
        agent.cpuMillis(),
        agent.residentMegabytes(),
        Metrics.ofAgent(lab, 1).sum("gatehouse_agent_writes_total"));
  }

  private static double applied(Lab lab) {
    try {
      return Metrics.ofAgent(lab, 1).sum("gatehouse_agent_revision_applied");
    } catch (UncheckedIOException e) {
      return -1; // it does not listen yet
    }
  }

  private static long create(Operator operator, int number) {
    Port port =
        Port.newBuilder()
            .setName("tenants/bench/networks/net/ports/p" + number)
            .setDpu(number < LOCAL ? "dpus/dpu1" : "dpus/dpu2")
            .setFunction("pf0vf" + number)
            .build();
    return operator
        .ports()
        .createPort(CreatePortRequest.newBuilder().setPort(port).build())
        .getRevision();
  }
}
