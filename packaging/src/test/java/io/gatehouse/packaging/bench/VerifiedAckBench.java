package io.gatehouse.packaging.bench;

import io.gatehouse.packaging.Lab;
import io.gatehouse.packaging.Operator;
import io.gatehouse.proto.v1.Port;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * From the call that creates a port, over gRPC and mutual TLS, to the answer that its DPU has read
 * back the flows from a real Open vSwitch; and the CPU time that all processes together took for
 * it. Not a test: it asserts nothing. Argument: changes.
 */
public final class VerifiedAckBench {
  private static final int WARM_UP = 100;
  private static final List<String> FUNCTIONS = List.of("pf0vf0", "pf0vf1", "pf0vf2", "pf0vf3");

  private VerifiedAckBench() {}

  public static void main(String[] arguments) {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200;
    try (Lab lab = Lab.running(1);
        Operator operator = Operator.of(lab)) {
      operator.createDpu(1);
      lab.gatehouse("tenant", "create", "bench");
      lab.gatehouse("network", "create", "bench/net", "--ipv4", "10.0.0.0/24", "--wait");
      measure(operator, new Samples(WARM_UP), new Samples(WARM_UP), WARM_UP);
      List<ProcessCost> costs =
          Stream.of("control/control-plane", "dpu1/agent", "dpu1/vswitchd", "dpu1/ovsdb")
              .map(name -> new ProcessCost(lab.directory().resolve(Path.of(name + ".pid"))))
              .toList();
      long before = costs.stream().mapToLong(ProcessCost::cpuMillis).sum();
      Samples creates = new Samples(rounds);
      Samples deletes = new Samples(rounds);
      measure(operator, creates, deletes, rounds);
      long cpu = costs.stream().mapToLong(ProcessCost::cpuMillis).sum() - before;
      System.out.println(creates.line("port created: call to verified ack"));
      System.out.println(deletes.line("port deleted: call to verified ack"));
      System.out.printf(
          Locale.ROOT,
          "CPU of control plane, agent, vswitchd, ovsdb: %.1f ms a change%n",
          (double) cpu / (2 * rounds));
    }
  }

  private static void measure(Operator operator, Samples creates, Samples deletes, int rounds) {
    for (int round = 0; round < rounds; round++) {
      Port port =
          Port.newBuilder()
              .setName("tenants/bench/networks/net/ports/p" + round)
              .setDpu("dpus/dpu1")
              .setFunction(FUNCTIONS.get(round % FUNCTIONS.size()))
              .build();
      long start = System.nanoTime();
      Port created = operator.create(port);
      long between = System.nanoTime();
      creates.add(between - start);
      operator.deletePort(created.getName());
      deletes.add(System.nanoTime() - between);
    }
  }
}
