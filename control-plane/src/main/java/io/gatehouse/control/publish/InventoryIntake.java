package io.gatehouse.control.publish;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.PolicyRemoval;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Puts together an agent's inventory that comes in several messages. Used by one thread at a time.
 */
final class InventoryIntake {
  /** Above what one DPU can ever hold; about 20 MB of an agent that tries. */
  static final int MAX_RESOURCES = 100_000;

  private Map<String, Long> held = new HashMap<>();

  /**
   * Adds one message.
   *
   * @return version by name, with the last message
   * @throws InvalidValueException if the whole is too large or names something twice
   */
  Optional<Map<String, Long>> add(Inventory message) {
    if (held.size() + message.getHeldCount() > MAX_RESOURCES) {
      throw new InvalidValueException(
          "inventory.held",
          held.size() + message.getHeldCount() + " elements",
          "are more than " + MAX_RESOURCES);
    }
    for (int i = 0; i < message.getHeldCount(); i++) {
      PolicyRemoval resource = message.getHeld(i);
      if (held.put(resource.getName(), resource.getVersion()) != null) {
        throw new InvalidValueException(
            "inventory.held[" + i + "].name", resource.getName(), "is there twice");
      }
    }
    if (!message.getComplete()) {
      return Optional.empty();
    }
    Map<String, Long> whole = held;
    held = new HashMap<>();
    return Optional.of(whole);
  }
}
