package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.Laggard;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExitCodeTest {
  @TempDir Path directory;
  private CliFixture cli;

  @BeforeEach
  void start() throws IOException {
    cli = new CliFixture(directory);
    cli.ok("tenant", "create", "acme");
  }

  @AfterEach
  void stop() {
    cli.close();
  }

  @Test
  void usageIs2() {
    fails(2, "Unmatched argument at index 0: 'tenent'", "tenent");
    fails(2, "Unknown option: '--colour'", "tenant", "list", "--colour");
    fails(2, "Missing required parameter: 'TENANT'", "tenant", "create");
    fails(2, "TENANT: Acme is not an id", "tenant", "get", "Acme");
    fails(2, "TENANT/NETWORK: a/b/c is not of the form TENANT/NETWORK", "network", "get", "a/b/c");
    fails(2, "--timeout: 5 is not a number with a unit", "tenant", "list", "--timeout", "5");
    fails(2, "--output: xml is none of table, json, yaml", "tenant", "list", "-o", "xml");
    fails(2, "nothing to change: give at least one of --display-name,", "tenant", "update", "acme");
    fails(2, "none.yaml: no such file", "apply", "-f", cli.file("none.yaml").toString());
    assertThat(cli.run("port").err()).startsWith("Usage: gatehouse port");
    assertThat(cli.run("port").code()).isEqualTo(2);
    assertThat(cli.run().code()).isEqualTo(2);
  }

  @Test
  void aContextThatCannotBeUsedIs2() throws IOException {
    String context = cli.file("other.yaml").toString();
    fails(2, "other.yaml: no such context file", "tenant", "list", "--context", context);
    Files.writeString(cli.file("other.yaml"), "target: nowhere\nca: ca.pem\ncert: a.pem\n");
    CliFixture.Result result = cli.run("tenant", "list", "--context", context);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err().replace(context, "CONTEXT"))
        .isEqualTo(
            """
            gatehouse: CONTEXT:1: target: nowhere is not host:port, such as 192.0.2.1:8443 or\
             [2001:db8::1]:8443
            gatehouse: CONTEXT:1: certificate: is missing
            gatehouse: CONTEXT:1: key: is missing
            gatehouse: CONTEXT:3: cert: is not known
            """);
    cli.context("other.yaml", "127.0.0.1:1");
    Files.delete(cli.file("operator.key"));
    fails(2, "operator.key: no such file", "tenant", "list", "--context", context);
  }

  @Test
  void notFoundIs3() {
    fails(3, "tenants/beta does not exist", "tenant", "get", "beta");
    fails(3, "tenants/beta does not exist", "network", "create", "beta/x", "--ipv4", "10.0.0.0/8");
    fails(3, "tenants/beta does not exist", "status", "beta");
  }

  @Test
  void refusedIs4() {
    fails(4, "tenants/acme exists", "tenant", "create", "acme");
    fails(4, "etag: e9 is not current", "tenant", "delete", "acme", "--etag", "e9");
    fails(
        4,
        "network.vni: 0x1 is not a decimal integer",
        "network",
        "create",
        "acme/x",
        "--vni",
        "0x1");
    fails(
        4,
        "tenant.state: OFF is none of ACTIVE, SUSPENDED",
        "tenant",
        "update",
        "acme",
        "--state",
        "OFF");
    CliFixture.Result result = cli.run("network", "create", "acme/blue", "--ipv4", "10.0.0.0/24");
    assertThat(result.code()).isZero();
    result = cli.run("port", "create", "acme/blue/p1");
    assertThat(result.code()).isEqualTo(4);
    assertThat(result.err())
        .isEqualTo(
            """
            gatehouse: port.dpu: "" is not of the form dpus/{dpu}
            gatehouse: port.function: "" is not 1 to 64 characters long
            """);
    fails(4, "tenants/acme owns others", "tenant", "delete", "acme");
  }

  @Test
  void deniedIs5() {
    cli.controlPlane.failures.add(
        Status.PERMISSION_DENIED.withDescription("auditors change nothing"));
    fails(5, "auditors change nothing", "tenant", "delete", "acme");
    cli.controlPlane.failures.add(Status.UNAUTHENTICATED.withDescription("who is that"));
    fails(5, "who is that", "tenant", "list");
  }

  @Test
  void unavailableIs6AfterSomeTries() throws IOException {
    for (int i = 0; i < 4; i++) {
      cli.controlPlane.failures.add(Status.UNAVAILABLE.withDescription("not the leader"));
    }
    fails(6, "not the leader", "tenant", "list");
    assertThat(cli.controlPlane.failures).isEmpty();
    cli.controlPlane.failures.add(Status.UNAVAILABLE.withDescription("not the leader"));
    cli.ok("tenant", "create", "beta");
    cli.context("other.yaml", "127.0.0.1:1");
    String context = cli.file("other.yaml").toString();
    fails(
        6, "cannot reach 127.0.0.1:1: Connection refused", "tenant", "list", "--context", context);
  }

  @Test
  void aServerThatIsNotTheNamedOneIs6() throws IOException {
    String context = cli.file("other.yaml").toString();
    cli.context("other.yaml", "127.0.0.1:" + cli.controlPlane.port());
    Path file = cli.file("other.yaml");
    Files.writeString(file, Files.readString(file).replace("localhost", "other.example"));
    fails(6, "other.example", "tenant", "list", "--context", context);
  }

  @Test
  void timeoutIs7() {
    cli.ok("dpu", "create", "dpu1", "--vtep", "192.0.2.1");
    cli.controlPlane.fleet.laggards.add(
        Laggard.newBuilder().setDpu("dpus/dpu1").setDesiredRevision(2).setReason("slow").build());
    CliFixture.Result result = cli.run("wait", "2", "--timeout", "50ms");
    assertThat(result.code()).isEqualTo(7);
    // A slow machine may see progress before that.
    assertThat(result.err())
        .endsWith(
            """
            gatehouse: revision 2 is not applied after 50ms: 1 of 1 DPUs are behind
            gatehouse: dpus/dpu1 is at 0 of 2, not connected: slow
            """);
    cli.controlPlane.failures.add(Status.DEADLINE_EXCEEDED);
    fails(7, "no answer in time; --timeout gives it more", "tenant", "list");
  }

  @Test
  void aDryRunWithChangesIs8() {
    CliFixture.Result result =
        cli.runWith("{kind: Tenant, name: beta}", "apply", "-f", "-", "--dry-run");
    assertThat(result.code()).isEqualTo(8);
  }

  @Test
  void theRestIs1AndShowsNoStackUnlessAskedTo() {
    cli.controlPlane.failures.add(Status.INTERNAL.withDescription("internal error 42"));
    CliFixture.Result result = cli.run("tenant", "list");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("gatehouse: internal error 42\n");
    cli.controlPlane.failures.add(Status.INTERNAL.withDescription("internal error 42"));
    assertThat(cli.run("tenant", "list", "--verbose").err()).contains("\tat io.gatehouse.");
  }

  private void fails(int code, String line, String... arguments) {
    CliFixture.Result result = cli.run(arguments);
    assertThat(result.code()).as(result.toString()).isEqualTo(code);
    assertThat(result.err()).startsWith("gatehouse: ").contains(line);
    assertThat(result.err().lines()).allMatch(text -> text.startsWith("gatehouse: "));
    assertThat(result.out()).isEmpty();
  }
}
