package io.gatehouse.control.testing;

import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.runtime.tls.TlsPaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority in a directory of the test, and certificates from it, made by openssl. */
public final class TestPki {
  public static final String TRUST_DOMAIN = "gatehouse.test";

  private final Path directory;
  private int serial;

  /** Makes the authority. */
  public TestPki(Path directory) {
    this.directory = directory;
    authority("ca");
  }

  /** Certificate and key of a server on 127.0.0.1. */
  public TlsFiles server() {
    return files(leaf("ca", "IP:127.0.0.1"));
  }

  /** Paths of a server's files. */
  public TlsPaths serverPaths() {
    return leaf("ca", "IP:127.0.0.1");
  }

  /** Paths of a client's files. */
  public TlsPaths clientPaths(String names) {
    return leaf("ca", names);
  }

  public TlsFiles dpu(String id) {
    return files(leaf("ca", "URI:spiffe://" + TRUST_DOMAIN + "/dpu/" + id));
  }

  public TlsFiles operator(String name) {
    return files(leaf("ca", "URI:spiffe://" + TRUST_DOMAIN + "/operator/" + name));
  }

  /** A certificate with any names, such as {@code URI:spiffe://elsewhere/dpu/d1}. */
  public TlsFiles named(String names) {
    return files(leaf("ca", names));
  }

  /** A certificate of an authority that nobody trusts. */
  public TlsFiles stranger(String names) {
    authority("other");
    TlsPaths own = leaf("other", names);
    return files(new TlsPaths(directory.resolve("ca.pem"), own.certificate(), own.key()));
  }

  private static TlsFiles files(TlsPaths paths) {
    return TlsFiles.open(paths);
  }

  private void authority(String name) {
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

  private TlsPaths leaf(String authority, String names) {
    String name = "leaf" + ++serial;
    key(name);
    try {
      Files.writeString(directory.resolve(name + ".ext"), "subjectAltName=" + names + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
    return new TlsPaths(
        directory.resolve("ca.pem"),
        directory.resolve(name + ".pem"),
        directory.resolve(name + ".key"));
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
    try {
      Files.setPosixFilePermissions(
          directory.resolve(name + ".key"), PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void openssl(String... arguments) {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments));
    Path log = directory.resolve("openssl.log");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException(command + ": " + Files.readString(log));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
