package io.gatehouse.runtime.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A block of a PEM file (RFC 7468): its label, such as {@code CERTIFICATE}, and its bytes. */
final class Pem {
  private static final int MAX_BYTES = 1024 * 1024;
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \\1-----");

  private final String label;
  private final byte[] content;

  private Pem(String label, byte[] content) {
    this.label = label;
    this.content = content;
  }

  /** Reads all blocks; text between them is skipped. */
  static List<Pem> read(Path file) {
    Matcher block = BLOCK.matcher(text(file));
    List<Pem> blocks = new ArrayList<>();
    while (block.find()) {
      blocks.add(new Pem(block.group(1), content(file, block.group(2))));
    }
    return blocks;
  }

  String label() {
    return label;
  }

  /** The bytes themselves: a key is not copied around. */
  byte[] content() {
    return content;
  }

  private static String text(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new TlsFileException(file, "is larger than " + MAX_BYTES + " bytes");
      }
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new TlsFileException(file, "no such file", e);
    } catch (IOException e) {
      throw new TlsFileException(file, "cannot be read: " + e.getMessage(), e);
    }
  }

  /** The decoder's complaint would repeat characters of the file, so it is left out. */
  private static byte[] content(Path file, String base64) {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new TlsFileException(file, "has a block that is not base64");
    }
  }

  /** Without the content. */
  @Override
  public String toString() {
    return "Pem[" + label + "]";
  }
}
