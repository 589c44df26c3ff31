package io.gatehouse.control.image.identity;

import io.gatehouse.model.name.IdentityName;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import org.pcollections.TreePMap;

/**
 * Rights to enrol, by id: those that are open, and those that were used and have not expired.
 * Immutable.
 */
record EnrollmentTokens(TreePMap<String, Token> open, TreePMap<String, UsedToken> used) {
  static final EnrollmentTokens NONE = new EnrollmentTokens(TreePMap.empty(), TreePMap.empty());

  /** Used ones that are remembered; of more, those go first that expire first. */
  static final int MAX_USED = 10_000;

  static EnrollmentTokens of(Collection<Token> open, Collection<UsedToken> used) {
    EnrollmentTokens tokens = NONE;
    for (Token token : open) {
      tokens = new EnrollmentTokens(tokens.open.plus(token.id(), token), tokens.used);
    }
    for (UsedToken token : used) {
      tokens = new EnrollmentTokens(tokens.open, tokens.used.plus(token.token().id(), token));
    }
    return tokens;
  }

  EnrollmentTokens plus(Token token, Instant now) {
    EnrollmentTokens left = unexpired(now);
    return new EnrollmentTokens(left.open.plus(token.id(), token), left.used);
  }

  EnrollmentTokens without(String id) {
    return new EnrollmentTokens(open.minus(id), used);
  }

  /** After a use. */
  EnrollmentTokens used(String id, Optional<Der> certificate, Instant now) {
    Token token = open.get(id);
    EnrollmentTokens left = unexpired(now).without(id);
    if (token == null || certificate.isEmpty()) {
      return left;
    }
    TreePMap<String, UsedToken> remembered =
        left.used.size() < MAX_USED ? left.used : left.used.minus(firstToExpire(left.used));
    return new EnrollmentTokens(
        left.open, remembered.plus(id, new UsedToken(token, certificate.get())));
  }

  EnrollmentTokens withoutThoseOf(IdentityName identity) {
    return new EnrollmentTokens(
        without(open, token -> token.identity().equals(identity)),
        without(used, token -> token.token().identity().equals(identity)));
  }

  private EnrollmentTokens unexpired(Instant now) {
    return new EnrollmentTokens(
        without(open, token -> token.isExpired(now)),
        without(used, token -> token.token().isExpired(now)));
  }

  private static <T> TreePMap<String, T> without(TreePMap<String, T> tokens, Predicate<T> isGone) {
    TreePMap<String, T> left = tokens;
    for (var entry : tokens.entrySet()) {
      left = isGone.test(entry.getValue()) ? left.minus(entry.getKey()) : left;
    }
    return left;
  }

  private static String firstToExpire(TreePMap<String, UsedToken> tokens) {
    return tokens.values().stream()
        .map(UsedToken::token)
        .min(Comparator.comparing(Token::expiresAt))
        .orElseThrow()
        .id();
  }
}
