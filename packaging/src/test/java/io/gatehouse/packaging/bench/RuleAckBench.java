package io.gatehouse.packaging.bench;

import io.gatehouse.packaging.Lab;
import io.gatehouse.packaging.Operator;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.RuleDirection;
import io.gatehouse.proto.v1.SecurityGroup;
import io.gatehouse.proto.v1.SecurityRule;

/**
 * From the call that adds a rule to a security group of 50 ports on three DPUs, to the answer that
 * all three have read back the flows from real switches; and the same for a rule that goes. Not a
 * test: it asserts nothing. Argument: changes.
 */
public final class RuleAckBench {
  private static final int WARM_UP = 50;
  private static final int DPUS = 3;
  private static final int PORTS = 50;
  private static final int RULES = 10;

  /** Functions that the lab makes by itself. */
  private static final int FUNCTIONS = 4;

  private static final String GROUP = "tenants/bench/securityGroups/web";

  private RuleAckBench() {}

  public static void main(String[] arguments) {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200;
    try (Lab lab = Lab.running(DPUS);
        Operator operator = Operator.of(lab)) {
      for (int n = 1; n <= DPUS; n++) {
        operator.createDpu(n);
      }
      lab.gatehouse("tenant", "create", "bench");
      lab.gatehouse("network", "create", "bench/net", "--ipv4", "10.0.0.0/24", "--wait");
      operator.createGroup(group(RULES));
      for (int number = 0; number < PORTS; number++) {
        create(lab, operator, number);
      }
      measure(operator, new Samples(WARM_UP), new Samples(WARM_UP), WARM_UP);
      Samples added = new Samples(rounds);
      Samples removed = new Samples(rounds);
      measure(operator, added, removed, rounds);
      System.out.println(added.line("rule added to 50 ports: call to verified ack"));
      System.out.println(removed.line("rule removed: call to verified ack"));
    }
  }

  private static void measure(Operator operator, Samples added, Samples removed, int rounds) {
    for (int round = 0; round < rounds; round++) {
      long start = System.nanoTime();
      operator.updateRules(group(RULES + 1));
      long between = System.nanoTime();
      added.add(between - start);
      operator.updateRules(group(RULES));
      removed.add(System.nanoTime() - between);
    }
  }

  private static SecurityGroup group(int rules) {
    SecurityGroup.Builder group = SecurityGroup.newBuilder().setName(GROUP);
    for (int rule = 0; rule < rules; rule++) {
      group.addRules(
          SecurityRule.newBuilder()
              .setDirection(RuleDirection.RULE_DIRECTION_INGRESS)
              .setProtocol("tcp")
              .setPortMin(8_000 + 10 * rule)
              .setRemoteGroup(GROUP));
    }
    return group.build();
  }

  private static void create(Lab lab, Operator operator, int number) {
    int dpu = 1 + number % DPUS;
    String function = "pf0vf" + number / DPUS;
    if (number / DPUS >= FUNCTIONS) {
      // Without a host behind it: what counts is that the switch has the port.
      lab.exec("dpu" + dpu, "ip", "link", "add", function, "type", "veth", "peer", "x" + function);
    }
    operator.create(
        Port.newBuilder()
            .setName("tenants/bench/networks/net/ports/p" + number)
            .setDpu("dpus/dpu" + dpu)
            .setFunction(function)
            .addSecurityGroups(GROUP)
            .build());
  }
}
