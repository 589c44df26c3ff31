package io.gatehouse.runtime.identity;

import io.gatehouse.model.net.InvalidValueException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An enrolment token as people carry it: {@code gh1.<secret>.<fingerprint>}, both of 32 bytes in
 * base64url without padding. The fingerprint is the SHA-256 of the root certificate's DER: whoever
 * holds the token knows whom to trust before the secret is said.
 *
 * <p>The secret is in {@link #toString()} and messages of exceptions nowhere.
 */
public final class TokenText {
  /** Length of the secret and of the fingerprint, in bytes. */
  public static final int PART_BYTES = 32;

  private static final Pattern FORM =
      Pattern.compile("gh1\\.([A-Za-z0-9_-]{43})\\.([A-Za-z0-9_-]{43})");

  private final byte[] secret;
  private final byte[] rootFingerprint;

  private TokenText(byte[] secret, byte[] rootFingerprint) {
    this.secret = secret;
    this.rootFingerprint = rootFingerprint;
  }

  /** A token of a secret and the root that its holder shall trust. */
  public static TokenText of(byte[] secret, X509Certificate root) {
    if (secret.length != PART_BYTES) {
      throw new IllegalArgumentException("the secret has " + secret.length + " bytes");
    }
    return new TokenText(secret.clone(), fingerprint(root));
  }

  /**
   * Reads a token; white space around it is left out.
   *
   * @throws InvalidValueException that does not repeat the text
   */
  public static TokenText parse(String text) {
    Matcher parts = FORM.matcher(text.strip());
    if (!parts.matches()) {
      throw malformed();
    }
    try {
      Base64.Decoder decoder = Base64.getUrlDecoder();
      return new TokenText(decoder.decode(parts.group(1)), decoder.decode(parts.group(2)));
    } catch (IllegalArgumentException e) {
      throw malformed();
    }
  }

  /** The token itself: a secret. */
  public String text() {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return "gh1." + encoder.encodeToString(secret) + "." + encoder.encodeToString(rootFingerprint);
  }

  /** SHA-256 of the secret: what may be stored. */
  public byte[] secretHash() {
    return sha256(secret);
  }

  /** Whether this is the root that the token names. */
  public boolean pins(X509Certificate root) {
    return MessageDigest.isEqual(rootFingerprint, fingerprint(root));
  }

  private static byte[] fingerprint(X509Certificate root) {
    try {
      return sha256(root.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    }
  }

  private static byte[] sha256(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static InvalidValueException malformed() {
    return new InvalidValueException("token", "it", "is not a token as it was printed, gh1.….…");
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "TokenText[hidden]";
  }
}
