package io.gatehouse.agent.device.unixctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that does not answer as it should is an error of the right kind, and never a hang. */
@Timeout(60)
final class UnixctlClientTest {
  private static final Duration GENEROUS = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(50);

  @TempDir private Path directory = Path.of("");

  @Test
  void anAnswerInPiecesIsRead() throws Exception {
    assertThat(answered("{\"error\":null,", "\"id\":1,\"result\":\"a}\\\"b\"}\n"))
        .isEqualTo("a}\"b");
  }

  @Test
  void aRefusalIsTheDaemonsOwnNo() {
    assertThatThrownBy(() -> answered("{\"error\":\"no such\\nbridge\",\"id\":1,\"result\":null}"))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED))
        .hasMessage("list: no such bridge");
  }

  @Test
  void whatIsNoAnswerIsAProtocolError() {
    for (String text :
        List.of(
            "hello",
            "[1,2]",
            "{\"error\":null,\"id\":2,\"result\":\"other\"}",
            "{\"error\":null,\"id\":1,\"result\":7}",
            "{\"id\":1,}",
            "{}x",
            "{".repeat(100))) {
      assertThatThrownBy(() -> answered(text))
          .as(text)
          .isInstanceOfSatisfying(
              DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.PROTOCOL));
    }
  }

  @Test
  void aDaemonThatSaysNothingOrGoesIsUnreachable() throws Exception {
    try (ServerSocketChannel server = listen()) {
      UnixctlClient client = new UnixctlClient(directory, SHORT);
      unreachable(client);
      try (SocketChannel silent = server.accept()) {
        assertThat(silent.isConnected()).isTrue();
        unreachable(client);
      }
    }
    assertThatThrownBy(() -> answered("{\"error\":null,"))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
  }

  @Test
  void noDaemonOrAStrangePidFileIsUnreachable() throws Exception {
    UnixctlClient client = new UnixctlClient(directory, GENEROUS);
    unreachable(client);
    Files.writeString(directory.resolve("ovs-vswitchd.pid"), "../../etc\n");
    unreachable(client);
    Files.writeString(directory.resolve("ovs-vswitchd.pid"), "77\n");
    unreachable(client);
  }

  private static void unreachable(UnixctlClient client) {
    assertThatThrownBy(() -> client.call("list", List.of()))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
  }

  private ServerSocketChannel listen() throws IOException {
    Files.writeString(directory.resolve("ovs-vswitchd.pid"), "77\n");
    Path socket = directory.resolve("ovs-vswitchd.77.ctl");
    Files.deleteIfExists(socket);
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(socket));
  }

  /** What a client makes of these bytes, after which the daemon hangs up. */
  private String answered(String... pieces) throws Exception {
    try (ServerSocketChannel server = listen();
        UnixctlClient client = new UnixctlClient(directory, GENEROUS)) {
      CompletableFuture<Void> serving =
          CompletableFuture.runAsync(
              () -> {
                try (SocketChannel accepted = server.accept()) {
                  accepted.read(ByteBuffer.allocate(1_000));
                  for (String piece : pieces) {
                    accepted.write(ByteBuffer.wrap(piece.getBytes(StandardCharsets.UTF_8)));
                  }
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      try {
        return client.call("list", List.of());
      } finally {
        serving.join();
      }
    }
  }
}
