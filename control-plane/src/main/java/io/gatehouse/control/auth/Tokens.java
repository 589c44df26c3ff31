package io.gatehouse.control.auth;

/** Checks bearer tokens. Methods may block for a few seconds where keys are fetched. */
@FunctionalInterface
public interface Tokens {
  /** Where no issuer is configured: no token is good. */
  Tokens NONE =
      token -> {
        throw new TokenRefusedException(
            "bearer tokens are not taken here: no issuer is configured");
      };

  /**
   * The caller that a token stands for.
   *
   * @param token as sent, without the scheme; secret
   * @throws TokenRefusedException with a reason that does not repeat the token
   */
  Caller caller(String token) throws TokenRefusedException;
}
