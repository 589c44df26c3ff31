package io.gatehouse.packaging;

import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.proto.v1.RuleDirection;
import io.gatehouse.proto.v1.SecurityGroup;
import io.gatehouse.proto.v1.SecurityRule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who reaches whom under security groups, worked out in the plainest way there is: every rule of
 * every group of both ends is asked. The groups and who has them come out of a seed.
 *
 * @param groups by name
 * @param groupsOf names of the groups of each host
 */
record ReachabilityTable(Map<String, SecurityGroup> groups, Map<String, Set<String>> groupsOf) {
  private static final int GROUPS = 4;
  private static final int MAX_RULES = 5;
  private static final int MAX_GROUPS_OF_ONE = 2;

  /** A host by name, with its two addresses. */
  record Host(String name, IpAddress ipv4, IpAddress ipv6) {
    IpAddress address(Probe probe) {
      return probe.isV4() ? ipv4 : ipv6;
    }
  }

  /** Packets that open a connection. */
  enum Probe {
    TCP_80("tcp", 80, true),
    TCP_8080("tcp", 8080, true),
    UDP_53("udp", 53, true),
    ECHO("icmp", 0, true),
    TCP_80_V6("tcp", 80, false),
    UDP_9_V6("udp", 9, false),
    ECHO_V6("icmpv6", 0, false);

    private final String protocol;
    private final int port;
    private final boolean v4;

    Probe(String protocol, int port, boolean v4) {
      this.protocol = protocol;
      this.port = port;
      this.v4 = v4;
    }

    String protocol() {
      return protocol;
    }

    int port() {
      return port;
    }

    boolean isV4() {
      return v4;
    }
  }

  /** Groups with random rules on random hosts. */
  static ReachabilityTable random(String tenant, List<Host> hosts, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> names = new ArrayList<>();
    for (int g = 0; g < GROUPS; g++) {
      names.add(tenant + "/securityGroups/table-" + g);
    }
    Map<String, SecurityGroup> groups = new TreeMap<>();
    for (String name : names) {
      Set<SecurityRule> rules = new HashSet<>();
      for (int r = random.nextInt(MAX_RULES + 1); r > 0; r--) {
        rules.add(rule(random, names, hosts));
      }
      groups.put(name, SecurityGroup.newBuilder().setName(name).addAllRules(rules).build());
    }
    Map<String, Set<String>> groupsOf = new TreeMap<>();
    for (Host host : hosts) {
      Set<String> own = new TreeSet<>();
      for (int g = random.nextInt(MAX_GROUPS_OF_ONE + 1); g > 0; g--) {
        own.add(names.get(random.nextInt(names.size())));
      }
      groupsOf.put(host.name(), own);
    }
    return new ReachabilityTable(groups, groupsOf);
  }

  private static SecurityRule rule(SplittableRandom random, List<String> groups, List<Host> hosts) {
    SecurityRule.Builder rule =
        SecurityRule.newBuilder()
            .setDirection(
                random.nextBoolean()
                    ? RuleDirection.RULE_DIRECTION_INGRESS
                    : RuleDirection.RULE_DIRECTION_EGRESS);
    boolean v4 = random.nextInt(3) > 0;
    switch (random.nextInt(6)) {
      case 0 -> rule.setProtocol("tcp").setPortMin(80);
      case 1 -> rule.setProtocol("tcp").setPortMin(8_000).setPortMax(8_191);
      case 2 -> rule.setProtocol("udp");
      case 3 -> rule.setProtocol(v4 ? "icmp" : "icmpv6");
      case 4 -> rule.setProtocol(v4 ? "icmp" : "icmpv6").setIcmpType(v4 ? 8 : 128);
      default -> rule.setProtocol("");
    }
    Host host = hosts.get(random.nextInt(hosts.size()));
    switch (random.nextInt(4)) {
      case 0 -> rule.setRemoteCidr(v4 ? host.ipv4() + "/32" : host.ipv6() + "/128");
      case 1 -> rule.setRemoteCidr(v4 ? "10.0.0.0/30" : "fd00:0:0:1::/126");
      case 2 -> rule.setRemoteGroup(groups.get(random.nextInt(groups.size())));
      default -> {
        // From everywhere.
      }
    }
    return rule.build();
  }

  /** Names of the groups of a host. */
  Set<String> groupsOf(Host host) {
    return groupsOf.getOrDefault(host.name(), Set.of());
  }

  /** Whether the first packet of a connection gets through. */
  boolean reaches(Host from, Host to, Probe probe) {
    return passes(RuleDirection.RULE_DIRECTION_EGRESS, from, to, probe)
        && passes(RuleDirection.RULE_DIRECTION_INGRESS, to, from, probe);
  }

  private boolean passes(RuleDirection direction, Host host, Host remote, Probe probe) {
    Set<String> own = groupsOf(host);
    return own.isEmpty()
        || groups.values().stream()
            .filter(group -> own.contains(group.getName()))
            .flatMap(group -> group.getRulesList().stream())
            .filter(rule -> rule.getDirection() == direction)
            .anyMatch(rule -> isOf(rule, probe) && isWith(rule, remote, probe));
  }

  private static boolean isOf(SecurityRule rule, Probe probe) {
    if (rule.getProtocol().isEmpty()) {
      return true;
    }
    boolean ports =
        rule.getPortMin() == 0
            || (probe.port() >= rule.getPortMin()
                && probe.port() <= Math.max(rule.getPortMax(), rule.getPortMin()));
    return rule.getProtocol().equals(probe.protocol()) && ports;
  }

  private boolean isWith(SecurityRule rule, Host remote, Probe probe) {
    return switch (rule.getRemoteCase()) {
      case REMOTE_CIDR -> Cidr.parse(rule.getRemoteCidr()).contains(remote.address(probe));
      case REMOTE_GROUP -> groupsOf(remote).contains(rule.getRemoteGroup());
      case REMOTE_NOT_SET -> true;
    };
  }
}
