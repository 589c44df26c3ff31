package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.util.JsonFormat;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplyCommandTest {
  /** Deliberately in an order that cannot be made. */
  private static final String MANIFEST =
      """
      - kind: Port
        name: acme/blue/web-1
        dpu: dpu1
        function: pf0vf0
        ip_addresses: [10.0.0.7, 10.0.0.8]
      - kind: Network
        name: acme/blue
        ipv4_cidr: 10.0.0.0/24
      ---
      kind: Dpu
      name: dpu1
      vtep_address: 192.0.2.1
      failure_domain:
        rack: r7
      ---
      kind: Tenant
      name: acme
      display_name: ACME
      quota:
        max_networks: 4
      """;

  @TempDir Path directory;
  private CliFixture cli;

  @BeforeEach
  void start() throws IOException {
    cli = new CliFixture(directory);
  }

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void createsInAnOrderThatWorksAndThenWritesNothing() {
    assertThat(apply(MANIFEST).out())
        .isEqualTo(
            """
            created Tenant acme
            created Dpu dpu1
            created Network acme/blue
            created Port acme/blue/web-1
            created 4, updated 0, unchanged 0
            """);
    cli.controlPlane.writes.clear();
    assertThat(apply(MANIFEST).out()).isEqualTo("created 0, updated 0, unchanged 4\n");
    CliFixture.Result dryRun = apply(MANIFEST, "--dry-run");
    assertThat(dryRun.code()).isZero();
    assertThat(dryRun.out()).isEqualTo("would create 0, update 0, unchanged 4\n");
    assertThat(cli.controlPlane.writes).isEmpty();
  }

  @Test
  void programsGetWhatWasDoneAsOneDocument() throws IOException {
    apply(MANIFEST);
    String changed = MANIFEST.replace("display_name: ACME", "display_name: Acme");
    String dryRun = apply(changed, "--dry-run", "-o", "json").out();
    assertThat(dryRun)
        .startsWith("{")
        .contains("\"revision\": \"0\"", "\"action\": \"UPDATE\"", "\"before\": \"ACME\"");
    Struct.Builder done = Struct.newBuilder();
    JsonFormat.parser().merge(apply(changed, "-o", "json").out(), done);
    assertThat(done.getFieldsOrThrow("revision").getStringValue()).isNotEqualTo("0");
    assertThat(done.getFieldsOrThrow("steps").getListValue().getValuesList())
        .extracting(step -> step.getStructValue().getFieldsOrThrow("action").getStringValue())
        .containsExactly("UPDATE", "NONE", "NONE", "NONE");
    assertThat(apply(changed, "-o", "yaml").out()).startsWith("---\n{");
  }

  @Test
  void aDryRunShowsTheDifferenceAndWritesNothing() {
    apply(MANIFEST);
    cli.controlPlane.writes.clear();
    String changed =
        MANIFEST
                .replace("display_name: ACME", "state: SUSPENDED")
                .replace("[10.0.0.7, 10.0.0.8]", "[10.0.0.8, 10.0.0.9]")
                .replace("rack: r7", "rack: r7\n  site: fra")
            + "---\nkind: Network\nname: acme/red\nvni: 7\nipv6_cidr: FD00:0:0::/64\n";
    CliFixture.Result result = apply(changed, "--dry-run");
    assertThat(result.code()).isEqualTo(8);
    assertThat(result.out())
        .isEqualTo(
            """
            ~ Tenant acme
                state: ACTIVE -> SUSPENDED
            ~ Dpu dpu1
                failure_domain.site: - -> fra
            + Network acme/red
                vni: 7
                ipv6_cidr: fd00::/64
            ~ Port acme/blue/web-1
                ip_addresses: 10.0.0.7, 10.0.0.8 -> 10.0.0.8, 10.0.0.9
            would create 1, update 3, unchanged 1
            """);
    assertThat(cli.controlPlane.writes).isEmpty();
    assertThat(apply(changed).out()).endsWith("created 1, updated 3, unchanged 1\n");
    assertThat(apply(changed).out()).isEqualTo("created 0, updated 0, unchanged 5\n");
    assertThat(cli.ok("dpu", "get", "dpu1", "-o", "yaml"))
        .contains("failure_domain:\n  site: fra\n  row: ''\n  rack: r7\n");
  }

  @Test
  void reportsEveryProblemOfTheFileWithItsLine() {
    CliFixture.Result result =
        apply(
            """
            kind: Tenant
            name: Acme
            display: New
            ---
            kind: Tenat
            name: beta
            ---
            name: x
            ---
            - kind: Port
              name: beta/x/p1
              function: [pf0vf5]
              ip_addresses: [10.0.0.1, 10.0.0]
            - kind: Network
              name: beta/x
              ipv4_cidr: 10.0.0.1/8
              vni: x
            - {kind: Network, name: beta/x}
            """);
    assertThat(result.code()).isEqualTo(4);
    assertThat(result.err())
        .isEqualTo(
            """
            gatehouse: stdin:2: name: Acme is not an id: 1 to 40 of a-z, 0-9 and "-", starting with\
             a letter, not ending in "-"
            gatehouse: stdin:3: display: is not known
            gatehouse: stdin:5: kind: Tenat is none of Dpu, Network, Operator, Peering, Port, SecurityGroup, Tenant;\
             did you mean Tenant?
            gatehouse: stdin:8: kind: is missing
            gatehouse: stdin:12: function: a list stands where one value is needed
            gatehouse: stdin:13: ip_addresses[1]: 10.0.0 is not an IPv4 or IPv6 address
            gatehouse: stdin:16: ipv4_cidr: 10.0.0.1/8 has bits behind the prefix; the prefix is\
             10.0.0.0/8
            gatehouse: stdin:17: vni: x is not a decimal integer
            gatehouse: stdin:18: name: tenants/beta/networks/x was declared before, in line 14
            """);
    assertThat(cli.controlPlane.writes).isEmpty();
  }

  @Test
  void refusesAFieldThatNeverChangesBeforeItWritesAnything() {
    apply(MANIFEST);
    cli.controlPlane.writes.clear();
    String changed = MANIFEST.replace("ipv4_cidr", "vni: 7\n  ipv4_cidr").replace("ACME", "New");
    CliFixture.Result result = apply(changed);
    assertThat(result.code()).isEqualTo(4);
    assertThat(result.err())
        .isEqualTo("gatehouse: stdin:6: vni: 5001 cannot become 7: it never changes\n");
    assertThat(cli.controlPlane.writes).isEmpty();
  }

  @Test
  void stopsAtTheFirstFailureAndSaysWhatIsNotDone() {
    CliFixture.Result result =
        apply(
            MANIFEST
                .replace("name: dpu1\n", "name: dpu2\n")
                .replace("  dpu: dpu1\n", "")
                .replace("  function: pf0vf0\n", ""));
    assertThat(result.code()).isEqualTo(4);
    assertThat(result.out()).endsWith("created 3, updated 0, unchanged 0\n");
    assertThat(result.err())
        .isEqualTo(
            """
            gatehouse: stdin:1: port.dpu: "" is not of the form dpus/{dpu}
            gatehouse: stdin:1: port.function: "" is not 1 to 64 characters long
            gatehouse: stopped there: 1 of the declared resources are not done
            """);
  }

  @Test
  void appliesWhatGetPrints() throws IOException {
    apply(MANIFEST);
    cli.controlPlane.writes.clear();
    String printed =
        cli.ok("tenant", "list", "-o", "yaml")
            + cli.ok("port", "list", "-o", "yaml")
            + cli.ok("network", "list", "-o", "yaml")
            + cli.ok("dpu", "list", "-o", "yaml");
    Path file = Files.writeString(cli.file("all.yaml"), printed);
    assertThat(cli.ok("apply", "-f", file.toString()))
        .isEqualTo("created 0, updated 0, unchanged 4\n");
    assertThat(cli.controlPlane.writes).isEmpty();
  }

  @Test
  void waitsForWhatItChanged() {
    assertThat(apply(MANIFEST, "--wait").code()).isZero();
    assertThat(cli.controlPlane.fleet.waitedFor)
        .containsExactly("4 tenants/acme", "4 dpus/dpu1", "4 tenants/acme/networks/blue");
    cli.controlPlane.fleet.waitedFor.clear();
    assertThat(apply(MANIFEST, "--wait").code()).isZero();
    assertThat(cli.controlPlane.fleet.waitedFor).isEmpty();
  }

  @Test
  void anUpdateDependsOnTheStateThatWasCompared() {
    apply(MANIFEST);
    String withEtag = "kind: Tenant\nname: acme\ndisplay_name: New\netag: e99\n";
    CliFixture.Result result = apply(withEtag);
    assertThat(result.code()).isEqualTo(4);
    assertThat(result.err()).contains("etag: e99 is not current");
    cli.controlPlane.failures.add(Status.PERMISSION_DENIED.withDescription("no"));
    assertThat(apply(MANIFEST).code()).isEqualTo(5);
  }

  private CliFixture.Result apply(String manifest, String... more) {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "apply";
    arguments[1] = "-f";
    arguments[2] = "-";
    System.arraycopy(more, 0, arguments, 3, more.length);
    return cli.runWith(manifest, arguments);
  }
}
