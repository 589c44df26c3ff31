package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.FailureDomain;
import io.gatehouse.proto.v1.Tenant;
import io.gatehouse.proto.v1.TenantState;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResourceCommandsTest {
  @TempDir Path directory;
  private CliFixture cli;

  @BeforeEach
  void populate() throws IOException {
    cli = new CliFixture(directory);
    cli.ok("tenant", "create", "acme", "--display-name", "ACME Corp", "--max-networks", "4");
    cli.ok("dpu", "create", "dpu1", "--vtep", "192.0.2.1", "--rack", "r7");
    cli.ok("dpu", "create", "dpus/dpu2", "--vtep", "192.0.2.2");
    cli.ok("network", "create", "acme/blue", "--ipv4", "10.0.0.0/24");
    cli.ok("port", "create", "acme/blue/web-1", "--dpu", "dpu1", "--function", "pf0vf0");
  }

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void createTellsTheRevision() {
    assertThat(cli.ok("tenant", "create", "tenants/beta"))
        .isEqualTo("created tenant beta at revision 6\n");
  }

  @Test
  void createPrintsTheContractsAnswerAsJson() {
    assertThat(
            cli.ok(
                "port",
                "create",
                "acme/blue/web-2",
                "--dpu",
                "dpus/dpu2",
                "--function",
                "pf0vf0",
                "--ip",
                "10.0.0.7",
                "--ip",
                "10.0.0.8",
                "--mac",
                "02:AA:00:00:00:01",
                "-o",
                "json"))
        .isEqualTo(
            """
            {
              "port": {
                "name": "tenants/acme/networks/blue/ports/web-2",
                "display_name": "",
                "dpu": "dpus/dpu2",
                "function": "pf0vf0",
                "mac_address": "02:aa:00:00:00:01",
                "ip_addresses": ["10.0.0.7", "10.0.0.8"],
                "admin_state": "PORT_ADMIN_STATE_ENABLED",
                "uid": "6f0e8c1e-3f5b-4a6e-9d37-0a5c2b7d9e11",
                "status": {
                  "state": "PORT_STATE_PENDING",
                  "revision": "0",
                  "reason": ""
                },
                "create_time": "2026-08-01T10:00:00Z",
                "update_time": "2026-08-01T10:00:00Z",
                "etag": "e6",
                "security_groups": [],
                "allowed_address_pairs": [],
                "quarantine_reason": ""
              },
              "revision": "6"
            }
            """);
  }

  @Test
  void listsAllPagesAsAnAlignedTable() {
    cli.ok("port", "create", "acme/blue/web-2", "--dpu", "dpu2", "--function", "pf0vf0");
    cli.ok("port", "create", "acme/blue/web-3", "--dpu", "dpu2", "--function", "pf0vf10");
    assertThat(cli.ok("port", "list"))
        .isEqualTo(
            """
            NAME             DPU   FUNCTION  MAC                ADDRESSES  STATE    REASON  UPDATED
            acme/blue/web-1  dpu1  pf0vf0    02:00:00:00:00:0a  10.0.0.10  PENDING  -       3 m ago
            acme/blue/web-2  dpu2  pf0vf0    02:00:00:00:00:0a  10.0.0.10  PENDING  -       3 m ago
            acme/blue/web-3  dpu2  pf0vf10   02:00:00:00:00:0a  10.0.0.10  PENDING  -       3 m ago
            """);
    assertThat(cli.ok("tenant", "list"))
        .isEqualTo(
            """
            NAME  STATE   NETWORKS  PORTS  DISPLAY NAME  UPDATED
            acme  ACTIVE  4         1000   ACME Corp     3 m ago
            """);
    assertThat(cli.ok("network", "list", "acme"))
        .isEqualTo(
            """
            NAME       VNI   IPV4         IPV6  MTU   PATHS  DISPLAY NAME  UPDATED
            acme/blue  5001  10.0.0.0/24  -     1450  -      -             3 m ago
            """);
    assertThat(cli.ok("dpu", "list"))
        .isEqualTo(
            """
            NAME  VTEP       MTU   CONNECTED  DESIRED  APPLIED  PROBLEMS  LAST SEEN
            dpu1  192.0.2.1  1500  no         0        0        -         -
            dpu2  192.0.2.2  1500  no         0        0        -         -
            """);
  }

  @Test
  void listsBelowAnOwnerAndByAFilter() {
    cli.ok("tenant", "create", "beta");
    cli.ok("network", "create", "beta/red", "--ipv6", "fd00::/64");
    assertThat(cli.ok("network", "list", "tenants/beta"))
        .contains("beta/red")
        .doesNotContain("acme");
    assertThat(cli.ok("network", "list", "-")).contains("beta/red", "acme/blue");
    assertThat(cli.ok("network", "list", "--filter", "vni != \"5001\"")).doesNotContain("acme");
    assertThat(cli.ok("port", "list", "beta"))
        .isEqualToIgnoringNewLines("NAME  DPU  FUNCTION  MAC  ADDRESSES  STATE  REASON  UPDATED");
    assertThat(cli.ok("port", "list", "beta", "-o", "json")).isEqualTo("[]\n");
  }

  @Test
  void getShowsAllFields() {
    assertThat(cli.ok("port", "get", "acme/blue/web-1"))
        .isEqualTo(
            """
            name                                     tenants/acme/networks/blue/ports/web-1
            display_name                             -
            dpu                                      dpus/dpu1
            function                                 pf0vf0
            mac_address                              02:00:00:00:00:0a
            ip_addresses                             10.0.0.10
            admin_state                              ENABLED
            uid                                      6f0e8c1e-3f5b-4a6e-9d37-0a5c2b7d9e11
            status.state                             PENDING
            status.revision                          -
            status.reason                            -
            create_time                              3 m ago
            update_time                              3 m ago
            etag                                     e5
            security_groups                          -
            rate_limits.egress.megabits_per_second   -
            rate_limits.egress.burst_kilobits        -
            rate_limits.egress.packets_per_second    -
            rate_limits.egress.burst_packets         -
            rate_limits.ingress.megabits_per_second  -
            rate_limits.ingress.burst_kilobits       -
            rate_limits.ingress.packets_per_second   -
            rate_limits.ingress.burst_packets        -
            rate_limits.connections_per_second       -
            rate_limits.connections                  -
            quarantine_reason                        -
            """);
    assertThat(cli.ok("tenant", "get", "acme", "-o", "json"))
        .startsWith("{\n  \"name\": \"tenants/acme\",\n  \"display_name\": \"ACME Corp\",");
  }

  @Test
  void updateChangesTheGivenFieldsOnly() {
    assertThat(cli.ok("tenant", "update", "acme", "--state", "suspended"))
        .isEqualTo("updated tenant acme at revision 6\n");
    Tenant tenant = (Tenant) cli.controlPlane.store.get("tenants/acme");
    assertThat(tenant.getState()).isEqualTo(TenantState.TENANT_STATE_SUSPENDED);
    assertThat(tenant.getDisplayName()).isEqualTo("ACME Corp");
    cli.ok("tenant", "update", "acme", "--display-name", "");
    assertThat(((Tenant) cli.controlPlane.store.get("tenants/acme")).getDisplayName()).isEmpty();
  }

  @Test
  void updateOfAPartKeepsTheOtherParts() {
    cli.ok("dpu", "update", "dpu1", "--site", "fra");
    assertThat(((Dpu) cli.controlPlane.store.get("dpus/dpu1")).getFailureDomain())
        .isEqualTo(FailureDomain.newBuilder().setSite("fra").setRack("r7").build());
  }

  @Test
  void aRepeatWithTheSameRequestIdChangesNothing() {
    String[] create = {
      "tenant", "create", "beta", "--request-id", "0b3f3c52-8a38-4c83-a7f7-0a4cf0d0a001"
    };
    assertThat(cli.ok(create)).isEqualTo(cli.ok(create));
  }

  @Test
  void aDpuThatIsNotForItsEyesIsNotWaitedFor() {
    cli.controlPlane.fleet.hidden.add("dpus/dpu1");
    CliFixture.Result result =
        cli.run("port", "update", "acme/blue/web-1", "--function", "pf0vf1", "--wait");
    assertThat(result.code()).isEqualTo(0);
    assertThat(result.out()).contains("applied on all 2 DPUs of tenants/acme/networks/blue");
    assertThat(result.err()).contains("not waited for on dpus/dpu1");
    cli.controlPlane.fleet.hidden.add("tenants/acme/networks/blue");
    assertThat(
            cli.run("port", "update", "acme/blue/web-1", "--function", "pf0vf2", "--wait").code())
        .isEqualTo(3);
  }

  @Test
  void waitsForTheDpusThatAChangeConcerns() {
    assertThat(
            cli.ok(
                "port",
                "update",
                "acme/blue/web-1",
                "--dpu",
                "dpu2",
                "--function",
                "pf0vf1",
                "--wait"))
        .isEqualTo(
            """
            updated port acme/blue/web-1 at revision 6
            applied on all 2 DPUs of tenants/acme/networks/blue
            applied on the 1 DPU of dpus/dpu1
            """);
    cli.ok("dpu", "update", "dpu2", "--vtep", "192.0.2.9", "--wait");
    cli.ok("port", "delete", "acme/blue/web-1", "--wait");
    cli.ok("network", "delete", "acme/blue", "--wait");
    cli.ok("tenant", "delete", "acme", "--wait");
    assertThat(cli.controlPlane.fleet.waitedFor)
        .containsExactly(
            "6 tenants/acme/networks/blue",
            "6 dpus/dpu1",
            "7 dpus/dpu2",
            "7 tenants/acme/networks/blue",
            "8 tenants/acme/networks/blue",
            "8 dpus/dpu2",
            "9 tenants/acme");
  }
}
