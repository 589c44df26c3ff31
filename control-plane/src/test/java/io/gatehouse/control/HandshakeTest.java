package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Decider;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.identity.IdentityCommand;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RequestHash;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.pki.Authorities;
import io.gatehouse.control.pki.PkiConfig;
import io.gatehouse.control.testing.OpenSsl;
import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.runtime.identity.CertificateClient;
import io.gatehouse.runtime.identity.FreshKey;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.runtime.tls.TlsPaths;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets through the handshake; certificates that must not are made by openssl. */
class HandshakeTest {
  @TempDir Path directory;
  private PkiLab lab;
  private ManagedChannel admin;
  private OpenSsl openssl;

  @BeforeEach
  void start() throws Exception {
    lab = new PkiLab(directory, Duration.ofMinutes(1));
    admin = lab.admin();
    openssl = new OpenSsl(directory);
  }

  @AfterEach
  void stop() {
    lab.close();
  }

  @Test
  void whatTheAuthorityHasSignedInTimeGetsThrough() throws Exception {
    assertThat(code(forged("d1", "URI:spiffe://gatehouse.test/dpu/d1", "-days", "1")))
        .as("the forger below has the authority's key: what it makes is refused for a reason")
        .isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void expiredIsRefused() throws Exception {
    assertThat(code(forged("old", "URI:spiffe://gatehouse.test/dpu/d1", "-days", "-1")))
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void anotherTrustDomainAndNoNameAreRefused() throws Exception {
    assertThat(code(forged("far", "URI:spiffe://elsewhere.test/dpu/d1", "-days", "1")))
        .isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(code(forged("dns", "DNS:d1.gatehouse.test", "-days", "1")))
        .isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(
            code(
                forged(
                    "two",
                    "URI:spiffe://gatehouse.test/dpu/d1,URI:spiffe://gatehouse.test/dpu/d2",
                    "-days",
                    "1")))
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void aForeignAuthorityIsRefused() throws Exception {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    TestPki foreign = new TestPki(elsewhere);
    TlsPaths paths = foreign.clientPaths("URI:spiffe://gatehouse.test/dpu/d1");
    TlsFiles files =
        TlsFiles.open(
            new TlsPaths(lab.pki().resolve("roots.pem"), paths.certificate(), paths.key()));
    assertThat(code(files)).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void theControlPlanesOwnCertificateIsNoClients() {
    Path server = lab.pki().resolve("server.pem");
    TlsFiles files = TlsFiles.open(new TlsPaths(lab.pki().resolve("roots.pem"), server, server));
    assertThat(code(files)).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void notYetValidIsRefused() throws Exception {
    TestControlPlane.createDpu(admin, "d1", "172.16.0.1");
    assertThat(code(issued(Instant.now()))).isEqualTo(Status.Code.OK);
    assertThat(code(issued(Instant.now().plus(Duration.ofHours(1)))))
        .as("from a clock that is an hour ahead")
        .isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(code(issued(Instant.now().plus(Duration.ofMinutes(9)))))
        .as("f38: nine minutes are put up with")
        .isEqualTo(Status.Code.OK);
  }

  /** What a control plane on the same keys would issue, were it that late. */
  private TlsFiles issued(Instant time) throws Exception {
    X509Certificate root = PemFiles.certificates(lab.pki().resolve("root.pem")).get(0);
    X509Certificate signer = PemFiles.certificates(issuing()).get(0);
    String file = issuing().getFileName().toString();
    Authority authority =
        new Authority(
            file.substring("authority-".length(), file.length() - ".pem".length()),
            1,
            Der.of(signer.getEncoded()),
            signer.getNotAfter().toInstant(),
            Authority.State.ISSUING,
            Optional.empty());
    IdentityCommand command =
        new IdentityCommand.EstablishRoot(Der.of(root.getEncoded()), authority);
    Image image =
        Image.EMPTY.apply(
            new Entry(
                1,
                time,
                "test",
                "",
                RequestHash.NONE,
                "x",
                Decider.decide(
                    Image.EMPTY, new Command.OfIdentity(Request.internal("test", time), command))));
    PkiConfig config =
        new PkiConfig(lab.pki(), Duration.ofMinutes(30), List.of("x"), Optional.empty());
    FreshKey key = FreshKey.make();
    List<X509Certificate> chain =
        Authorities.open(config, TestPki.TRUST_DOMAIN)
            .issue(image, IdentityName.parse("dpus/d1"), key.publicKey(), time)
            .chain();
    return lab.saved(new HeldIdentity(key.privateKey(), chain, List.of(root)));
  }

  /** Signs with the authority's own key, as somebody could who has stolen it. */
  private TlsFiles forged(String name, String names, String... validity) throws IOException {
    Path issuing = issuing();
    openssl.mustSay(
        "genpkey",
        "-algorithm",
        "EC",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-out",
        name + ".key");
    Files.setPosixFilePermissions(
        directory.resolve(name + ".key"), PosixFilePermissions.fromString("rw-------"));
    openssl.mustSay(
        "req", "-new", "-key", name + ".key", "-subj", "/CN=" + name, "-out", name + ".csr");
    Files.writeString(
        directory.resolve(name + ".ext"),
        "subjectAltName="
            + names
            + "\nauthorityKeyIdentifier=keyid\n"
            + "extendedKeyUsage=clientAuth\n");
    openssl.mustSay(
        "x509",
        "-req",
        "-in",
        name + ".csr",
        "-CA",
        issuing.toString(),
        "-CAkey",
        issuing.toString().replace(".pem", ".key"),
        validity[0],
        validity[1],
        "-extfile",
        name + ".ext",
        "-out",
        name + ".pem");
    Files.writeString(
        directory.resolve(name + ".pem"),
        Files.readString(directory.resolve(name + ".pem")) + Files.readString(issuing));
    assertThat(PemFiles.certificates(directory.resolve(name + ".pem"))).hasSize(2);
    return TlsFiles.open(
        new TlsPaths(
            lab.pki().resolve("roots.pem"),
            directory.resolve(name + ".pem"),
            directory.resolve(name + ".key")));
  }

  private Path issuing() throws IOException {
    try (var files = Files.list(lab.pki())) {
      return files
          .filter(file -> file.getFileName().toString().matches("authority-.*\\.pem"))
          .findFirst()
          .orElseThrow();
    }
  }

  private Status.Code code(TlsFiles client) {
    try {
      new CertificateClient(lab.controlPlane().channel(client)).renew(PkiLab.LIMIT);
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }
}
