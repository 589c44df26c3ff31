package io.gatehouse.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * What a program's metrics endpoint says at one moment.
 *
 * @param lines of the Prometheus text format, without comments
 */
public record Metrics(List<String> lines) {
  private static final int AGENT_PORT = 9464;
  private static final int CONTROL_PLANE_PORT = 9465;
  private static final int TIMEOUT_MILLIS = 30_000;

  public Metrics {
    lines = List.copyOf(lines);
  }

  public static Metrics ofAgent(Lab lab, int dpu) {
    return read(lab.namespace("dpu" + dpu), AGENT_PORT);
  }

  public static Metrics ofControlPlane(Lab lab) {
    return read(lab.namespace("control"), CONTROL_PLANE_PORT);
  }

  /** The sum over all series of that name which have all these labels, such as {@code kind="a"}. */
  public double sum(String name, String... labels) {
    return lines.stream()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .filter(line -> Arrays.stream(labels).allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** The endpoint listens on the loopback address of its namespace. */
  private static Metrics read(NetworkNamespace namespace, int port) {
    try (Socket socket = namespace.inside(() -> connected(port))) {
      socket
          .getOutputStream()
          .write(
              "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!answer.contains(" 200 ")) {
        throw new AssertionError("metrics of " + namespace + ": " + answer);
      }
      return new Metrics(answer.lines().filter(line -> line.startsWith("gatehouse")).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Socket connected(int port) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
    return socket;
  }
}
