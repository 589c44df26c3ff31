package io.gatehouse.agent.identity;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.PrivateFile;
import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.wire.PolicySeals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The public keys that may sign policy (Ed25519, RFC 8410), in a PEM file. It is small and read at
 * every look, so that what is on disk is what counts. Thread-safe.
 */
public final class PolicyKeys {
  private static final String FILE = "policy-keys.pem";
  private static final int MAX_KEYS = 4;
  private static final int MAX_BYTES = 16 << 10;
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN PUBLIC KEY-----([^-]*)-----END PUBLIC KEY-----");

  private final Path file;

  /**
   * Looks in a directory.
   *
   * @param directory the identity directory
   */
  public PolicyKeys(Path directory) {
    this.file = directory.resolve(FILE);
  }

  /**
   * The keys, by {@link PolicySeals#keyId}.
   *
   * @throws IOException if there is no usable file; the message names it
   */
  public Map<Long, PublicKey> current() throws IOException {
    Map<Long, PublicKey> keys = new LinkedHashMap<>();
    Matcher block = BLOCK.matcher(text());
    while (block.find()) {
      try {
        byte[] encoded = Base64.getMimeDecoder().decode(block.group(1));
        keys.put(PolicySeals.keyId(encoded), decode(encoded));
      } catch (InvalidKeySpecException | IllegalArgumentException e) {
        throw new IOException(file + " has a block that is no Ed25519 key", e);
      }
    }
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new IOException(file + " has " + keys.size() + " keys, not 1 to " + MAX_KEYS);
    }
    return keys;
  }

  /**
   * Replaces the keys; on return they are on the disk.
   *
   * @param keys DER SubjectPublicKeyInfo
   * @throws InvalidValueException if they are not keys that can be used; then nothing changes
   */
  public void replace(List<byte[]> keys) throws IOException {
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new InvalidValueException("policy_keys", keys.size(), "are not 1 to " + MAX_KEYS);
    }
    List<String> blocks = new ArrayList<>();
    for (byte[] key : keys) {
      try {
        decode(key);
      } catch (InvalidKeySpecException e) {
        throw new InvalidValueException("policy_keys", "", "has a key that is not Ed25519");
      }
      blocks.add(PemFiles.block("PUBLIC KEY", key));
    }
    PrivateFile.replace(file, String.join("", blocks));
  }

  private String text() throws IOException {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new IOException(file + " is larger than " + MAX_BYTES + " bytes");
      }
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " is not there: this DPU is not enrolled", e);
    }
  }

  private static PublicKey decode(byte[] key) throws InvalidKeySpecException {
    try {
      return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(key));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }
}
