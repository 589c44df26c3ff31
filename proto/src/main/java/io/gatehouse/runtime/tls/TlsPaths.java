package io.gatehouse.runtime.tls;

import io.gatehouse.runtime.config.YamlMap;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * The three PEM files of a party.
 *
 * @param ca certificates of the authorities that the peer's certificate must come from; revocation
 *     lists (blocks {@code X509 CRL}) in it count, too
 * @param certificate own certificate, then those between it and an authority
 * @param key private key of the own certificate, PKCS#8 or SEC 1
 */
public record TlsPaths(Path ca, Path certificate, Path key) {
  /** Reads the keys {@code ca}, {@code certificate} and {@code key}, all required. */
  public static Supplier<TlsPaths> read(YamlMap map) {
    Supplier<Path> ca = map.path("ca").required();
    Supplier<Path> certificate = map.path("certificate").required();
    Supplier<Path> key = map.path("key").required();
    return () -> new TlsPaths(ca.get(), certificate.get(), key.get());
  }
}
