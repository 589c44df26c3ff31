package io.gatehouse.agent.device.unixctl;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gives commands to {@code ovs-vswitchd} as {@code ovs-appctl} does, over one connection for many
 * commands. A connection that failed is not used again: the next call finds the daemon anew, by its
 * pid file. Blocks, each call with one limit for all of it; for one thread.
 */
public final class UnixctlClient implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String DAEMON = "ovs-vswitchd";
  private static final Pattern PID = Pattern.compile("[1-9][0-9]{0,9}");
  private static final int MAX_ANSWER_BYTES = 16 << 20;
  private static final int SHOWN_CHARACTERS = 300;

  private final Path runDirectory;
  private final Duration limit;
  private final ByteBuffer received = ByteBuffer.allocate(64 << 10);
  private @Nullable TimedSocket socket;
  private long lastId;

  /**
   * Makes a client that connects with its first call.
   *
   * @param runDirectory holds the daemon's pid file and its socket
   * @param limit of a whole call
   */
  public UnixctlClient(Path runDirectory, Duration limit) {
    this.runDirectory = runDirectory;
    this.limit = limit;
  }

  /**
   * Gives a command.
   *
   * @throws DeviceException REJECTED if the daemon says no; UNREACHABLE if it does not answer in
   *     time; PROTOCOL if its answer is none
   */
  public String call(String method, List<String> arguments)
      throws DeviceException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    boolean answered = false;
    try {
      TimedSocket connected = connect(deadline);
      long id = ++lastId;
      connected.write(ByteBuffer.wrap(request(id, method, arguments)), deadline);
      JsonNode answer = read(connected, deadline);
      if (!answer.path("id").isIntegralNumber() || answer.path("id").longValue() != id) {
        throw new DeviceException(Kind.PROTOCOL, method + ": an answer to something else");
      }
      answered = true;
      return result(method, answer);
    } catch (IOException e) {
      throw new DeviceException(
          Kind.UNREACHABLE, DAEMON + " in " + runDirectory + ": " + e.getMessage(), e);
    } finally {
      if (!answered) {
        close();
      }
    }
  }

  @Override
  public void close() {
    if (socket != null) {
      socket.close();
      socket = null;
    }
  }

  private TimedSocket connect(long deadline)
      throws IOException, DeviceException, InterruptedException {
    TimedSocket known = socket;
    if (known != null) {
      return known;
    }
    TimedSocket opened =
        TimedSocket.connect(runDirectory.resolve(DAEMON + "." + pid() + ".ctl"), deadline);
    socket = opened;
    return opened;
  }

  private String pid() throws IOException, DeviceException {
    Path file = runDirectory.resolve(DAEMON + ".pid");
    String text = Files.readString(file).strip();
    if (!PID.matcher(text).matches()) {
      throw new DeviceException(Kind.UNREACHABLE, file + " holds no process number");
    }
    return text;
  }

  private static byte[] request(long id, String method, List<String> arguments) {
    ObjectNode request = JSON.createObjectNode().put("id", id).put("method", method);
    arguments.forEach(request.putArray("params")::add);
    return request.toString().getBytes(StandardCharsets.UTF_8);
  }

  private JsonNode read(TimedSocket connected, long deadline)
      throws IOException, DeviceException, InterruptedException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    JsonScan scan = new JsonScan();
    while (!scan.isEnded()) {
      received.clear();
      connected.read(received, deadline);
      received.flip();
      while (received.hasRemaining()) {
        byte b = received.get();
        scan.accept(b);
        text.write(b);
      }
      if (text.size() > MAX_ANSWER_BYTES) {
        throw new DeviceException(
            Kind.PROTOCOL, "an answer is longer than " + MAX_ANSWER_BYTES + " bytes");
      }
    }
    try {
      return JSON.readTree(text.toByteArray());
    } catch (JsonProcessingException e) {
      throw new DeviceException(Kind.PROTOCOL, "not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static String result(String method, JsonNode answer) throws DeviceException {
    JsonNode error = answer.path("error");
    if (!error.isNull() && !error.isMissingNode()) {
      throw new DeviceException(Kind.REJECTED, method + ": " + shown(error.asText()));
    }
    JsonNode result = answer.path("result");
    if (!result.isTextual()) {
      throw new DeviceException(Kind.PROTOCOL, method + ": an answer without a text");
    }
    return result.asText();
  }

  private static String shown(String text) {
    String printable = text.strip().replaceAll("\\p{Cntrl}", " ");
    return printable.length() <= SHOWN_CHARACTERS
        ? printable
        : printable.substring(0, SHOWN_CHARACTERS) + "…";
  }
}
