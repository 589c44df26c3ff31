package io.gatehouse.control.pki;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.image.identity.Authority.State;
import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.pki.KeyVault.Kept;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.X509v2CRLBuilder;

/**
 * Certificate revocation lists (RFC 5280 §5), signed when they are asked for and kept while nothing
 * has changed. The root's names authorities, an authority's names certificates. An authority whose
 * key is not here has none. Any thread.
 */
public final class RevocationLists {
  private static final Duration LIFE = Duration.ofDays(1);
  private static final Duration KEPT = LIFE.dividedBy(2);

  private final Authorities authorities;
  private final Map<String, Signed> signed = new HashMap<>();

  public RevocationLists(Authorities authorities) {
    this.authorities = authorities;
  }

  private record Revoked(BigInteger serialNumber, Instant time) {}

  private record Signed(List<Revoked> revoked, Instant time, Der der) {}

  /** The newest list of the root and of each authority that has not expired, DER. */
  public synchronized List<byte[]> all(Image image, Instant now) {
    List<byte[]> all = new ArrayList<>();
    list(KeyVault.ROOT, () -> authorities.keptRoot(image), revokedAuthorities(image), now)
        .ifPresent(all::add);
    for (Authority authority : image.identities().authorities()) {
      if (authority.notAfter().isAfter(now)) {
        list(authority.id(), () -> authorities.kept(authority), revoked(image, authority), now)
            .ifPresent(all::add);
      }
    }
    return all;
  }

  /** The key is looked for only where there is something to sign. */
  private Optional<byte[]> list(
      String name, Supplier<Optional<Kept>> issuer, List<Revoked> revoked, Instant now) {
    Signed before = signed.get(name);
    if (before != null
        && before.revoked().equals(revoked)
        && now.isBefore(before.time().plus(KEPT))) {
      return Optional.of(before.der().toBytes());
    }
    Optional<byte[]> der = issuer.get().map(key -> sign(key, revoked, now));
    der.ifPresent(bytes -> signed.put(name, new Signed(revoked, now, Der.of(bytes))));
    return der;
  }

  private static byte[] sign(Kept issuer, List<Revoked> revoked, Instant now) {
    Instant start = now.truncatedTo(ChronoUnit.SECONDS);
    X509v2CRLBuilder builder =
        new X509v2CRLBuilder(
            Profiles.issuerName(issuer.certificate()), Date.from(start.minus(Profiles.BACKDATED)));
    builder.setNextUpdate(Date.from(start.plus(LIFE)));
    for (Revoked one : revoked) {
      builder.addCRLEntry(one.serialNumber(), Date.from(one.time()), CRLReason.privilegeWithdrawn);
    }
    try {
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new AuthorityKeyIdentifier(KeyId.extension(issuer.key().publicKey())));
      builder.addExtension(
          Extension.cRLNumber, false, new CRLNumber(BigInteger.valueOf(now.toEpochMilli())));
      return builder.build(issuer.key().signer()).getEncoded();
    } catch (IOException e) {
      throw new IllegalStateException("a revocation list cannot be written", e);
    }
  }

  private static List<Revoked> revoked(Image image, Authority authority) {
    List<Revoked> revoked = new ArrayList<>();
    for (CertificateRecord one : image.identities().certificates().values()) {
      if (one.authority().equals(authority.id()) && one.revokedAt().isPresent()) {
        revoked.add(new Revoked(new BigInteger(one.serialNumber(), 16), one.revokedAt().get()));
      }
    }
    return revoked;
  }

  private static List<Revoked> revokedAuthorities(Image image) {
    List<Revoked> revoked = new ArrayList<>();
    for (Authority one : image.identities().authorities()) {
      if (one.state() == State.REVOKED && one.revokedAt().isPresent()) {
        revoked.add(
            new Revoked(
                Profiles.read(one.certificate().toBytes()).getSerialNumber(),
                one.revokedAt().get()));
      }
    }
    return revoked;
  }
}
