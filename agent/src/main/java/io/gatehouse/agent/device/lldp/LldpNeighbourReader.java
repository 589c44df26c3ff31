package io.gatehouse.agent.device.lldp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Neighbours out of {@code lldpcli -f json0 show neighbors details}, where every element is a list
 * of objects. Pure. What is no JSON is a {@link DeviceException} of kind PROTOCOL; what is absent
 * or of another form is not told.
 */
final class LldpNeighbourReader {
  /** Links of a DPU, with room for representors, on which lldpd may listen as well. */
  static final int MAX_NEIGHBOURS = 4_096;

  private static final int MAX_TEXT = 200;
  private static final int MAX_FRAME_BYTES = 65_535;
  private static final int MAX_DIGITS = 5;
  private static final ObjectMapper JSON = new ObjectMapper();

  private LldpNeighbourReader() {}

  static List<LldpNeighbour> read(byte[] json) throws DeviceException {
    List<LldpNeighbour> neighbours = new ArrayList<>();
    for (JsonNode all : elements(parsed(json).path("lldp"))) {
      for (JsonNode link : elements(all.path("interface"))) {
        String device = text(link.path("name"));
        if (!device.isEmpty() && neighbours.size() < MAX_NEIGHBOURS) {
          neighbours.add(neighbour(device, link));
        }
      }
    }
    return neighbours;
  }

  private static JsonNode parsed(byte[] json) throws DeviceException {
    try {
      JsonNode root = JSON.readTree(json);
      if (root != null && root.path("lldp").isContainerNode()) {
        return root;
      }
    } catch (IOException e) {
      throw new DeviceException(Kind.PROTOCOL, "lldpcli: its answer is no JSON", e);
    }
    throw new DeviceException(Kind.PROTOCOL, "lldpcli: its answer has no neighbours in it");
  }

  private static LldpNeighbour neighbour(String device, JsonNode link) {
    JsonNode chassis = first(link.path("chassis"));
    JsonNode port = first(link.path("port"));
    String name = value(chassis.path("name"));
    return new LldpNeighbour(
        device,
        name.isEmpty() ? value(chassis.path("id")) : name,
        port(port),
        frame(value(port.path("mfs"))));
  }

  /** People know a port by its name; a MAC address is told only where there is no other. */
  private static String port(JsonNode port) {
    JsonNode id = first(port.path("id"));
    String description = value(port.path("descr"));
    boolean isNamed = !text(id.path("type")).equals("mac");
    return isNamed || description.isEmpty() ? text(id.path("value")) : description;
  }

  private static int frame(String digits) {
    boolean isNumber =
        !digits.isEmpty()
            && digits.length() <= MAX_DIGITS
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    int bytes = isNumber ? Integer.parseInt(digits) : 0;
    return bytes <= MAX_FRAME_BYTES ? bytes : 0;
  }

  private static String value(JsonNode list) {
    return text(first(list).path("value"));
  }

  private static JsonNode first(JsonNode list) {
    return list.isArray() ? list.path(0) : list;
  }

  private static Iterable<JsonNode> elements(JsonNode list) {
    return list.isArray() ? list : List.of(list);
  }

  private static String text(JsonNode node) {
    String text = node.asText("").replaceAll("\\p{Cntrl}", " ").strip();
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
  }
}
