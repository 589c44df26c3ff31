package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.AddressPair;
import io.gatehouse.proto.v1.HostConfiguration;
import io.gatehouse.proto.v1.HostRoute;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.RateLimit;
import io.gatehouse.proto.v1.RateLimits;
import io.gatehouse.proto.v1.SecurityGroup;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code gatehouse security-group} and {@code quarantine}; what bounds ports and tells hosts. */
class SecurityCommandsTest {
  private static final String PORT = "tenants/acme/networks/blue/ports/web-1";

  @TempDir Path directory;
  private CliFixture cli;

  @BeforeEach
  void start() throws IOException {
    cli = new CliFixture(directory);
    cli.ok("tenant", "create", "acme");
    cli.ok("network", "create", "acme/blue", "--ipv4", "10.0.0.0/24");
  }

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void aGroupIsWrittenInRulesAndShownInThem() {
    cli.ok("security-group", "create", "acme/lb", "--display-name", "balancers");
    assertThat(
            cli.ok(
                "security-group",
                "create",
                "acme/web",
                "--rule",
                "ingress,tcp,80-443,remote=10.0.0.0/24",
                "--rule",
                "ingress,icmp,type=8,code=0,group=acme/lb",
                "--rule",
                "egress"))
        .isEqualTo("created security-group acme/web at revision 4\n");
    assertThat(cli.ok("security-group", "get", "acme/web"))
        .contains("rules[0]      ingress,tcp,80-443,remote=10.0.0.0/24")
        .contains("rules[1]      ingress,icmp,type=8,code=0,group=acme/lb")
        .contains("rules[2]      egress");
    cli.ok("security-group", "update", "acme/web", "--rule", "egress,udp,53");
    assertThat(cli.ok("security-group", "list", "acme"))
        .isEqualTo(
            """
            NAME      RULES  PORTS  DISPLAY NAME  UPDATED
            acme/lb   -      -      balancers     3 m ago
            acme/web  1      -      -             3 m ago
            """);
    cli.ok("security-group", "update", "acme/web", "--rule", "");
    assertThat(group("web").getRulesList()).isEmpty();
    assertThat(cli.ok("security-group", "delete", "acme/web"))
        .isEqualTo("deleted security-group acme/web at revision 7\n");
  }

  @Test
  void singleRulesAreAddedAndRemoved() {
    cli.ok("security-group", "create", "acme/web", "--rule", "egress");
    String[] add = {"security-group", "rule", "add", "acme/web", "ingress,tcp,443"};
    assertThat(cli.ok(add)).isEqualTo("updated security-group acme/web at revision 4\n");
    cli.ok(add);
    assertThat(group("web").getRulesList()).as("once").hasSize(2);
    cli.ok("security-group", "rule", "remove", "acme/web", "ingress,tcp,443-443");
    assertThat(group("web").getRulesList()).hasSize(1);
    CliFixture.Result none =
        cli.run("security-group", "rule", "remove", "acme/web", "ingress,udp,53");
    assertThat(none.code()).isEqualTo(3);
    assertThat(none.err()).contains("the group has no rule ingress,udp,53");
  }

  @Test
  void aChangeOfOneRuleCarriesItsRequestId() {
    cli.ok("security-group", "create", "acme/web", "--rule", "egress");
    String[] add = {
      "security-group",
      "rule",
      "add",
      "acme/web",
      "ingress,tcp,443",
      "--request-id",
      "0b3f3c52-8a38-4c83-a7f7-0a4cf0d0a001"
    };
    assertThat(cli.ok(add)).as("the first answer again").isEqualTo(cli.ok(add));
    assertThat(
            cli.run("security-group", "rule", "remove", "acme/web", "egress", "--request-id", "x")
                .err())
        .contains("request_id");
    assertThat(group("web").getRulesList()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "sideways; security_group.rules; is not of the form",
        "ingress,tcp,70000; security_group.rules.port_min; is outside",
        "ingress,tcp,443-80; security_group.rules.port_max; is outside 443..65535",
        "ingress,47,80; security_group.rules.port_min; without ports",
        "ingress,tcp,http; security_group.rules.port_min; is not a number",
        "egress,remote=10.0.0.1/24; security_group.rules.remote_cidr; has bits behind the prefix",
        "egress,icmp,code=1; security_group.rules.icmp_code; needs an icmp_type"
      })
  void aComplaintNamesTheFieldAndTheReason(String rule, String field, String reason) {
    CliFixture.Result result = cli.run("security-group", "create", "acme/web", "--rule", rule);
    assertThat(result.code()).as("%s", result).isNotZero();
    assertThat(result.err()).contains(field).contains(reason);
    assertThat(cli.controlPlane.store.find("tenants/acme/securityGroups/web")).isEmpty();
  }

  @Test
  void aPortIsBoundByFlags() {
    cli.ok("security-group", "create", "acme/web");
    cli.ok("dpu", "create", "dpu1", "--vtep", "192.0.2.1");
    cli.ok(
        "port",
        "create",
        "acme/blue/web-1",
        "--dpu",
        "dpu1",
        "--function",
        "pf0vf0",
        "--security-group",
        "acme/web",
        "--allowed-pair",
        "10.0.0.100/32,00:00:5E:00:01:07",
        "--egress-mbit",
        "100",
        "--connections",
        "5");
    Port port = (Port) cli.controlPlane.store.get(PORT);
    assertThat(port.getSecurityGroupsList()).containsExactly("tenants/acme/securityGroups/web");
    assertThat(port.getAllowedAddressPairsList())
        .containsExactly(
            AddressPair.newBuilder()
                .setIpCidr("10.0.0.100/32")
                .setMacAddress("00:00:5e:00:01:07")
                .build());
    cli.ok("port", "update", "acme/blue/web-1", "--ingress-pps", "1000", "--security-group", "");
    Port changed = (Port) cli.controlPlane.store.get(PORT);
    assertThat(changed.getSecurityGroupsList()).isEmpty();
    assertThat(changed.getRateLimits())
        .as("the other limits stay")
        .isEqualTo(
            RateLimits.newBuilder()
                .setEgress(RateLimit.newBuilder().setMegabitsPerSecond(100))
                .setIngress(RateLimit.newBuilder().setPacketsPerSecond(1_000))
                .setConnections(5)
                .build());
  }

  @Test
  void aNetworkTellsItsHosts() {
    cli.ok("network", "update", "acme/blue", "--dns", "10.0.0.53", "--route", "0.0.0.0/0=10.0.0.1");
    cli.ok("network", "update", "acme/blue", "--lease", "600");
    assertThat(
            ((Network) cli.controlPlane.store.get("tenants/acme/networks/blue"))
                .getHostConfiguration())
        .isEqualTo(
            HostConfiguration.newBuilder()
                .addDnsServers("10.0.0.53")
                .addRoutes(
                    HostRoute.newBuilder().setDestination("0.0.0.0/0").setNextHop("10.0.0.1"))
                .setLeaseSeconds(600)
                .build());
    CliFixture.Result refused = cli.run("network", "update", "acme/blue", "--route", "10.0.0.1");
    assertThat(refused.err()).contains("network.host_configuration.routes", "DESTINATION=ROUTER");
  }

  @Test
  void groupsThatNameEachOtherAreApplied() {
    String manifest =
        """
        kind: SecurityGroup
        name: acme/a
        rules:
          - {direction: INGRESS, protocol: tcp, port_min: 443, remote_group: tenants/acme/securityGroups/b}
        ---
        kind: SecurityGroup
        name: acme/b
        rules:
          - {direction: ingress, remote_group: tenants/acme/securityGroups/a}
          - {direction: ingress, remote_group: tenants/acme/securityGroups/b}
        ---
        kind: Port
        name: acme/blue/web-1
        dpu: dpu1
        function: pf0vf0
        security_groups: [acme/a]
        allowed_address_pairs: [{ip_cidr: 10.0.0.100/32}]
        rate_limits: {egress: {megabits_per_second: 10}}
        """;
    cli.ok("dpu", "create", "dpu1", "--vtep", "192.0.2.1");
    assertThat(apply(manifest))
        .isEqualTo(
            """
            created SecurityGroup acme/a
            created SecurityGroup acme/b
            created Port acme/blue/web-1
            created 3, updated 0, unchanged 0
            """);
    assertThat(group("a").getRules(0).getPortMax()).isEqualTo(443);
    assertThat(group("b").getRulesList()).hasSize(2);
    assertThat(((Port) cli.controlPlane.store.get(PORT)).getAllowedAddressPairsList()).hasSize(1);
    assertThat(apply(manifest)).isEqualTo("created 0, updated 0, unchanged 3\n");
    assertThat(apply(cli.ok("security-group", "get", "acme/a", "-o", "yaml")))
        .as("what get prints can be applied")
        .isEqualTo("created 0, updated 0, unchanged 1\n");
    assertThat(apply(manifest.replace("port_min: 443", "port_min: 80")))
        .startsWith("updated SecurityGroup acme/a\n");
  }

  @Test
  void aManifestsRuleIsRefusedWithItsLine() {
    CliFixture.Result result =
        cli.runWith(
            """
            kind: SecurityGroup
            name: acme/a
            rules:
              - direction: INGRESS
                port_min: 70000
            """,
            "apply",
            "-f",
            "-");
    assertThat(result.code()).isNotZero();
    assertThat(result.err()).contains("stdin:5", "port_min");
  }

  @Test
  void aQuarantineIsSetListedAndReleased() {
    assertThat(cli.ok("quarantine", "set", "acme/blue/web-1", "--reason", "odd scans"))
        .isEqualTo("quarantined acme/blue/web-1 at revision 6\n");
    cli.ok(
        "quarantine", "set", "dpus/dpu1", "--reason", "broken", "--allow", "10.0.0.9/32,fd00::/64");
    cli.ok("quarantine", "set", "acme", "--reason", "unpaid");
    assertThat(cli.ok("quarantine", "list"))
        .isEqualTo(
            """
            TARGET           REASON     ALLOWED                 SET BY           SET
            dpus/dpu1        broken     10.0.0.9/32, fd00::/64  operators/admin  3 m ago
            acme             unpaid     -                       operators/admin  3 m ago
            acme/blue/web-1  odd scans  -                       operators/admin  3 m ago
            """);
    assertThat(cli.ok("quarantine", "list", "acme", "-o", "json")).doesNotContain("dpu1");
    assertThat(cli.ok("quarantine", "release", "acme")).isEqualTo("released acme at revision 7\n");
    CliFixture.Result again = cli.run("quarantine", "release", "acme");
    assertThat(again.code()).isNotZero();
    assertThat(again.err()).contains("has no quarantine of its own");
    assertThat(cli.run("quarantine", "set", "acme").err()).contains("--reason");
  }

  @Test
  void anExplanationSaysThatThePortIsCutOff() {
    cli.ok("dpu", "create", "dpu1", "--vtep", "192.0.2.1");
    cli.ok("port", "create", "acme/blue/web-1", "--dpu", "dpu1", "--function", "pf0vf0");
    assertThat(cli.run("explain", "acme/blue/web-1").out()).doesNotContain("quarantined");
    cli.controlPlane.store.amend(
        PORT, port -> ((Port) port).toBuilder().setQuarantineReason("odd scans").build());
    assertThat(cli.run("explain", "acme/blue/web-1").out())
        .containsPattern("quarantined +odd scans");
  }

  private String apply(String manifest) {
    CliFixture.Result result = cli.runWith(manifest, "apply", "-f", "-");
    assertThat(result.code()).as("%s", result).isZero();
    return result.out();
  }

  private SecurityGroup group(String id) {
    return (SecurityGroup) cli.controlPlane.store.get("tenants/acme/securityGroups/" + id);
  }
}
