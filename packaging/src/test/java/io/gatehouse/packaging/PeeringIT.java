package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.proto.v1.Port;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Networks of three tenants, a host each, each on a DPU of its own that has no port of the others.
 * All hosts think that all three prefixes are on the link.
 */
@ExtendWith(SharedFleet.class)
final class PeeringIT {
  private static final int TCP_PORT = 8_443;
  private static final int CONNECT_MILLIS = 3_000;
  private static final Side LEFT = new Side("acme/left", 1, 41);
  private static final Side RIGHT = new Side("globex/right", 2, 42);
  private static final Side THIRD = new Side("initech/third", 3, 43);
  private static final List<Side> SIDES = List.of(LEFT, RIGHT, THIRD);

  @TempDir private Path directory;
  private final Fleet fleet;
  private final Lab lab;

  PeeringIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  /** A network with one host, whose number is in all its addresses. */
  private record Side(String network, int dpu, int number) {
    String host() {
      return network.substring(network.indexOf('/') + 1);
    }

    String v4Prefix() {
      return "10." + number + ".0.0/24";
    }

    String v6Prefix() {
      return "fd00:" + number + "::/64";
    }

    String v4() {
      return "10." + number + ".0.5";
    }

    String v6() {
      return "fd00:" + number + "::5";
    }

    /** The name of its half of a peering. */
    String to(Side other) {
      return network + "/to-" + other.host();
    }

    TenantHost tenantHost() {
      return new TenantHost(
          host(), dpu, "pf0vf2", Fleet.mac(number), List.of(v4() + "/24", v6() + "/64"));
    }

    Port port() {
      String[] ids = network.split("/", -1);
      return Port.newBuilder()
          .setName("tenants/%s/networks/%s/ports/%s".formatted(ids[0], ids[1], host()))
          .setDpu("dpus/dpu" + dpu)
          .setFunction("pf0vf2")
          .setMacAddress(Fleet.mac(number))
          .addIpAddresses(v4())
          .addIpAddresses(v6())
          .build();
    }
  }

  @BeforeEach
  void addSides() {
    lab.gatehouse("tenant", "create", "initech");
    for (Side side : SIDES) {
      lab.gatehouse(
          "network",
          "create",
          side.network(),
          "--ipv4",
          side.v4Prefix(),
          "--ipv6",
          side.v6Prefix());
      lab.addHost(side.tenantHost());
      fleet.operator().create(side.port());
      for (Side other : SIDES) {
        route(side, other.v4Prefix());
        route(side, other.v6Prefix());
      }
    }
  }

  private void route(Side side, String prefix) {
    lab.exec(side.host(), "ip", "route", "replace", prefix, "dev", "eth0");
  }

  @AfterEach
  void removeSides() {
    for (Side side : SIDES) {
      for (Side other : SIDES) {
        // Whatever the test has left.
        lab.tryRun("gatehouse", "peering", "delete", side.to(other));
      }
    }
    for (Side side : SIDES) {
      fleet.operator().deletePort(side.port().getName());
      lab.removeHost(side.host());
      lab.gatehouse("network", "delete", side.network());
    }
    lab.gatehouse("tenant", "delete", "initech");
  }

  private void agree(Side side, Side peer) {
    lab.gatehouse("peering", "create", side.to(peer), "--peer", peer.network());
    fleet.operator().await(0);
  }

  private void end(Side side, Side peer) {
    lab.gatehouse("peering", "delete", side.to(peer));
    fleet.operator().await(0);
  }

  private void assertCutOff(Side one, Side other) {
    for (Side from : List.of(one, other)) {
      Side to = from.equals(one) ? other : one;
      assertThat(lab.isCutOff(from.host(), to.v4())).as("%s to %s", from, to).isTrue();
      assertThat(lab.isCutOff(from.host(), to.v6())).as("%s to %s", from, to).isTrue();
    }
  }

  private void assertReaches(Side one, Side other) {
    for (Side from : List.of(one, other)) {
      Side to = from.equals(one) ? other : one;
      assertThat(lab.reaches(from.host(), to.v4())).as("%s to %s", from, to).isTrue();
      assertThat(lab.reaches(from.host(), to.v6())).as("%s to %s", from, to).isTrue();
    }
  }

  @Test
  void twoNetworksThatHaveBothAgreedReachEachOtherAndNobodyElse() throws Exception {
    assertCutOff(LEFT, RIGHT);
    agree(LEFT, RIGHT);
    assertCutOff(LEFT, RIGHT);
    agree(RIGHT, LEFT);
    assertReaches(LEFT, RIGHT);
    assertThat(opens(LEFT, RIGHT)).as("TCP").isTrue();
    assertCutOff(LEFT, THIRD);
    assertCutOff(RIGHT, THIRD);
    assertThat(lab.gatehouse("isolation", "verify"))
        .contains("ROUTED")
        .doesNotContain("leak,", "leak (", "lost,");

    end(RIGHT, LEFT);
    assertCutOff(LEFT, RIGHT);
    assertThat(opens(LEFT, RIGHT)).isFalse();
  }

  @Test
  void whatIsTooLargeForThePeerIsToldToItsSender() {
    lab.gatehouse("network", "update", RIGHT.network(), "--mtu", "1400");
    agree(LEFT, RIGHT);
    agree(RIGHT, LEFT);
    assertReaches(LEFT, RIGHT);
    assertThat(ping(LEFT, RIGHT.v4(), 1_372)).contains("1 received");
    assertThat(ping(LEFT, RIGHT.v4(), 1_373)).contains("Frag needed and DF set (mtu = 1400)");
    assertThat(ping(LEFT, RIGHT.v6(), 1_352)).contains("1 received");
    assertThat(ping(LEFT, RIGHT.v6(), 1_353)).contains("Packet too big: mtu=1400");
  }

  private String ping(Side from, String to, int bytes) {
    String size = Integer.toString(bytes);
    return lab.tryRun("exec", from.host(), "ping", "-n", "-c1", "-W5", "-M", "do", "-s", size, to)
        .output();
  }

  @Test
  void aHostLearnsTheRouteToItsPeerByDhcp() throws Exception {
    lab.exec(LEFT.host(), "ip", "route", "delete", RIGHT.v4Prefix(), "dev", "eth0");
    agree(LEFT, RIGHT);
    agree(RIGHT, LEFT);
    assertThat(askForRoutes(LEFT)).contains(RIGHT.v4Prefix() + " 0.0.0.0");
    assertThat(lab.reaches(LEFT.host(), RIGHT.v4())).isTrue();

    end(RIGHT, LEFT);
    assertThat(askForRoutes(LEFT)).doesNotContain(RIGHT.v4Prefix());
  }

  /** Runs udhcpc once; the host takes the routes that it is told, which are returned. */
  private String askForRoutes(Side side) throws IOException {
    String text =
        """
        #!/bin/sh
        [ "$1" = bound ] || exit 0
        echo "routes: $staticroutes"
        set -- $staticroutes
        while [ $# -ge 2 ]; do ip route replace "$1" dev eth0; shift 2; done
        """;
    Path script = directory.resolve("script");
    Files.writeString(script, text);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> client =
        List.of("udhcpc", "-i", "eth0", "-n", "-q", "-t", "20", "-T", "1", "-O", "staticroutes");
    String said = lab.exec(side.host(), CommandLines.join(client, "-s", script.toString()));
    return said.substring(said.indexOf("routes: "));
  }

  @Test
  void aPeerOfAPeerIsNoPeer() {
    agree(LEFT, RIGHT);
    agree(RIGHT, LEFT);
    agree(RIGHT, THIRD);
    agree(THIRD, RIGHT);
    assertReaches(LEFT, RIGHT);
    assertReaches(RIGHT, THIRD);
    assertCutOff(LEFT, THIRD);

    end(LEFT, RIGHT);
    assertCutOff(LEFT, RIGHT);
    assertReaches(RIGHT, THIRD);
  }

  /** Whether a connection comes about, with a server that is there for it alone. */
  private boolean opens(Side from, Side to) throws IOException {
    try (ServerSocket server = lab.namespace(to.host()).inside(() -> new ServerSocket(TCP_PORT));
        Socket client = lab.namespace(from.host()).inside(PeeringIT::unconnected)) {
      assertThat(server.isBound()).isTrue();
      client.connect(new InetSocketAddress(to.v4(), TCP_PORT), CONNECT_MILLIS);
      return true;
    } catch (java.net.SocketTimeoutException | java.net.NoRouteToHostException e) {
      return false;
    }
  }

  /** Bound, because a socket is made when it is first needed. */
  private static Socket unconnected() throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(0));
    return socket;
  }
}
