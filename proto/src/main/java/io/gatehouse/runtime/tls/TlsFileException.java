package io.gatehouse.runtime.tls;

import java.nio.file.Path;

/** A PEM file that cannot be used; the message names it and the reason, never its content. */
public final class TlsFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TlsFileException(Path file, String reason) {
    super(file + ": " + reason);
  }

  TlsFileException(Path file, String reason, Exception cause) {
    super(file + ": " + reason, cause);
  }
}
