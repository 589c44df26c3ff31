package io.gatehouse.packaging;

import static io.gatehouse.packaging.Fleet.ACME_NETWORK;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.CreateNetworkRequest;
import io.gatehouse.proto.v1.DeleteNetworkRequest;
import io.gatehouse.proto.v1.GetNetworkRequest;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.PathEffect;
import io.gatehouse.proto.v1.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a path that carries less means for networks: one that is automatic, and one that is not. */
@ExtendWith(SharedFleet.class)
final class PathLimitIT {
  private static final String FIXED = Fleet.ACME + "/networks/fixed";

  private final Fleet fleet;
  private final Lab lab;

  @TempDir private Path directory;

  PathLimitIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @BeforeEach
  void addHosts() {
    fleet
        .operator()
        .networks()
        .createNetwork(
            CreateNetworkRequest.newBuilder()
                .setNetwork(
                    Network.newBuilder()
                        .setName(FIXED)
                        .setIpv4Cidr("10.9.0.0/24")
                        .setMtuBytes(1_450))
                .build());
    for (int dpu = 1; dpu <= 2; dpu++) {
      TenantHost bare =
          new TenantHost(automatic(dpu), dpu, "pf0vf2", Fleet.mac(50 + dpu), List.of());
      lab.addHost(bare);
      fleet.operator().create(Fleet.port(Fleet.host(bare.name(), dpu, "pf0vf2", 50 + dpu)));
      TenantHost host =
          new TenantHost(
              fixed(dpu), dpu, "pf0vf3", Fleet.mac(60 + dpu), List.of("10.9.0." + dpu + "/24"));
      lab.addHost(host);
      fleet
          .operator()
          .create(
              Port.newBuilder()
                  .setName(FIXED + "/ports/" + host.name())
                  .setDpu("dpus/dpu" + dpu)
                  .setFunction(host.function())
                  .setMacAddress(host.mac())
                  .addIpAddresses("10.9.0." + dpu)
                  .build());
    }
  }

  @AfterEach
  void removeHosts() {
    lab.run("hop", "1", "1500");
    for (int dpu = 1; dpu <= 2; dpu++) {
      fleet.operator().deletePort(ACME_NETWORK + "/ports/" + automatic(dpu));
      fleet.operator().deletePort(FIXED + "/ports/" + fixed(dpu));
      lab.removeHost(automatic(dpu));
      lab.removeHost(fixed(dpu));
    }
    fleet
        .operator()
        .networks()
        .deleteNetwork(DeleteNetworkRequest.newBuilder().setName(FIXED).build());
    awaitEffect(ACME_NETWORK, PathEffect.PATH_EFFECT_UNSPECIFIED, 1_450);
  }

  private static String automatic(int dpu) {
    return "auto-" + dpu;
  }

  private static String fixed(int dpu) {
    return "fixed-" + dpu;
  }

  @Test
  void aPathThatCarriesLessLowersOneAndDegradesTheOtherUntilItIsWhole() throws IOException {
    assertThat(told(1)).isEqualTo("mtu=1450\n");

    lab.run("hop", "1", "1400");
    awaitEffect(ACME_NETWORK, PathEffect.PATH_EFFECT_LOWERED, 1_350);
    awaitEffect(FIXED, PathEffect.PATH_EFFECT_DEGRADED, 1_450);
    assertThat(told(1)).isEqualTo("mtu=1350\n");
    assertThat(told(2)).isEqualTo("mtu=1350\n");
    assertThat(lab.gatehouse("network", "list", "acme"))
        .containsPattern("acme/train .* 1350 +LOWERED: dpu\\d -> dpu\\d carries 1350")
        .containsPattern("acme/fixed .* 1450 +DEGRADED: dpu\\d -> dpu\\d carries 1350");
    assertThat(lab.gatehouse("mtu", "explain", "acme/fixed"))
        .containsPattern("degraded: dpu\\d -> dpu\\d carries 1350")
        .contains("the mtu of 1450 was asked for, and is kept");
    assertThat(lab.gatehouse("status"))
        .contains("degraded by paths: acme/fixed\n")
        .contains("lowered by paths: acme/train, globex/train\n");
    assertThat(lab.gatehouse("audit", "list", "--chain", "changes"))
        .contains("system/path-limiter");

    lab.run("hop", "1", "1500");
    awaitEffect(ACME_NETWORK, PathEffect.PATH_EFFECT_UNSPECIFIED, 1_450);
    awaitEffect(FIXED, PathEffect.PATH_EFFECT_UNSPECIFIED, 1_450);
    Eventually.holds(
        "nothing is limited",
        () -> !lab.gatehouse("status").contains("by paths"),
        () -> lab.gatehouse("status"));
    assertThat(told(1)).isEqualTo("mtu=1450\n");
  }

  /** Returns once a network has that limit, and an MTU that every DPU has confirmed. */
  private void awaitEffect(String name, PathEffect effect, int mtuBytes) {
    Eventually.holds(
        name + " has " + mtuBytes + ", " + effect,
        () -> {
          Network network = network(name);
          return network.getPathLimit().getEffect() == effect
              && network.getEffectiveMtuBytes() == mtuBytes
              && network.getReceiveMtuBytes() == 0;
        },
        () -> network(name) + lab.gatehouse("mtu", "map"));
    fleet.operator().await(0);
  }

  private Network network(String name) {
    return fleet
        .operator()
        .networks()
        .getNetwork(GetNetworkRequest.newBuilder().setName(name).build())
        .getNetwork();
  }

  /** What a host of the automatic network on that DPU is told by DHCP. */
  private String told(int dpu) throws IOException {
    Path script = directory.resolve("script");
    Files.writeString(script, "#!/bin/sh\ncase $1 in bound) echo mtu=$mtu ;; esac\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    String said =
        lab.exec(
            automatic(dpu),
            "udhcpc",
            "-i",
            "eth0",
            "-n",
            "-q",
            "-t",
            "20",
            "-T",
            "1",
            "-O",
            "mtu",
            "-s",
            script.toString());
    return said.lines().filter(line -> line.startsWith("mtu=")).findFirst().orElse(said) + "\n";
  }
}
