package io.gatehouse.control.pki;

import io.gatehouse.control.pki.PkiConfig.Pkcs11;
import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import java.util.Optional;

/**
 * Keys in a PKCS#11 module, which they never leave. One session, kept open; the JDK's own provider,
 * which is not registered with the process.
 */
final class Pkcs11KeyVault implements KeyVault {
  private final Pkcs11 settings;
  private final Provider provider;
  private final KeyStore store;

  private Pkcs11KeyVault(Pkcs11 settings, Provider provider, KeyStore store) {
    this.settings = settings;
    this.provider = provider;
    this.store = store;
  }

  /**
   * Opens the module and logs in.
   *
   * @throws PkiException if that fails; without the PIN
   */
  static Pkcs11KeyVault open(Pkcs11 settings) {
    Provider plain = Security.getProvider("SunPKCS11");
    if (plain == null) {
      throw new PkiException("this Java runtime has no module jdk.crypto.cryptoki for PKCS#11");
    }
    try {
      String configuration =
          "--name = Gatehouse\nlibrary = "
              + settings.library()
              + "\nslotListIndex = "
              + settings.slotIndex()
              + "\nattributes(generate, CKO_PRIVATE_KEY, *) = {\n"
              + "  CKA_SENSITIVE = true\n  CKA_EXTRACTABLE = false\n}\n";
      Provider provider = plain.configure(configuration);
      KeyStore store = KeyStore.getInstance("PKCS11", provider);
      store.load(null, Files.readString(settings.pinFile()).strip().toCharArray());
      return new Pkcs11KeyVault(settings, provider, store);
    } catch (GeneralSecurityException | IOException | RuntimeException e) {
      throw new PkiException(
          "pki.pkcs11: slot "
              + settings.slotIndex()
              + " of "
              + settings.library()
              + " cannot be used: "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public SigningKey make(String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", provider);
      generator.initialize(new ECGenParameterSpec(curve));
      KeyPair pair = generator.generateKeyPair();
      return new SigningKey(pair.getPrivate(), pair.getPublic(), Optional.of(provider));
    } catch (GeneralSecurityException e) {
      throw new PkiException("the PKCS#11 module makes no key on " + curve, e);
    }
  }

  @Override
  public synchronized void keep(String name, SigningKey key, List<X509Certificate> chain) {
    try {
      store.setKeyEntry(name, key.privateKey(), null, chain.toArray(X509Certificate[]::new));
    } catch (GeneralSecurityException e) {
      throw new PkiException("the PKCS#11 module does not keep " + name, e);
    }
  }

  @Override
  public synchronized Optional<Kept> find(String name) {
    try {
      Certificate certificate = store.getCertificate(name);
      if (!(certificate instanceof X509Certificate own)
          || !(store.getKey(name, null) instanceof PrivateKey key)) {
        return Optional.empty();
      }
      return Optional.of(
          new Kept(new SigningKey(key, own.getPublicKey(), Optional.of(provider)), own));
    } catch (GeneralSecurityException e) {
      throw new PkiException("the PKCS#11 module does not give " + name, e);
    }
  }

  @Override
  public String place(String name) {
    return name + " in slot " + settings.slotIndex() + " of " + settings.library();
  }
}
