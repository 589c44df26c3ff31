package io.gatehouse.agent.device.ovsdb;

import static io.gatehouse.agent.device.ovsdb.ClientFixture.MONITORED;
import static io.gatehouse.agent.device.ovsdb.ClientFixture.failure;
import static io.gatehouse.agent.device.ovsdb.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.ovsdb.RecordingListener.Changed;
import io.gatehouse.agent.device.ovsdb.RecordingListener.Connected;
import io.gatehouse.agent.device.ovsdb.RecordingListener.Disconnected;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections to a real ovsdb-server that is restarted, stopped, or wants certificates. */
class OvsdbReconnectIT {
  @TempDir private Path directory;

  private TestCertificates certificates;
  private OvsdbServerProcess server;
  private ClientFixture fixture;

  @BeforeEach
  void start() {
    certificates = TestCertificates.make(directory);
    server = OvsdbServerProcess.start(directory, Optional.of(certificates));
    fixture = new ClientFixture();
  }

  @AfterEach
  void close() {
    fixture.close();
    server.close();
  }

  @Test
  void serverThatRestartsIsFollowedWithAFullSnapshot() throws Exception {
    OvsdbClient client = fixture.start(OvsdbConfig.of(server.unix(), MONITORED));
    fixture.events.next(Connected.class);
    get(client.transact(OvsdbClientIT.bridge("br0")));
    server.kill();
    assertThat(fixture.events.next(Disconnected.class).cause().kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(client.snapshot()).isEmpty();
    var refused = failure(client.transact(OvsdbClientIT.bridge("br1")));
    assertThat(refused.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(refused).hasMessageContaining("was not sent");
    server.start();
    server.vsctl("--if-exists", "del-br", "br0", "--", "add-br", "br2");
    OvsdbSnapshot now =
        get(
            client.await(
                snapshot ->
                    snapshot.rows("Bridge").stream()
                        .allMatch(row -> Value.of("br2").equals(row.columns().get("name"))),
                Duration.ofSeconds(20),
                "br2 is not seen"));
    assertThat(now.rows("Bridge")).hasSize(1);
    get(client.transact(OvsdbClientIT.bridge("br3")));
  }

  @Test
  void stoppedServerIsDroppedAndFoundAgain() throws Exception {
    Duration patience = Duration.ofSeconds(20);
    Duration probe = Duration.ofSeconds(2);
    Duration retry = Duration.ofMillis(50);
    OvsdbConfig.Times times = new OvsdbConfig.Times(patience, probe, patience, retry, retry);
    OvsdbClient client = fixture.start(OvsdbConfig.of(server.unix(), MONITORED).withTimes(times));
    fixture.events.next(Connected.class);
    server.pause();
    var sent = client.transact(List.of(new Operation.Comment("x")));
    assertThat(failure(sent).kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(fixture.events.next(Disconnected.class).cause())
        .hasMessageContaining("did not answer an echo");
    server.resume();
    fixture.events.next(Connected.class);
    get(client.transact(List.of(new Operation.Comment("x"))));
  }

  @Test
  void anotherDatabaseDoesNotEndTheSessionAndAConversionStartsItAgain() throws Exception {
    OvsdbClient client = fixture.start(OvsdbConfig.of(server.unix(), MONITORED));
    fixture.events.next(Connected.class);
    get(client.transact(OvsdbClientIT.bridge("br0")));
    server.addDatabase("/usr/share/openvswitch/local-config.ovsschema");
    get(client.transact(OvsdbClientIT.bridge("br1")));
    assertThat(fixture.events.next(Changed.class).snapshot().rows("Bridge")).hasSize(1);
    assertThat(fixture.events.next(Changed.class).snapshot().rows("Bridge")).hasSize(2);
    assertThat(fixture.events.isEmpty()).isTrue();
    server.convert("/usr/share/openvswitch/vswitch.ovsschema");
    assertThat(fixture.events.next(Disconnected.class).cause())
        .hasMessageContaining("the database was converted or removed");
    assertThat(fixture.events.next(Connected.class).snapshot().rows("Bridge")).hasSize(2);
  }

  @Test
  void tcpWorks() throws Exception {
    OvsdbClient client = fixture.start(OvsdbConfig.of(server.tcp(), MONITORED));
    fixture.events.next(Connected.class);
    assertThat(get(client.listDatabases())).contains("Open_vSwitch");
  }

  @Test
  void tlsWorksWithCertificatesOnBothSides() throws Exception {
    SslContext tls =
        SslContextBuilder.forClient()
            .trustManager(certificates.authority().toFile())
            .keyManager(
                certificates.clientCertificate().toFile(), certificates.clientKey().toFile())
            .build();
    OvsdbClient client = fixture.start(OvsdbConfig.of(server.ssl(), MONITORED), Optional.of(tls));
    fixture.events.next(Connected.class);
    get(client.transact(OvsdbClientIT.bridge("br0")));
    server.restart();
    fixture.events.next(Disconnected.class);
    assertThat(fixture.events.next(Connected.class).snapshot().rows("Bridge")).hasSize(1);
  }

  @Test
  void tlsServerOfAnotherAuthorityIsNotTrusted() throws Exception {
    Path other = java.nio.file.Files.createDirectory(directory.resolve("other"));
    TestCertificates stranger = TestCertificates.make(other);
    SslContext tls =
        SslContextBuilder.forClient()
            .trustManager(stranger.authority().toFile())
            .keyManager(
                certificates.clientCertificate().toFile(), certificates.clientKey().toFile())
            .build();
    fixture.start(OvsdbConfig.of(server.ssl(), MONITORED), Optional.of(tls));
    var cause = fixture.events.next(Disconnected.class).cause();
    assertThat(cause.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(cause).hasMessageContaining("TLS handshake failed");
  }

  @Test
  void tlsClientWithoutACertificateIsNotServed() throws Exception {
    SslContext tls =
        SslContextBuilder.forClient().trustManager(certificates.authority().toFile()).build();
    OvsdbClient client = fixture.start(OvsdbConfig.of(server.ssl(), MONITORED), Optional.of(tls));
    assertThat(fixture.events.next(Disconnected.class).cause().kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(client.snapshot()).isEmpty();
  }
}
