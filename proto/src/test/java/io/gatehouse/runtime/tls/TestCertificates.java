package io.gatehouse.runtime.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Certificates made by openssl in a directory of the test. */
public final class TestCertificates {
  private final Path directory;

  public TestCertificates(Path directory) {
    this.directory = directory;
  }

  /** Makes {@code name.pem} and {@code name.key}, signed by itself. */
  public void authority(String name) {
    key(name);
    openssl(
        "req",
        "-x509",
        "-new",
        "-key",
        name + ".key",
        "-subj",
        "/CN=" + name,
        "-days",
        "2",
        "-out",
        name + ".pem");
  }

  /** Makes {@code name.pem} and {@code name.key} for localhost, signed by an authority. */
  public void leaf(String name, String authority) {
    key(name);
    write(name + ".ext", "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
    openssl("req", "-new", "-key", name + ".key", "-subj", "/CN=" + name, "-out", name + ".csr");
    openssl(
        "x509",
        "-req",
        "-in",
        name + ".csr",
        "-CA",
        authority + ".pem",
        "-CAkey",
        authority + ".key",
        "-CAcreateserial",
        "-days",
        "1",
        "-extfile",
        name + ".ext",
        "-out",
        name + ".pem");
  }

  public TlsPaths paths(String authority, String name) {
    return new TlsPaths(file(authority + ".pem"), file(name + ".pem"), file(name + ".key"));
  }

  public Path file(String name) {
    return directory.resolve(name);
  }

  public void write(String name, String text) {
    try {
      Files.writeString(file(name), text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public void openssl(String... arguments) {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    Path log = file("openssl.log");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IllegalStateException(command + ": " + Files.readString(log));
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void key(String name) {
    openssl(
        "genpkey",
        "-algorithm",
        "EC",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-out",
        name + ".key");
    mode(name + ".key", "rw-------");
  }

  public void mode(String name, String permissions) {
    try {
      Files.setPosixFilePermissions(file(name), PosixFilePermissions.fromString(permissions));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
