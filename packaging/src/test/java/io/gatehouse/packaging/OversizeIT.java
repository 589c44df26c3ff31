package io.gatehouse.packaging;

import static io.gatehouse.packaging.Fleet.ACME_NETWORK;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts that believe in 9000 bytes, in a network of 1450, on one DPU and across DPUs. */
@ExtendWith(SharedFleet.class)
final class OversizeIT {
  private static final String HERE = "large-1";
  private static final String AWAY = "large-2";
  private static final String HERE_V4 = "10.0.0.41";
  private static final String AWAY_V4 = "10.0.0.42";
  private static final int TRANSFER_BYTES = 10_000_000;
  private static final int PORT = 5_001;
  private static final int PATIENCE_MILLIS = 120_000;

  private final Fleet fleet;
  private final Lab lab;

  OversizeIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @BeforeEach
  void addHosts() {
    add(HERE, 1, 41);
    add(AWAY, 2, 42);
  }

  private void add(String name, int dpu, int number) {
    TenantHost host = Fleet.host(name, dpu, "pf0vf2", number);
    lab.addHost(host);
    lab.exec(name, "sysctl", "-qw", "net.ipv6.conf.eth0.accept_ra=0");
    lab.exec(name, "ip", "link", "set", "dev", "eth0", "mtu", "9000");
    fleet.operator().create(Fleet.port(host));
  }

  @AfterEach
  void removeHosts() {
    for (String name : List.of(HERE, AWAY)) {
      fleet.operator().deletePort(ACME_NETWORK + "/ports/" + name);
      lab.removeHost(name);
    }
  }

  private String ping(String to, int bytes) {
    CommandResult result =
        lab.tryRun(
            "exec", HERE, "ping", "-n", "-c", "2", "-W", "3", "-M", "do", "-s", "" + bytes, to);
    return result.output();
  }

  private double answers() {
    return Metrics.ofAgent(lab, 1).sum("gatehouse_agent_oversize_answers_total", "family=");
  }

  /** A host of the same DPU, and one of another. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void f03APingThatIsTooLargeIsToldTheMtu(int number) {
    double before = answers();
    String v4 = "10.0.0." + number;
    String v6 = "fd00:0:0:1::" + number;

    assertThat(lab.reaches(HERE, v4)).isTrue();
    assertThat(ping(v4, 1_422)).contains("2 received");
    assertThat(ping(v4, 1_423))
        .contains("From " + v4 + " icmp_seq=1 Frag needed and DF set (mtu = 1450)")
        .contains("message too long, mtu=1450")
        .contains("0 received");
    assertThat(lab.reaches(HERE, v6)).isTrue();
    assertThat(ping(v6, 1_402)).contains("2 received");
    assertThat(ping(v6, 1_403)).contains("Packet too big: mtu=1450").contains("0 received");

    assertThat(answers()).isGreaterThanOrEqualTo(before + 2);
  }

  @Test
  void f03ATransferAcrossDpusCompletes() throws Exception {
    assertThat(lab.reaches(HERE, AWAY_V4)).isTrue();
    double before = answers();
    InetAddress to = InetAddress.getByName(AWAY_V4);
    try (ServerSocket listening = lab.namespace(AWAY).inside(() -> new ServerSocket(PORT, 1, to))) {
      CompletableFuture<Long> received = CompletableFuture.supplyAsync(() -> receive(listening));
      try (Socket socket = lab.namespace(HERE).inside(() -> connect(to));
          OutputStream out = socket.getOutputStream()) {
        out.write(new byte[TRANSFER_BYTES]);
      }
      assertThat(received.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(TRANSFER_BYTES);
    }
    assertThat(lab.exec(HERE, "ip", "route", "get", AWAY_V4)).contains("mtu 1450");
    assertThat(answers()).isGreaterThan(before);
  }

  private static Socket connect(InetAddress to) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(to, PORT), PATIENCE_MILLIS);
    return socket;
  }

  private static long receive(ServerSocket listening) {
    try (Socket socket = listening.accept()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      return socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aRepresentorCarriesMoreThanItsNetworkWhateverIsSet() {
    assertThat(request()).isEqualTo("9216");
    fleet.vsctl(1, "set", "interface", "pf0vf2", "mtu_request=1400");
    Eventually.holds("the request is set right", () -> request().equals("9216"));
    Eventually.holds(
        "the device carries it",
        () -> fleet.vsctl(1, "get", "interface", "pf0vf2", "mtu").strip().equals("9216"));
    assertThat(lab.reaches(HERE, HERE_V4)).isTrue();
  }

  private String request() {
    return fleet.vsctl(1, "get", "interface", "pf0vf2", "mtu_request").strip();
  }
}
