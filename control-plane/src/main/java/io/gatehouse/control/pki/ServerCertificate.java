package io.gatehouse.control.pki;

import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.runtime.PrivateFile;
import io.gatehouse.runtime.identity.FreshKey;
import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.runtime.tls.TlsFileException;
import io.gatehouse.runtime.tls.TlsPaths;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.GeneralName;

/**
 * The control plane's own certificate: made and renewed by itself, at two thirds of its life and
 * whenever the authority or the names have changed. Any thread.
 */
public final class ServerCertificate {
  private final Authorities authorities;
  private final Path directory;
  private final List<GeneralName> names;

  public ServerCertificate(Authorities authorities, PkiConfig config) {
    this.authorities = authorities;
    this.directory = config.directory();
    this.names = config.serverNames().stream().map(ServerCertificate::name).toList();
  }

  /** Files that TLS reads; the chain ends with the root, for those who pin it. */
  public TlsPaths paths() {
    return new TlsPaths(roots(), server(), server());
  }

  /**
   * Makes a certificate if the one on disk must not be used any longer.
   *
   * @return whether there is a new one
   * @throws IOException if it cannot be written
   */
  public synchronized boolean renewIfDue(Image image, Instant now) throws IOException {
    if (!isDue(image, now)) {
      return false;
    }
    FreshKey key = FreshKey.make();
    List<X509Certificate> chain = authorities.issueServer(image, key.publicKey(), names, now);
    StringBuilder pem = new StringBuilder();
    pem.append(PemFiles.block("PRIVATE KEY", key.privateKey().getEncoded()));
    chain.forEach(certificate -> pem.append(pem(certificate)));
    PrivateFile.replace(roots(), pem(Authorities.root(image)));
    PrivateFile.replace(server(), pem.toString());
    return true;
  }

  /** End of life of the certificate on disk. */
  public Optional<Instant> notAfter() {
    return current().map(chain -> chain.get(0).getNotAfter().toInstant());
  }

  private boolean isDue(Image image, Instant now) {
    Optional<List<X509Certificate>> current = current();
    if (current.isEmpty()) {
      return true;
    }
    X509Certificate own = current.get().get(0);
    Instant start = own.getNotBefore().toInstant().plus(Profiles.BACKDATED);
    Instant end = own.getNotAfter().toInstant();
    Duration life = Duration.between(start, end);
    Optional<String> issuing = image.identities().issuing().map(Authority::id);
    return !KeyId.authorityOf(own).equals(issuing)
        || !namesOf(own).equals(wanted())
        || now.isAfter(end.minus(life.dividedBy(3)));
  }

  private Optional<List<X509Certificate>> current() {
    if (!Files.exists(server()) || !Files.exists(roots())) {
      return Optional.empty();
    }
    try {
      return Optional.of(PemFiles.certificates(server()));
    } catch (TlsFileException e) {
      return Optional.empty();
    }
  }

  private Set<String> wanted() {
    Set<String> wanted = new TreeSet<>();
    for (GeneralName name : names) {
      wanted.add(name.getTagNo() + " " + text(name));
    }
    return wanted;
  }

  private static Set<String> namesOf(X509Certificate certificate) {
    Set<String> found = new TreeSet<>();
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      for (List<?> name : names == null ? new ArrayList<List<?>>() : names) {
        found.add(name.get(0) + " " + name.get(1));
      }
    } catch (CertificateParsingException e) {
      // Whatever it is, it is not the names that are wanted.
      found.clear();
    }
    return found;
  }

  /** As the JDK writes the same name. */
  private static String text(GeneralName name) {
    if (name.getTagNo() == GeneralName.dNSName) {
      return name.getName().toString();
    }
    try {
      byte[] address = ASN1OctetString.getInstance(name.getName()).getOctets();
      return InetAddress.getByAddress(address).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }

  private static GeneralName name(String text) {
    boolean address = text.indexOf(':') >= 0 || text.matches("[0-9.]+");
    return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, text);
  }

  private static String pem(X509Certificate certificate) {
    try {
      return PemFiles.block("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    }
  }

  private Path server() {
    return directory.resolve("server.pem");
  }

  private Path roots() {
    return directory.resolve("roots.pem");
  }
}
