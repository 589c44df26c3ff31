package io.gatehouse.runtime.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.event.KeyValuePair;

/** The pairs of an event: first its own in their order, then those of the thread (MDC) by name. */
final class EventFields {
  private EventFields() {}

  static Map<String, String> of(ILoggingEvent event) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (event.getKeyValuePairs() != null) {
      for (KeyValuePair pair : event.getKeyValuePairs()) {
        fields.put(pair.key, String.valueOf(pair.value));
      }
    }
    new TreeMap<>(event.getMDCPropertyMap()).forEach(fields::putIfAbsent);
    return fields;
  }

  static String shortName(String logger) {
    return logger.substring(logger.lastIndexOf('.') + 1);
  }
}
