package io.gatehouse.runtime.observe;

import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.config.YamlMap;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** The section {@code observe} of a program's settings: where metrics and probes are answered. */
public final class ObserveSettings {
  private ObserveSettings() {}

  /** Reads {@code address} (default 127.0.0.1) and {@code port}. */
  public static Supplier<InetSocketAddress> read(YamlMap map, int defaultPort) {
    Supplier<String> address = map.text("address").orElse("127.0.0.1");
    Supplier<Integer> port = map.integer("port", 0, 65_535).orElse(defaultPort);
    return () -> new HostPort(address.get(), port.get()).toSocketAddress();
  }
}
