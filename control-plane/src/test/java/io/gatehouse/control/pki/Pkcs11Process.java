package io.gatehouse.control.pki;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Decider;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.identity.IdentityCommand;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RequestHash;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.pki.Authorities.Founded;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.runtime.identity.FreshKey;
import io.gatehouse.runtime.tls.PemFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Makes authorities in a module, or issues with those that an earlier process has made. */
final class Pkcs11Process {
  private final Path directory;
  private final Authorities authorities;

  private Pkcs11Process(Path directory) {
    this.directory = directory;
    PkiConfig.Pkcs11 module =
        new PkiConfig.Pkcs11(
            Path.of("/usr/lib/softhsm/libsofthsm2.so"), 0, directory.resolve("pin"));
    this.authorities =
        Authorities.open(
            new PkiConfig(
                directory.resolve("pki"), Duration.ofDays(7), List.of("x"), Optional.of(module)),
            "gatehouse.test");
  }

  public static void main(String[] arguments) throws IOException {
    Pkcs11Process process = new Pkcs11Process(Path.of(arguments[0]));
    if (arguments[1].equals("found")) {
      process.found();
      return;
    }
    process.issue();
  }

  private void found() throws IOException {
    Founded founded = authorities.found(Instant.now());
    write("root", founded.root().toBytes());
    write("issuing", founded.authority().certificate().toBytes());
    Files.writeString(directory.resolve("authority"), founded.authority().id());
  }

  /** The journal of the first process is made anew from the certificates it left. */
  private void issue() throws IOException {
    Instant now = Instant.now();
    Der root = der("root");
    Authority authority =
        new Authority(
            Files.readString(directory.resolve("authority")),
            1,
            der("issuing"),
            now.plus(Duration.ofDays(300)),
            Authority.State.ISSUING,
            Optional.empty());
    Request request = Request.internal("test", now);
    Command command =
        new Command.OfIdentity(request, new IdentityCommand.EstablishRoot(root, authority));
    Image image =
        Image.EMPTY.apply(
            new Entry(
                1, now, "test", "", RequestHash.NONE, "x", Decider.decide(Image.EMPTY, command)));
    authorities.check(image.identities());
    Issued issued =
        authorities.issue(image, IdentityName.parse("dpus/d1"), FreshKey.make().publicKey(), now);
    write("leaf", encoded(issued));
    byte[] key = authorities.kept(authority).orElseThrow().key().privateKey().getEncoded();
    Files.writeString(directory.resolve("key-form"), String.valueOf((Object) key));
  }

  private static byte[] encoded(Issued issued) {
    try {
      return issued.chain().get(0).getEncoded();
    } catch (java.security.cert.CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  private Der der(String name) {
    try {
      return Der.of(PemFiles.certificates(directory.resolve(name + ".pem")).get(0).getEncoded());
    } catch (java.security.cert.CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  private void write(String name, byte[] der) throws IOException {
    Files.writeString(directory.resolve(name + ".pem"), PemFiles.block("CERTIFICATE", der));
  }
}
