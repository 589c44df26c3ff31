package io.gatehouse.agent.identity;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.identity.TokenText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that somebody puts there so that the agent enrols; it goes when that is done. */
public final class TokenFile {
  private static final int MAX_BYTES = 1_024;

  private final Path file;

  public TokenFile(Path file) {
    this.file = file;
  }

  FileStamp stamp() {
    return FileStamp.of(file);
  }

  /**
   * Reads a token.
   *
   * @throws InvalidValueException if it is none; its text is not repeated
   */
  public static TokenText read(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new InvalidValueException("token", "it", "is longer than " + MAX_BYTES + " bytes");
    }
    return TokenText.parse(new String(bytes, StandardCharsets.UTF_8));
  }

  /** Reads the token of the file. */
  public TokenText read() throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " is not there", e);
    }
  }

  /** It is used up. */
  public void remove() throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
