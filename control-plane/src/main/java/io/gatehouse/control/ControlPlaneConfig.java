package io.gatehouse.control;

import io.gatehouse.control.journal.JournalConfig;
import io.gatehouse.control.pki.PkiConfig;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.runtime.config.YamlMap;
import io.gatehouse.runtime.config.YamlReader;
import io.gatehouse.runtime.log.LogFormat;
import io.gatehouse.runtime.tls.TlsPaths;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.event.Level;

/**
 * Settings of the control plane.
 *
 * @param listen where agents and operators connect
 * @param tls own certificate and key, and the authorities of the clients' certificates, where
 *     somebody else issues them
 * @param pki the authorities of our own, and where those without a certificate enrol
 * @param trustDomain of the names in clients' certificates
 * @param journal where the journal is
 * @param observe where metrics and health are read, a loopback address
 */
public record ControlPlaneConfig(
    InetSocketAddress listen,
    Optional<TlsPaths> tls,
    Optional<Pki> pki,
    String trustDomain,
    JournalConfig journal,
    InetSocketAddress observe,
    Log log) {
  private static final int DEFAULT_PORT = 8443;
  private static final int DEFAULT_ENROLLMENT_PORT = 8444;
  private static final int DEFAULT_OBSERVE_PORT = 9465;
  private static final int MAX_PORT = 65_535;
  private static final Pattern TRUST_DOMAIN = Pattern.compile("[a-z0-9._-]{1,255}");
  private static final Set<String> FORMATS = Set.of("text", "json");
  private static final Set<String> LEVELS = Set.of("error", "warn", "info", "debug", "trace");

  /** How the program logs. */
  public record Log(LogFormat format, Level level) {}

  /**
   * Authorities of our own.
   *
   * @param enrollment where those enrol who have no certificate
   */
  public record Pki(PkiConfig authorities, InetSocketAddress enrollment) {}

  public ControlPlaneConfig {
    if (tls.isPresent() == pki.isPresent()) {
      throw new InvalidValueException(
          "pki",
          "it",
          "and tls are both "
              + (pki.isPresent() ? "there" : "missing")
              + ": certificates come from one place");
    }
    if (!TRUST_DOMAIN.matcher(trustDomain).matches()) {
      throw new InvalidValueException(
          "trust_domain", trustDomain, "is not 1 to 255 of a-z, 0-9 and \"._-\"");
    }
  }

  /**
   * Reads a file.
   *
   * @throws io.gatehouse.runtime.config.ConfigException with every problem, each with its line
   */
  public static ControlPlaneConfig read(Path file) {
    YamlMap root = YamlReader.read(file);
    YamlMap listenMap = root.map("listen");
    Supplier<String> listenAddress = listenMap.value("address", ControlPlaneConfig::ip).required();
    Supplier<Integer> listenPort = listenMap.integer("port", 0, MAX_PORT).orElse(DEFAULT_PORT);
    Supplier<Optional<TlsPaths>> tls = root.has("tls") ? tls(root.map("tls")) : Optional::empty;
    Supplier<Optional<Pki>> pki = root.has("pki") ? pki(root, listenAddress) : Optional::empty;
    Supplier<String> trustDomain = root.text("trust_domain").required();
    Supplier<JournalConfig> journal = journal(root.map("journal"));
    YamlMap observeMap = root.map("observe");
    Supplier<String> observe =
        observeMap.value("address", ControlPlaneConfig::ip).orElse("127.0.0.1");
    Supplier<Integer> observePort =
        observeMap.integer("port", 0, MAX_PORT).orElse(DEFAULT_OBSERVE_PORT);
    YamlMap log = root.map("log");
    Supplier<String> format = log.choice("format", FORMATS).orElse("text");
    Supplier<String> level = log.choice("level", LEVELS).orElse("info");
    return root.finish(
        () ->
            new ControlPlaneConfig(
                socket(listenAddress.get(), listenPort.get()),
                tls.get(),
                pki.get(),
                trustDomain.get(),
                journal.get(),
                socket(observe.get(), observePort.get()),
                new Log(
                    LogFormat.valueOf(upper(format.get())), Level.valueOf(upper(level.get())))));
  }

  private static Supplier<Optional<TlsPaths>> tls(YamlMap map) {
    Supplier<Path> certificate = map.path("certificate").required();
    Supplier<Path> key = map.path("key").required();
    Supplier<Path> clientCa = map.path("client_ca").required();
    return () -> Optional.of(new TlsPaths(clientCa.get(), certificate.get(), key.get()));
  }

  private static Supplier<Optional<Pki>> pki(YamlMap root, Supplier<String> listen) {
    Supplier<PkiConfig> authorities = PkiConfig.read(root.map("pki"), listen);
    YamlMap map = root.map("enrollment").map("listen");
    Supplier<Optional<String>> address = map.value("address", ControlPlaneConfig::ip).optional();
    Supplier<Integer> port = map.integer("port", 0, MAX_PORT).orElse(DEFAULT_ENROLLMENT_PORT);
    return () ->
        Optional.of(
            new Pki(authorities.get(), socket(address.get().orElseGet(listen), port.get())));
  }

  private static Supplier<JournalConfig> journal(YamlMap map) {
    Supplier<String> url = map.value("url", ControlPlaneConfig::engine).required();
    Supplier<String> user = map.text("user").orElse("");
    Supplier<Optional<Path>> passwordFile = map.path("password_file").optional();
    return () -> {
      JournalConfig plain = JournalConfig.of(url.get());
      return new JournalConfig(
          plain.jdbcUrl(),
          user.get(),
          passwordFile.get().map(ControlPlaneConfig::secret).orElse(""),
          plain.snapshotEvery(),
          plain.timeout());
    };
  }

  private static String engine(String url) {
    if (!url.startsWith("jdbc:sqlite:/") && !url.startsWith("jdbc:postgresql://")) {
      throw new InvalidValueException(
          "url", url, "is neither jdbc:sqlite:/FILE nor jdbc:postgresql://HOST:PORT/DATABASE");
    }
    return url;
  }

  private static String secret(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new InvalidValueException("journal.password_file", file, "cannot be read");
    }
  }

  /** An address as numbers: a name would be looked up. */
  private static String ip(String text) {
    return IpAddress.parse(text).toString();
  }

  private static InetSocketAddress socket(String address, int port) {
    // Numbers only, as checked: nothing is looked up.
    return new InetSocketAddress(address, port);
  }

  private static String upper(String word) {
    return word.toUpperCase(Locale.ROOT);
  }
}
