package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.packaging.UdpProbe.Outcome;
import io.gatehouse.runtime.identity.IdentityFiles;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Certificates of DPUs and operators: renewed, replaced, taken away, and what tenants notice. */
@ExtendWith(SharedFleet.class)
final class IdentityIT {
  /** One by the rotation, and two at two thirds of a minute each. */
  private static final int CERTIFICATES = 3;

  private final Fleet fleet;
  private final Lab lab;

  IdentityIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @Test
  @DisplayName("F36, F50: certificates of a minute, under a new authority: no packet, no heartbeat")
  void shortLivesCostNothing() throws Exception {
    Path settings = lab.directory().resolve("control/control-plane.yaml");
    String before = Files.readString(settings);
    restartWith(settings, before.replace("pki: {", "pki: {device_lifetime: 1m, "));
    try {
      fleet.awaitHealthy();
      UdpProbe probe = lab.probe("acme-1", "acme-2", InetAddress.getByName("10.0.0.2"));
      probe.awaitArrival(Eventually.LIMIT);
      lab.gatehouse("authority", "rotate");
      Set<BigInteger> serials = new HashSet<>(Set.of(serial(1)));
      Eventually.holds(
          CERTIFICATES + " more certificates of DPU 1",
          () -> {
            serials.add(serial(1));
            assertThat(fleet.operator().dpu(1).getStatus().getConnected())
                .as("the stream moves before the old one ends")
                .isTrue();
            return serials.size() > CERTIFICATES;
          });
      Outcome outcome = probe.stop();
      assertThat(outcome.lost()).as("%s", outcome).isZero();
    } finally {
      restartWith(settings, before);
      lab.gatehouse("authority", "rotate");
      Eventually.holds("DPU 1 has days again", () -> daysLeft(1) > 1);
    }
    fleet.awaitHealthy();
  }

  @Test
  void aRevokedDpuIsCutOffAtOnceAndItsTenantsAreNot() throws Exception {
    lab.gatehouse("dpu", "revoke", "dpu3", "--reason", "a test");
    Eventually.holds(
        "its stream has ended", () -> !fleet.operator().dpu(3).getStatus().getConnected());
    assertThat(lab.reaches("acme-3", "10.0.0.1")).as("what is in force stays in force").isTrue();
    Eventually.holds(
        "the agent says why",
        () -> lab.exec("dpu3", "gatehouse-agent", "status").contains("not connected"));

    String token = lab.gatehouse("dpu", "enroll", "dpu3");
    Path file = lab.directory().resolve("dpu3/token");
    Files.writeString(file.resolveSibling("token.new"), token);
    Files.move(file.resolveSibling("token.new"), file);
    fleet.awaitHealthy();
    assertThat(file).as("a token that was used").doesNotExist();
    assertThat(lab.gatehouse("audit", "list", "--chain", "changes")).contains("dpus/dpu3");
  }

  @Test
  void anOperatorOfOneTenantSeesTheOtherNot() throws Exception {
    lab.gatehouse("operator", "create", "acme/bob", "--role", "tenant-admin");
    try {
      Path token = lab.directory().resolve("control/bob.token");
      Files.writeString(token, lab.gatehouse("operator", "enroll", "acme/bob"));
      assertThat(
              bob(
                  "login",
                  "--server",
                  "172.31.0.1:8443",
                  "--enrollment-server",
                  "172.31.0.1:8444",
                  "--token-file",
                  token.toString()))
          .matches(result -> result.status() == 0, "logs in");
      assertThat(bob("network", "list", "acme").output())
          .contains("train")
          .doesNotContain("globex");
      CommandResult foreign = bob("network", "get", "globex/train");
      CommandResult absent = bob("network", "get", "nobody/train");
      assertThat(foreign.status()).isEqualTo(absent.status()).isNotZero();
      assertThat(foreign.output().replace("globex", "nobody")).isEqualTo(absent.output());
      assertThat(bob("dpu", "list").output()).contains("may not call");
      assertThat(lab.gatehouse("audit", "list", "--chain", "refusals"))
          .contains("tenants/acme/operators/bob", "ListDpus");
      assertThat(lab.gatehouse("audit", "verify")).contains("refusals");
    } finally {
      lab.gatehouse("operator", "delete", "acme/bob");
    }
    assertThat(bob("network", "list", "acme").status()).as("removed").isNotZero();
  }

  private CommandResult bob(String... words) {
    String[] command = new String[words.length + 5];
    command[0] = "exec";
    command[1] = "control";
    command[2] = "gatehouse";
    command[3] = "--context";
    command[4] = lab.directory().resolve("control/bob.yaml").toString();
    System.arraycopy(words, 0, command, 5, words.length);
    return lab.tryRun(command);
  }

  private void restartWith(Path settings, String text) throws IOException {
    Files.writeString(settings, text);
    lab.stopControlPlane();
    lab.startControlPlane();
  }

  private BigInteger serial(int dpu) {
    return identity(dpu).read().certificate().getSerialNumber();
  }

  private long daysLeft(int dpu) {
    Instant end = identity(dpu).read().certificate().getNotAfter().toInstant();
    return Duration.between(Instant.now(), end).toDays();
  }

  private IdentityFiles identity(int dpu) {
    return new IdentityFiles(lab.directory().resolve("dpu" + dpu + "/identity"));
  }
}
