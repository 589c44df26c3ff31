package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as a process. */
final class ControlPlaneMainIT {
  @TempDir Path directory = Path.of("");

  @Test
  void itBecomesReadyAndEndsOnSigterm() throws Exception {
    int observe = freePort();
    Process process = start(observe);
    try {
      Eventually.holds("it is ready", () -> status(observe, "/readyz") == 200);
      assertThat(status(observe, "/livez")).isEqualTo(200);
      process.destroy();
      assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
      // 128 + 15: ended by the signal, after all was closed.
      assertThat(process.exitValue()).isEqualTo(143);
      assertThat(Files.readString(directory.resolve("log")))
          .contains("stopping")
          .doesNotContain("WARN");
    } finally {
      process.destroyForcibly();
    }
  }

  private Process start(int observe) throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("control-plane.yaml"),
            "listen: {address: 127.0.0.1, port: 0}\n"
                + "enrollment: {listen: {port: 0}}\n"
                + ("pki: {directory: " + directory.resolve("pki") + "}\n")
                + "trust_domain: gatehouse.test\n"
                + ("journal: {url: \"jdbc:sqlite:" + directory.resolve("journal.db") + "\"}\n")
                + ("observe: {port: " + observe + "}\n"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            ControlPlaneMain.class.getName(),
            "run",
            "--config",
            config.toString())
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("log").toFile())
        .start();
  }

  private static int status(int port, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      return HttpClient.newHttpClient()
          .send(request, HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
