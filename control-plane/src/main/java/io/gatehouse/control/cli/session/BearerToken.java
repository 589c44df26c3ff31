package io.gatehouse.control.cli.session;

import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;

/** A bearer token (RFC 6750 §2.1), as it was in its file a moment ago. Said over TLS only. */
final class BearerToken extends CallCredentials {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]+=*");
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");
  private static final int MAX_BYTES = 8 * 1024;

  private final String token;

  private BearerToken(String token) {
    this.token = token;
  }

  /**
   * Reads the file.
   *
   * @throws CliException without what the file holds, if that is no token or others may read it
   */
  static BearerToken read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      Set<PosixFilePermission> granted = Files.getPosixFilePermissions(file);
      if (!OWNER.containsAll(granted)) {
        throw unusable(
            file,
            "is open to group or others ("
                + PosixFilePermissions.toString(granted)
                + "); chmod 600 it");
      }
      String text = new String(in.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII).strip();
      if (!FORM.matcher(text).matches()) {
        throw unusable(file, "holds no bearer token");
      }
      return new BearerToken(text);
    } catch (IOException e) {
      throw unusable(file, "the bearer token cannot be read");
    }
  }

  @Override
  public void applyRequestMetadata(
      RequestInfo request, Executor executor, MetadataApplier applier) {
    if (request.getSecurityLevel() != SecurityLevel.PRIVACY_AND_INTEGRITY) {
      applier.fail(Status.UNAUTHENTICATED.withDescription("a token is said over TLS only"));
      return;
    }
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + token);
    applier.apply(headers);
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "BearerToken[hidden]";
  }

  private static CliException unusable(Path file, String reason) {
    return new CliException(ExitCode.USAGE, file + ": " + reason);
  }
}
