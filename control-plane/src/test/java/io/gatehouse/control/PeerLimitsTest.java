package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.RetryInfo;
import io.gatehouse.control.limit.PeerLimits;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.CreateOperatorRequest;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.Operator;
import io.gatehouse.proto.v1.OperatorServiceGrpc;
import io.gatehouse.proto.v1.Role;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.runtime.tls.TlsPaths;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What peers may use, over real sockets. */
class PeerLimitsTest {
  private static final int SAFETY_MILLIS = 60_000;

  /** Long enough for a machine with much else to do. */
  private static final Duration PATIENT = Duration.ofMillis(SAFETY_MILLIS);

  private static final Duration SHORT = Duration.ofMillis(500);
  private static final PeerLimits LIMITS = limits(PATIENT, PATIENT);

  @TempDir private Path directory = Path.of("");
  private TestPki pki;
  private TestControlPlane controlPlane;
  private final List<Socket> sockets = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    pki = new TestPki(directory);
    controlPlane = start(LIMITS);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    controlPlane.close();
  }

  @Test
  void whoSaysNothingIsCutOff() throws Exception {
    restart(limits(SHORT, PATIENT));
    assertThat(ended(connect())).isTrue();
  }

  /** Slow loris: a handshake that never ends, a byte at a time. */
  @Test
  void whoDripsAHandshakeIsCutOff() throws Exception {
    restart(limits(SHORT, PATIENT));
    Socket socket = connect();
    byte[] hello = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01};
    int sent = 0;
    try {
      while (sent < 1_000_000) {
        socket.getOutputStream().write(hello[Math.min(sent++, hello.length - 1)]);
        Eventually.pause();
        if (socket.getInputStream().available() > 0) {
          break;
        }
      }
    } catch (SocketException e) {
      assertThat(sent).as("bytes taken until then").isPositive();
      return;
    }
    assertThat(ended(socket)).isTrue();
  }

  @Test
  void soManyConnectionsFromOneAddressAndNoMore() throws IOException {
    for (int i = 0; i < LIMITS.connectionsPerAddress(); i++) {
      connect();
    }
    Socket more = connect();
    assertThat(ended(more)).as("closed before a handshake").isTrue();
  }

  @Test
  void afterThatOthersComeIn() throws IOException {
    for (int i = 0; i < LIMITS.connectionsPerAddress(); i++) {
      sockets.get(sockets.indexOf(connect())).close();
    }
    Eventually.holds(
        "the admin comes in",
        () -> list(controlPlane.channel(pki.operator("admin"))).getCode() == Status.Code.OK);
  }

  @Test
  void soManyConnectionsOfOneNameAndNoMore() {
    TlsFiles files = pki.operator("admin");
    List<ManagedChannel> channels = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      channels.add(controlPlane.channel(files));
    }
    assertThat(list(channels.get(0)).getCode()).isEqualTo(Status.Code.OK);
    assertThat(list(channels.get(1)).getCode()).isEqualTo(Status.Code.OK);
    assertThat(list(channels.get(2)).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    channels.get(0).shutdownNow();
    Eventually.holds(
        "a place is free",
        () -> {
          ManagedChannel next = controlPlane.channel(files);
          boolean taken = list(next).getCode() == Status.Code.OK;
          next.shutdownNow();
          return taken;
        });
  }

  /** By counts: whatever one asks, the other's calls are all answered. */
  @Test
  void aFloodOfOneDoesNotSlowAnother() {
    ManagedChannel admin = controlPlane.channel(pki.operator("admin"));
    createOperator(admin, "operators/calm");
    createOperator(admin, "operators/flood");
    ManagedChannel calm = controlPlane.channel(pki.operator("calm"));
    ManagedChannel flood = controlPlane.channel(pki.operator("flood"));
    long start = System.nanoTime();
    int answered = 0;
    int calmAnswered = 0;
    for (int i = 0; i < 400; i++) {
      answered += list(flood).getCode() == Status.Code.OK ? 1 : 0;
      if (i % 10 == 0) {
        calmAnswered += list(calm).getCode() == Status.Code.OK ? 1 : 0;
      }
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + 1;
    assertThat(calmAnswered).isEqualTo(40);
    assertThat(answered).isBetween(LIMITS.callBurst(), (int) (LIMITS.callBurst() + seconds));
  }

  @Test
  void whoIsRefusedIsToldWhenToComeAgain() {
    ManagedChannel admin = controlPlane.channel(pki.operator("admin"));
    StatusRuntimeException refused = null;
    for (int i = 0; i < 200 && refused == null; i++) {
      try {
        TenantServiceGrpc.newBlockingStub(admin)
            .listTenants(ListTenantsRequest.getDefaultInstance());
      } catch (StatusRuntimeException e) {
        refused = e;
      }
    }
    assertThat(refused).isNotNull();
    assertThat(StatusProto.fromThrowable(refused).getDetailsList())
        .anyMatch(detail -> detail.is(RetryInfo.class));
  }

  @Test
  void largeHeadersAreRefused() {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("x-large", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(64 * 1024));
    ManagedChannel admin = controlPlane.channel(pki.operator("admin"));
    Status status =
        AnyCall.status(
            () ->
                TenantServiceGrpc.newBlockingStub(admin)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                    .listTenants(ListTenantsRequest.getDefaultInstance()));
    assertThat(status.getCode()).isNotEqualTo(Status.Code.OK);
    assertThat(list(admin).getCode()).as("the others go on").isEqualTo(Status.Code.OK);
  }

  @Test
  void olderTlsIsRefused() throws Exception {
    assertThat(openssl("-tls1_2")).contains("protocol version");
  }

  @Test
  void noCertificateNoEntry() throws Exception {
    assertThat(openssl("-tls1_3", "-ign_eof")).contains("certificate required");
  }

  /** A peer that holds a connection open and says nothing more: its keepalive is not answered. */
  @Test
  void whoIsHalfOpenIsCutOff() throws Exception {
    restart(limits(PATIENT, SHORT));
    TlsPaths paths = pki.operatorPaths("admin");
    assertThat(
            openssl(
                "-tls1_3",
                "-alpn",
                "h2",
                "-ign_eof",
                "-cert",
                paths.certificate().toString(),
                "-key",
                paths.key().toString()))
        .as("openssl has ended by itself: the server closed")
        .contains("Verification");
  }

  @Test
  void plainTextGetsNoAnswer() throws IOException {
    Socket socket = connect();
    socket
        .getOutputStream()
        .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(ended(socket)).isTrue();
  }

  private static PeerLimits limits(Duration handshake, Duration silence) {
    return new PeerLimits(6, 1_000, 2, 1, 40, handshake, silence);
  }

  private void restart(PeerLimits limits) throws Exception {
    controlPlane.close();
    controlPlane = start(limits);
  }

  private TestControlPlane start(PeerLimits limits) throws Exception {
    return TestControlPlane.start(
        "jdbc:sqlite:" + directory.resolve("journal.db"),
        pki.server(),
        new AccessConfig(List.of(), Optional.empty(), limits));
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), controlPlane.port());
    socket.setSoTimeout(SAFETY_MILLIS);
    sockets.add(socket);
    return socket;
  }

  /** Waits for the end; an alert of TLS may come before it. */
  private static boolean ended(Socket socket) throws IOException {
    try {
      return socket.getInputStream().readNBytes(1_000).length < 100;
    } catch (SocketException e) {
      return true;
    }
  }

  /** What another implementation of TLS says. */
  private String openssl(String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("openssl", "s_client", "-connect", "127.0.0.1:" + controlPlane.port()));
    command.addAll(List.of(options));
    Path log = directory.resolve("s_client.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor(SAFETY_MILLIS, TimeUnit.MILLISECONDS)).as("it has ended").isTrue();
    return java.nio.file.Files.readString(log);
  }

  private static Status list(ManagedChannel channel) {
    return AnyCall.status(
        () ->
            TenantServiceGrpc.newBlockingStub(channel)
                .listTenants(ListTenantsRequest.getDefaultInstance()));
  }

  private static void createOperator(ManagedChannel admin, String name) {
    OperatorServiceGrpc.newBlockingStub(admin)
        .createOperator(
            CreateOperatorRequest.newBuilder()
                .setOperator(Operator.newBuilder().setName(name).setRole(Role.ROLE_AUDITOR))
                .build());
  }
}
