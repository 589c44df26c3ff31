package io.gatehouse.control.pki;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;

/** What the certificates of each kind say (RFC 5280). Times are in whole seconds. */
final class Profiles {
  /** How far notBefore is put back: clocks of DPUs are behind at first boot (F38). */
  static final Duration BACKDATED = Duration.ofMinutes(10);

  static final Duration ROOT_LIFE = Duration.ofDays(3_650);
  static final Duration ISSUING_LIFE = Duration.ofDays(365);
  private static final int SERIAL_BITS = 127;
  private static final int MAX_ORGANIZATION = 64;

  private final SecureRandom random;

  Profiles(SecureRandom random) {
    this.random = random;
  }

  /** A life that begins now, as a certificate says it. */
  record Life(Instant notBefore, Instant notAfter) {
    static Life of(Instant now, Duration length, Instant latest) {
      Instant start = now.truncatedTo(ChronoUnit.SECONDS);
      Instant end = start.plus(length);
      return new Life(start.minus(BACKDATED), end.isAfter(latest) ? latest : end);
    }
  }

  /** The root: signs itself and issuing authorities. */
  X509Certificate root(SigningKey key, String trustDomain, Instant now) {
    X500Name name = name("Gatehouse root", trustDomain);
    Life life = Life.of(now, ROOT_LIFE, Instant.MAX);
    Draft draft = new Draft(name, name, key.publicKey(), life);
    return authority(draft, key, 1);
  }

  /** An issuing authority: signs the certificates of identities and servers. */
  X509Certificate issuing(
      PublicKey key, X509Certificate root, SigningKey rootKey, String trustDomain, Instant now) {
    X500Name name = name("Gatehouse issuing authority " + KeyId.name(key), trustDomain);
    Life life = Life.of(now, ISSUING_LIFE, root.getNotAfter().toInstant());
    return authority(new Draft(issuerName(root), name, key, life), rootKey, 0);
  }

  /** For an identity, which is the one URI in it. */
  X509Certificate client(
      PublicKey key, X509Certificate issuer, SigningKey issuerKey, Named named, Life life) {
    return leaf(
        new Draft(issuerName(issuer), name(named.shortName(), ""), key, life),
        issuerKey,
        KeyPurposeId.id_kp_clientAuth,
        List.of(new GeneralName(GeneralName.uniformResourceIdentifier, named.uri())));
  }

  /** For a control plane. */
  X509Certificate server(
      PublicKey key,
      X509Certificate issuer,
      SigningKey issuerKey,
      List<GeneralName> names,
      Life life) {
    return leaf(
        new Draft(issuerName(issuer), name("Gatehouse control plane", ""), key, life),
        issuerKey,
        KeyPurposeId.id_kp_serverAuth,
        names);
  }

  /** Whom a client's certificate is for. */
  record Named(String shortName, String uri) {}

  private record Draft(X500Name issuer, X500Name subject, PublicKey key, Life life) {}

  private X509Certificate authority(Draft draft, SigningKey signer, int authoritiesBelow) {
    try {
      X509v3CertificateBuilder builder = builder(draft, signer);
      builder.addExtension(
          Extension.basicConstraints, true, new BasicConstraints(authoritiesBelow));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      return sign(builder, signer);
    } catch (IOException e) {
      throw new IllegalStateException("an extension cannot be written", e);
    }
  }

  private X509Certificate leaf(
      Draft draft, SigningKey signer, KeyPurposeId purpose, List<GeneralName> names) {
    try {
      X509v3CertificateBuilder builder = builder(draft, signer);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(names.toArray(GeneralName[]::new)));
      return sign(builder, signer);
    } catch (IOException e) {
      throw new IllegalStateException("an extension cannot be written", e);
    }
  }

  private X509v3CertificateBuilder builder(Draft draft, SigningKey signer) throws IOException {
    X509v3CertificateBuilder builder =
        new X509v3CertificateBuilder(
            draft.issuer(),
            serialNumber(),
            Date.from(draft.life().notBefore()),
            Date.from(draft.life().notAfter()),
            draft.subject(),
            SubjectPublicKeyInfo.getInstance(draft.key().getEncoded()));
    builder.addExtension(
        Extension.subjectKeyIdentifier,
        false,
        new SubjectKeyIdentifier(KeyId.extension(draft.key())));
    builder.addExtension(
        Extension.authorityKeyIdentifier,
        false,
        new AuthorityKeyIdentifier(KeyId.extension(signer.publicKey())));
    return builder;
  }

  /** 126 bits of chance; the highest one is set, so that all are 16 bytes long and positive. */
  private BigInteger serialNumber() {
    return new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1);
  }

  /** A serial number as 32 hexadecimal digits. */
  static String serialText(X509Certificate certificate) {
    byte[] bytes = certificate.getSerialNumber().toByteArray();
    return HexFormat.of().formatHex(bytes);
  }

  static X500Name issuerName(X509Certificate issuer) {
    return X500Name.getInstance(issuer.getSubjectX500Principal().getEncoded());
  }

  private static X500Name name(String commonName, String organization) {
    X500NameBuilder builder = new X500NameBuilder(BCStyle.INSTANCE);
    if (!organization.isEmpty()) {
      builder.addRDN(BCStyle.O, cut(organization));
    }
    return builder.addRDN(BCStyle.CN, commonName).build();
  }

  /** RFC 5280, appendix A: the name of an organization has at most 64 characters. */
  private static String cut(String organization) {
    return organization.substring(0, Math.min(organization.length(), MAX_ORGANIZATION));
  }

  private static X509Certificate sign(X509v3CertificateBuilder builder, SigningKey signer) {
    try {
      byte[] der = builder.build(signer.signer()).getEncoded();
      return read(der);
    } catch (IOException e) {
      throw new IllegalStateException("a certificate that was made cannot be read", e);
    }
  }

  /** A certificate from its DER, which is ours. */
  static X509Certificate read(byte[] der) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException e) {
      throw new PkiException("a stored certificate cannot be read: " + e.getMessage(), e);
    }
  }
}
