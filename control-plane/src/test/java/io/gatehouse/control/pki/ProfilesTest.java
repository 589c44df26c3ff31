package io.gatehouse.control.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Decider;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.identity.IdentityCommand;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RequestHash;
import io.gatehouse.control.image.identity.IdentityEvent;
import io.gatehouse.control.pki.Authorities.Founded;
import io.gatehouse.control.testing.OpenSsl;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.runtime.identity.FreshKey;
import io.gatehouse.runtime.tls.PemFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfilesTest {
  private static final String DOMAIN = "gatehouse.test";

  @TempDir Path directory;
  private final Instant now = Instant.now();
  private OpenSsl openssl;
  private Authorities authorities;
  private Image image;

  @BeforeEach
  void found() throws Exception {
    openssl = new OpenSsl(directory);
    PkiConfig config =
        new PkiConfig(directory.resolve("pki"), Duration.ofDays(7), List.of("x"), Optional.empty());
    authorities = Authorities.open(config, DOMAIN);
    Founded founded = authorities.found(now);
    image = Image.EMPTY;
    commit(new IdentityCommand.EstablishRoot(founded.root(), founded.authority()));
    write("root", founded.root().toBytes());
    write("issuing", founded.authority().certificate().toBytes());
  }

  @Test
  void theRootSignsAuthoritiesOnly() {
    String text = text("root");
    assertThat(text)
        .contains("Subject: O = gatehouse.test, CN = Gatehouse root")
        .contains("ASN1 OID: secp384r1")
        .contains("Signature Algorithm: ecdsa-with-SHA384")
        .contains("X509v3 Basic Constraints: critical\n                CA:TRUE, pathlen:1")
        .contains("X509v3 Key Usage: critical\n                Certificate Sign, CRL Sign")
        .contains("X509v3 Subject Key Identifier:")
        .contains("X509v3 Authority Key Identifier:");
  }

  @Test
  void anAuthoritySignsNoAuthorities() {
    assertThat(text("issuing"))
        .contains("Issuer: O = gatehouse.test, CN = Gatehouse root")
        .contains("ASN1 OID: prime256v1")
        .contains("CA:TRUE, pathlen:0")
        .contains("Certificate Sign, CRL Sign");
    assertThat(openssl.mustSay("verify", "-x509_strict", "-CAfile", "root.pem", "issuing.pem"))
        .contains("issuing.pem: OK");
  }

  @Test
  void aDpusCertificateIsForClientsAndNamesItOnce() throws Exception {
    Issued issued = issue("dpus/d1");
    write("dpu", issued.chain().get(0).getEncoded());
    assertThat(text("dpu"))
        .contains("Subject: CN = d1")
        .contains("X509v3 Basic Constraints: critical\n                CA:FALSE")
        .contains("X509v3 Key Usage: critical\n                Digital Signature\n")
        .contains("X509v3 Extended Key Usage: \n                TLS Web Client Authentication\n")
        .contains("URI:spiffe://gatehouse.test/dpu/d1\n")
        .doesNotContain("URI:spiffe://gatehouse.test/dpu/d1,");
    assertThat(verified("sslclient", "dpu.pem")).contains("dpu.pem: OK");
    assertThat(verified("sslserver", "dpu.pem")).contains("unsuitable certificate purpose");
    X509Certificate certificate = issued.chain().get(0);
    assertThat(certificate.getNotBefore().toInstant())
        .as("f38: clocks that are ten minutes behind")
        .isBetween(now.minus(Duration.ofSeconds(601)), now.minus(Duration.ofSeconds(600)));
    assertThat(certificate.getNotAfter().toInstant())
        .isBetween(now.plus(Duration.ofDays(7)).minusSeconds(1), now.plus(Duration.ofDays(7)));
  }

  @Test
  void operatorsOfTheFleetAndOfTenantsHavePathsOfTheirOwn() throws Exception {
    write("fleet", issue("operators/ann").chain().get(0).getEncoded());
    write("tenant", issue("tenants/acme/operators/bob").chain().get(0).getEncoded());
    assertThat(text("fleet")).contains("URI:spiffe://gatehouse.test/operator/ann\n");
    assertThat(text("tenant")).contains("URI:spiffe://gatehouse.test/tenant/acme/bob\n");
    assertThat(verified("sslclient", "tenant.pem")).contains("tenant.pem: OK");
  }

  @Test
  void aServersCertificateIsForServersAndHasTheNamesOfTheSettings() throws Exception {
    List<GeneralName> names =
        List.of(
            new GeneralName(GeneralName.dNSName, "gatehouse.example"),
            new GeneralName(GeneralName.iPAddress, "2001:db8::1"));
    List<X509Certificate> chain =
        authorities.issueServer(image, FreshKey.make().publicKey(), names, now);
    write("server", chain.get(0).getEncoded());
    assertThat(text("server"))
        .contains("DNS:gatehouse.example, IP Address:2001:DB8:0:0:0:0:0:1")
        .contains("TLS Web Server Authentication");
    assertThat(verified("sslserver", "server.pem")).contains("server.pem: OK");
    assertThat(verified("sslclient", "server.pem")).contains("unsuitable certificate purpose");
    assertThat(chain.get(2)).as("for those who pin it").isEqualTo(Authorities.root(image));
  }

  @Test
  void serialNumbersAreLongPositiveAndNeverEqual() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      X509Certificate certificate = issue("dpus/d1").chain().get(0);
      assertThat(certificate.getSerialNumber().signum()).isEqualTo(1);
      assertThat(certificate.getSerialNumber().bitLength()).isEqualTo(127);
      assertThat(seen.add(Profiles.serialText(certificate))).isTrue();
    }
    assertThat(seen).allMatch(serial -> serial.matches("[4-7][0-9a-f]{31}"));
  }

  @Test
  void revocationListsRefuseWhatTheJournalRefuses() throws Exception {
    Issued good = issue("dpus/good");
    Issued bad = issue("dpus/bad");
    write("good", good.chain().get(0).getEncoded());
    write("bad", bad.chain().get(0).getEncoded());
    event(new IdentityEvent.CertificateIssued(bad.entry(), 0));
    event(new IdentityEvent.IdentityRevoked(IdentityName.parse("dpus/bad"), "stolen"));
    lists(new RevocationLists(authorities));
    assertThat(openssl.mustSay("crl", "-in", "crl1.pem", "-noout", "-text"))
        .contains("Version 2 (0x1)")
        .contains("X509v3 CRL Number:")
        .contains("X509v3 Authority Key Identifier:")
        .containsIgnoringCase("Serial Number: " + bad.entry().serialNumber());
    assertThat(checked("good.pem")).contains("good.pem: OK");
    assertThat(checked("bad.pem")).contains("certificate revoked");
  }

  @Test
  void aReplacedAuthorityStaysGoodUntilItIsRevoked() throws Exception {
    Issued before = issue("dpus/d1");
    String old = before.entry().authority();
    commit(new IdentityCommand.ReplaceAuthority(authorities.next(image, now)));
    Issued after = issue("dpus/d1");
    assertThat(after.entry().authority()).isNotEqualTo(old);
    write("before", before.chain().get(0).getEncoded());
    write("after", after.chain().get(0).getEncoded());
    write("next", after.chain().get(1).getEncoded());
    Files.writeString(
        directory.resolve("issuing.pem"),
        Files.readString(directory.resolve("issuing.pem"))
            + Files.readString(directory.resolve("next.pem")));
    RevocationLists lists = new RevocationLists(authorities);
    lists(lists);
    assertThat(checked("before.pem")).contains("before.pem: OK");
    assertThat(checked("after.pem")).contains("after.pem: OK");
    commit(new IdentityCommand.RevokeAuthority(old, "its key was copied"));
    lists(lists);
    assertThat(checked("before.pem")).contains("certificate revoked");
    assertThat(checked("after.pem")).contains("after.pem: OK");
  }

  private Issued issue(String identity) {
    return authorities.issue(image, IdentityName.parse(identity), FreshKey.make().publicKey(), now);
  }

  private void commit(IdentityCommand command) {
    Request request = Request.internal("test", now);
    apply(Decider.decide(image, new Command.OfIdentity(request, command)));
  }

  private void event(IdentityEvent event) {
    apply(List.of(new Event.IdentityChanged(event)));
  }

  private void apply(List<Event> events) {
    image =
        image.apply(
            new Entry(image.revision() + 1, now, "test", "", RequestHash.NONE, "x", events));
  }

  private String text(String name) {
    return openssl.mustSay("x509", "-in", name + ".pem", "-noout", "-text");
  }

  private String verified(String purpose, String file) {
    return openssl.say(
        "verify",
        "-x509_strict",
        "-purpose",
        purpose,
        "-CAfile",
        "root.pem",
        "-untrusted",
        "issuing.pem",
        file);
  }

  private String checked(String file) {
    return openssl.say(
        "verify",
        "-crl_check_all",
        "-CRLfile",
        "crls.pem",
        "-CAfile",
        "root.pem",
        "-untrusted",
        "issuing.pem",
        file);
  }

  private void lists(RevocationLists lists) throws Exception {
    StringBuilder all = new StringBuilder();
    List<byte[]> ders = lists.all(image, now);
    for (int i = 0; i < ders.size(); i++) {
      String pem = PemFiles.block("X509 CRL", ders.get(i));
      Files.writeString(directory.resolve("crl" + i + ".pem"), pem);
      all.append(pem);
    }
    Files.writeString(directory.resolve("crls.pem"), all);
  }

  private void write(String name, byte[] der) throws Exception {
    Files.writeString(directory.resolve(name + ".pem"), PemFiles.block("CERTIFICATE", der));
  }
}
