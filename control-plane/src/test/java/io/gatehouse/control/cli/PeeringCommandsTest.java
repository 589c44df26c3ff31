package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.Peering;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gatehouse peering}. */
class PeeringCommandsTest {
  @TempDir Path directory;
  private CliFixture cli;

  @BeforeEach
  void start() throws IOException {
    cli = new CliFixture(directory);
    cli.ok("tenant", "create", "acme");
    cli.ok("tenant", "create", "globex");
    cli.ok("network", "create", "acme/blue", "--ipv4", "10.1.0.0/16");
    cli.ok("network", "create", "globex/red", "--ipv4", "10.2.0.0/16");
  }

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void bothSidesAgreeAndOneEndsIt() {
    assertThat(cli.ok("peering", "create", "acme/blue/to-globex", "--peer", "globex/red"))
        .isEqualTo("created peering acme/blue/to-globex at revision 5\n");
    assertThat(cli.ok("peering", "get", "acme/blue/to-globex"))
        .containsPattern("peer_network +tenants/globex/networks/red\n")
        .containsPattern("state +PENDING\n");
    cli.ok("peering", "create", "globex/red/to-acme", "--peer", "tenants/acme/networks/blue");
    assertThat(cli.ok("peering", "list"))
        .isEqualTo(
            """
            NAME                 PEER        STATE   DISPLAY NAME  UPDATED
            acme/blue/to-globex  globex/red  ACTIVE  -             3 m ago
            globex/red/to-acme   acme/blue   ACTIVE  -             3 m ago
            """);
    cli.ok("peering", "update", "globex/red/to-acme", "--display-name", "customer");
    assertThat(cli.ok("peering", "delete", "globex/red/to-acme"))
        .isEqualTo("deleted peering globex/red/to-acme at revision 8\n");
    assertThat(cli.ok("peering", "list", "acme/blue")).contains("PENDING");
  }

  @Test
  void aWaitIsForTheOwnNetwork() {
    assertThat(cli.ok("peering", "create", "acme/blue/to-globex", "--peer", "globex/red", "--wait"))
        .endsWith("of tenants/acme/networks/blue\n");
    assertThat(cli.ok("peering", "delete", "acme/blue/to-globex", "--wait"))
        .endsWith("of tenants/acme/networks/blue\n");
  }

  @Test
  void aFileMayHoldBothSidesAndAPeerNeverChanges() {
    String both =
        """
        kind: Peering
        name: acme/blue/to-globex
        peer_network: globex/red
        ---
        kind: Peering
        name: globex/red/to-acme
        peer_network: acme/blue
        display_name: customer
        """;
    assertThat(apply(both).out()).contains("Peering acme/blue/to-globex");
    assertThat(stored("tenants/globex/networks/red/peerings/to-acme").getDisplayName())
        .isEqualTo("customer");
    int writes = cli.controlPlane.writes.size();
    assertThat(apply(both).code()).isZero();
    assertThat(cli.controlPlane.writes).as("nothing left to do").hasSize(writes);
    CliFixture.Result other = apply(both.replace("globex/red\n---", "acme/green\n---"));
    assertThat(other.code()).isNotZero();
    assertThat(other.err())
        .contains(
            "peer_network: tenants/globex/networks/red cannot become"
                + " tenants/acme/networks/green: it never changes");
  }

  private CliFixture.Result apply(String manifest) {
    return cli.runWith(manifest, "apply", "-f", "-");
  }

  private Peering stored(String name) {
    return (Peering) cli.controlPlane.store.get(name);
  }
}
