package io.gatehouse.control.pki;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** Where the authorities' keys are. Blocks on a disk or a module; any thread. */
interface KeyVault {
  /** Name of the root's key. */
  String ROOT = "root";

  /** Curve of the root's key. */
  String ROOT_CURVE = "secp384r1";

  /** Curve of the issuing authorities' keys. */
  String ISSUING_CURVE = "secp256r1";

  /** Makes a key that is kept nowhere yet. */
  SigningKey make(String curve);

  /** Keeps a key for good, with its certificate first in the chain. */
  void keep(String name, SigningKey key, List<X509Certificate> chain);

  /** The key of this name with its certificate. */
  Optional<Kept> find(String name);

  /** Where a key of this name is looked for, for people. */
  String place(String name);

  /** Name of an issuing authority's key. */
  static String nameOf(String authorityId) {
    return "authority-" + authorityId;
  }

  /** A key with its certificate. */
  record Kept(SigningKey key, X509Certificate certificate) {}
}
