package io.gatehouse.control.testing;

import io.gatehouse.control.ControlPlaneMain;
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

/** The control plane as a process of its own, on free ports of 127.0.0.1. */
public final class ControlPlaneProcess implements AutoCloseable {
  private final Process process;
  private final Path log;
  private final int port;
  private final int observe;
  private final HttpClient probes = HttpClient.newHttpClient();

  private ControlPlaneProcess(Process process, Path log, int port, int observe) {
    this.process = process;
    this.log = log;
    this.port = port;
    this.observe = observe;
  }

  /** Starts it on a journal, with the keys of a directory, and returns at once. */
  public static ControlPlaneProcess start(Path directory, String jdbcUrl, Path pki)
      throws IOException {
    int port = freePort();
    int observe = freePort();
    Path settings =
        Files.writeString(
            directory.resolve("control-plane-" + port + ".yaml"),
            "listen: {address: 127.0.0.1, port: "
                + port
                + "}\nenrollment: {listen: {port: 0}}\npki: {directory: "
                + pki
                + "}\ntrust_domain: gatehouse.test\njournal: {url: \""
                + jdbcUrl
                + "\"}\nobserve: {port: "
                + observe
                + "}\n");
    Path log = directory.resolve("control-plane-" + port + ".log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ControlPlaneMain.class.getName(),
                "run",
                "--config",
                settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new ControlPlaneProcess(process, log, port, observe);
  }

  public Process process() {
    return process;
  }

  /** Where agents and operators connect, once it is ready. */
  public int port() {
    return port;
  }

  /** All that it has said. */
  public String log() throws IOException {
    return Files.readString(log);
  }

  /** Status of the answer to a probe, 0 if there is none. */
  public int status(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + observe + path))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      return probes.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  /** Ends it with SIGKILL, if it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
