package io.gatehouse.agent.device.ovsdb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gatehouse.agent.device.DeviceException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Bytes that ovsdb-server 3.1.0 sent. */
final class Captured {
  /** What the captured session monitored. */
  static final Map<String, Set<String>> MONITORED =
      Map.of(
          "Open_vSwitch", Set.of("bridges", "next_cfg", "cur_cfg", "external_ids"),
          "Bridge", Set.of("name", "ports", "fail_mode", "external_ids", "flow_tables"),
          "Port", Set.of("name", "interfaces", "tag", "trunks"),
          "Interface",
              Set.of(
                  "name",
                  "type",
                  "ofport",
                  "options",
                  "error",
                  "statistics",
                  "link_speed",
                  "admin_state",
                  "mtu_request"));

  private static final JsonMapper JSON = new JsonMapper();

  private Captured() {}

  /** A whole session as it came: replies, errors and updates, without delimiters. */
  static byte[] session() {
    return bytes("session.json");
  }

  static List<JsonNode> sessionMessages() {
    try (MappingIterator<JsonNode> all = JSON.readerFor(JsonNode.class).readValues(session())) {
      return all.readAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The table updates of the session: the initial one, and each that followed. */
  static List<JsonNode> updates() {
    return sessionMessages().stream()
        .filter(message -> message.has("method") || message.path("result").path(0).isBoolean())
        .map(message -> message.path(message.has("method") ? "params" : "result").path(2))
        .toList();
  }

  /** The result of get_schema, reduced to the tables of the session. */
  static JsonNode schemaResult() {
    return json(new String(bytes("schema.json"), java.nio.charset.StandardCharsets.UTF_8))
        .path("result");
  }

  static DatabaseSchema schema() throws DeviceException {
    return DatabaseSchema.read(schemaResult(), MONITORED);
  }

  /** Reads JSON in which single quotes stand for double ones. */
  static JsonNode quoted(String text) {
    return json(text.replace('\'', '"'));
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(String name) {
    try (InputStream stream = Captured.class.getResourceAsStream("/ovsdb/" + name)) {
      if (stream == null) {
        throw new IllegalStateException("no resource " + name);
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
