package io.gatehouse.control.pki;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.image.identity.Authority.State;
import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.image.identity.Identities;
import io.gatehouse.control.pki.KeyVault.Kept;
import io.gatehouse.control.pki.Profiles.Life;
import io.gatehouse.control.pki.Profiles.Named;
import io.gatehouse.control.sequencer.UnavailableException;
import io.gatehouse.model.name.IdentityName;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x509.GeneralName;

/**
 * The root and the issuing authorities with their keys. Which of them count says the journal; the
 * keys are read when they are needed, so that a file that is put in place is found. Blocks on the
 * vault; any thread.
 */
public final class Authorities {
  private static final Duration OPERATOR_LIFE = Duration.ofDays(30);
  private static final Duration SERVER_LIFE = Duration.ofDays(30);

  private final KeyVault vault;
  private final Profiles profiles;
  private final String trustDomain;
  private final Duration deviceLife;

  private Authorities(KeyVault vault, String trustDomain, Duration deviceLife) {
    this.vault = vault;
    this.profiles = new Profiles(new SecureRandom());
    this.trustDomain = trustDomain;
    this.deviceLife = deviceLife;
  }

  /**
   * Opens the vault of the settings.
   *
   * @throws PkiException if it cannot be used
   */
  public static Authorities open(PkiConfig config, String trustDomain) {
    KeyVault vault =
        config.pkcs11().isPresent()
            ? Pkcs11KeyVault.open(config.pkcs11().get())
            : new FileKeyVault(config.directory());
    return new Authorities(vault, trustDomain, config.deviceLifetime());
  }

  /** A root and its first authority. */
  public record Founded(Der root, Authority authority) {}

  /** Makes a root, unless one is there that no journal knew of yet, and an authority. */
  public Founded found(Instant now) {
    Kept root = vault.find(KeyVault.ROOT).orElseGet(() -> newRoot(now));
    return new Founded(der(root.certificate()), newAuthority(root, now));
  }

  /**
   * Makes the next authority, for the journal to take over.
   *
   * @throws PkiException if the root's key is not there
   */
  public Authority next(Image image, Instant now) {
    Kept root =
        vault
            .find(KeyVault.ROOT)
            .filter(kept -> image.identities().root().equals(Optional.of(der(kept.certificate()))))
            .orElseThrow(
                () ->
                    new PkiException(
                        "the key of the root is not here; put back " + vault.place(KeyVault.ROOT)));
    return newAuthority(root, now);
  }

  /**
   * Checks that the keys here are those that the journal wants.
   *
   * @throws PkiException that names the first one that is not
   */
  public void check(Identities identities) {
    Der known = identities.root().orElseThrow(() -> new PkiException("the journal has no root"));
    Optional<Kept> root = vault.find(KeyVault.ROOT);
    if (root.isPresent() && !der(root.get().certificate()).equals(known)) {
      throw foreign(vault.place(KeyVault.ROOT) + " is another root than the journal's");
    }
    for (Authority authority : identities.authorities()) {
      if (authority.state() == State.ISSUING && kept(authority).isEmpty()) {
        throw foreign(
            "the journal's authority "
                + authority.id()
                + " has no key here: "
                + vault.place(KeyVault.nameOf(authority.id()))
                + " is missing");
      }
    }
  }

  /**
   * Signs a certificate for an identity.
   *
   * @throws UnavailableException if this control plane has not the authority's key
   */
  public Issued issue(Image image, IdentityName identity, PublicKey key, Instant now) {
    Kept issuer = issuing(image);
    Duration length = identity.isOperator() ? OPERATOR_LIFE : deviceLife;
    Life life = Life.of(now, length, issuer.certificate().getNotAfter().toInstant());
    Named named = new Named(identity.id(), "spiffe://" + trustDomain + identity.spiffePath());
    X509Certificate certificate =
        profiles.client(key, issuer.certificate(), issuer.key(), named, life);
    CertificateRecord entry =
        new CertificateRecord(
            Profiles.serialText(certificate),
            identity,
            KeyId.name(issuer.key().publicKey()),
            life.notBefore(),
            life.notAfter(),
            Optional.empty());
    return new Issued(entry, List.of(certificate, issuer.certificate()));
  }

  /**
   * Signs a certificate for a control plane; the chain ends with the root, for those who pin it.
   */
  List<X509Certificate> issueServer(
      Image image, PublicKey key, List<GeneralName> names, Instant now) {
    Kept issuer = issuing(image);
    Life life = Life.of(now, SERVER_LIFE, issuer.certificate().getNotAfter().toInstant());
    X509Certificate certificate =
        profiles.server(key, issuer.certificate(), issuer.key(), names, life);
    return List.of(certificate, issuer.certificate(), root(image));
  }

  /** The key of an authority, if it is here. */
  Optional<Kept> kept(Authority authority) {
    return vault
        .find(KeyVault.nameOf(authority.id()))
        .filter(kept -> der(kept.certificate()).equals(authority.certificate()));
  }

  /** The key of the root, if it is here. */
  Optional<Kept> keptRoot(Image image) {
    return vault
        .find(KeyVault.ROOT)
        .filter(kept -> Optional.of(der(kept.certificate())).equals(image.identities().root()));
  }

  /** The root that the journal knows. */
  public static X509Certificate root(Image image) {
    return image
        .identities()
        .root()
        .map(root -> Profiles.read(root.toBytes()))
        .orElseThrow(() -> new PkiException("the journal has no root"));
  }

  private Kept issuing(Image image) {
    Authority authority =
        image
            .identities()
            .issuing()
            .orElseThrow(() -> new PkiException("the journal has no authority that signs"));
    return kept(authority)
        .orElseThrow(
            () ->
                new UnavailableException(
                    UnavailableException.Kind.STORAGE,
                    "this control plane has not the key of authority "
                        + authority.id()
                        + ": copy it from the one that made it"));
  }

  private Kept newRoot(Instant now) {
    SigningKey key = vault.make(KeyVault.ROOT_CURVE);
    X509Certificate certificate = profiles.root(key, trustDomain, now);
    vault.keep(KeyVault.ROOT, key, List.of(certificate));
    return new Kept(key, certificate);
  }

  private Authority newAuthority(Kept root, Instant now) {
    SigningKey key = vault.make(KeyVault.ISSUING_CURVE);
    X509Certificate certificate =
        profiles.issuing(key.publicKey(), root.certificate(), root.key(), trustDomain, now);
    String id = KeyId.name(key.publicKey());
    vault.keep(KeyVault.nameOf(id), key, List.of(certificate, root.certificate()));
    Instant end = certificate.getNotAfter().toInstant();
    return new Authority(id, 1, der(certificate), end, State.ISSUING, Optional.empty());
  }

  private static PkiException foreign(String what) {
    return new PkiException(
        what
            + "; the control plane does not start: copy pki.directory from the control plane that"
            + " made the journal's authorities, or from its backup");
  }

  private static Der der(X509Certificate certificate) {
    try {
      return Der.of(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    }
  }
}
