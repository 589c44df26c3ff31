package io.gatehouse.control.pki;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.config.YamlMap;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Settings of the authorities.
 *
 * @param directory of the files: keys of the authorities, certificate of this control plane
 * @param deviceLifetime of a DPU's certificate
 * @param serverNames DNS names and addresses that agents and operators connect to
 * @param pkcs11 where the authorities' keys are, if not in the directory
 */
public record PkiConfig(
    Path directory, Duration deviceLifetime, List<String> serverNames, Optional<Pkcs11> pkcs11) {
  private static final Duration DEFAULT_LIFETIME = Duration.ofDays(7);
  private static final Duration SHORTEST_LIFETIME = Duration.ofMinutes(1);
  private static final Duration LONGEST_LIFETIME = Duration.ofDays(90);
  private static final int MAX_NAMES = 32;
  private static final int MAX_SLOT_INDEX = 255;

  /**
   * A hardware security module, or what stands for one.
   *
   * @param library its PKCS#11 library
   * @param slotIndex which of its slots, in the order in which it lists them, from 0
   * @param pinFile file with the user's PIN and nothing else
   */
  public record Pkcs11(Path library, int slotIndex, Path pinFile) {}

  public PkiConfig {
    serverNames = List.copyOf(serverNames);
    if (serverNames.isEmpty()) {
      throw new InvalidValueException("pki.server_names", "", "is empty");
    }
  }

  /**
   * Reads the section.
   *
   * @param listen the address that is the name where none is given
   */
  public static Supplier<PkiConfig> read(YamlMap map, Supplier<String> listen) {
    Supplier<Path> directory = map.path("directory").required();
    Supplier<Duration> lifetime =
        map.duration("device_lifetime", SHORTEST_LIFETIME, LONGEST_LIFETIME)
            .orElse(DEFAULT_LIFETIME);
    Supplier<List<String>> names =
        map.list("server_names", MAX_NAMES, name -> new HostPort(name, 0).host()).orElse(List.of());
    boolean inModule = map.has("pkcs11");
    YamlMap module = inModule ? map.map("pkcs11") : map;
    Supplier<Optional<Pkcs11>> pkcs11 = inModule ? pkcs11(module) : Optional::empty;
    return () ->
        new PkiConfig(
            directory.get(),
            lifetime.get(),
            names.get().isEmpty() ? List.of(listen.get()) : names.get(),
            pkcs11.get());
  }

  private static Supplier<Optional<Pkcs11>> pkcs11(YamlMap map) {
    Supplier<Path> library = map.path("library").required();
    Supplier<Integer> slot = map.integer("slot_index", 0, MAX_SLOT_INDEX).orElse(0);
    Supplier<Path> pin = map.path("pin_file").required();
    return () -> Optional.of(new Pkcs11(library.get(), slot.get(), pin.get()));
  }
}
