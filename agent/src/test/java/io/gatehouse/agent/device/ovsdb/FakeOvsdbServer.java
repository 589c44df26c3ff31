package io.gatehouse.agent.device.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A server that a test plays by hand, for what a real one does not do when asked. Strict: a request
 * that the test does not expect fails the test, and every wait has a limit.
 */
final class FakeOvsdbServer implements AutoCloseable {
  private static final int LIMIT_MILLIS = 20_000;
  private static final JsonMapper JSON = new JsonMapper();

  private final ServerSocket listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());

  FakeOvsdbServer() throws IOException {
    listener.setSoTimeout(LIMIT_MILLIS);
  }

  OvsdbAddress address() {
    return OvsdbAddress.parse("tcp:127.0.0.1:" + listener.getLocalPort());
  }

  /** The next connection of a client. */
  Peer accept() throws IOException {
    return new Peer(listener.accept());
  }

  /** The next connection, brought to where the client has its first snapshot. */
  Peer acceptAndSync(String initial) throws IOException {
    Peer peer = accept();
    peer.answer(peer.expect("set_db_change_aware"), "{}");
    peer.answer(peer.expect("get_schema"), Captured.schemaResult().toString());
    peer.answer(peer.expect("monitor_cond_since"), "[false,'" + Uuid.ZERO + "'," + initial + "]");
    return peer;
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  /** One connection. */
  static final class Peer implements AutoCloseable {
    private final Socket socket;
    private final MappingIterator<JsonNode> requests;

    Peer(Socket socket) throws IOException {
      this.socket = socket;
      socket.setSoTimeout(LIMIT_MILLIS);
      this.requests = JSON.readerFor(JsonNode.class).readValues(socket.getInputStream());
    }

    JsonNode expect(String method) throws IOException {
      JsonNode request = requests.nextValue();
      assertThat(request.path("method").asText()).isEqualTo(method);
      return request;
    }

    /** The next message, of whatever kind. */
    JsonNode next() throws IOException {
      return requests.nextValue();
    }

    void answer(JsonNode request, String result) throws IOException {
      send("{'id':%s,'error':null,'result':%s}".formatted(request.path("id"), result));
    }

    void refuse(JsonNode request, String error) throws IOException {
      send("{'id':%s,'result':null,'error':%s}".formatted(request.path("id"), error));
    }

    void update(String changes) throws IOException {
      send(
          "{'id':null,'method':'update3','params':['gatehouse','%s',%s]}"
              .formatted(Uuid.ZERO, changes));
    }

    /** Single quotes stand for double ones. */
    void send(String text) throws IOException {
      socket.getOutputStream().write(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** Whether the client has closed, having sent nothing else. */
    boolean isClosedByClient() throws IOException {
      return !requests.hasNextValue();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
