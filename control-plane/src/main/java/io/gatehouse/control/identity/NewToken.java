package io.gatehouse.control.identity;

import io.gatehouse.control.image.identity.Token;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.runtime.identity.TokenText;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;

/** The secret of a token, until it has been told once. */
final class NewToken {
  private static final int ID_BYTES = 8;

  private final String id;
  private final byte[] secret;

  private NewToken(String id, byte[] secret) {
    this.id = id;
    this.secret = secret;
  }

  static NewToken make() {
    SecureRandom random = new SecureRandom();
    byte[] secret = new byte[TokenText.PART_BYTES];
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(secret);
    random.nextBytes(id);
    return new NewToken("t" + HexFormat.of().formatHex(id), secret);
  }

  String id() {
    return id;
  }

  /** What may be stored: only the secret's hash is in it. */
  Token token(IdentityName identity, String machine, Instant now, Duration lifetime) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(secret);
      return new Token(
          id, HexFormat.of().formatHex(hash), identity, machine, now, now.plus(lifetime));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The token as people carry it. */
  String text(X509Certificate root) {
    return TokenText.of(secret, root).text();
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "NewToken[" + id + "]";
  }
}
