package io.gatehouse.control.decide.identity;

import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.identity.IdentityCommand.CreateFirstToken;
import io.gatehouse.control.decide.identity.IdentityCommand.CreateToken;
import io.gatehouse.control.decide.identity.IdentityCommand.DeleteToken;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.IdentityEvent;
import io.gatehouse.control.image.identity.IdentityEvent.TokenPut;
import io.gatehouse.control.image.identity.IdentityEvent.TokenWithdrawn;
import io.gatehouse.control.image.identity.Token;
import io.gatehouse.model.name.IdentityName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Decides who may enrol. */
final class TokenDecider {
  static final Duration SHORTEST = Duration.ofMinutes(1);
  static final Duration LONGEST = Duration.ofDays(7);

  /** Tokens that can be open at a time. */
  static final int MAX_TOKENS = 10_000;

  private static final int MAX_SERIAL_LENGTH = 64;

  private TokenDecider() {}

  static List<IdentityEvent> create(Image image, CreateToken command) {
    return put(image, command.token());
  }

  /** Two control planes that start at once make one token, not two. */
  static List<IdentityEvent> createFirst(Image image, Instant now, CreateFirstToken command) {
    boolean held =
        image.identities().holders().entrySet().stream()
            .anyMatch(
                holder ->
                    holder.getKey().isOperator() && !holder.getValue().serialNumber().isEmpty());
    boolean promised =
        image.identities().tokens().values().stream()
            .anyMatch(token -> token.identity().isOperator() && !token.isExpired(now));
    if (held || promised) {
      throw new RefusedException(
          Kind.ALREADY_EXISTS, "identity", "an operator has enrolled already, or can");
    }
    return put(image, command.token());
  }

  static List<IdentityEvent> delete(Image image, DeleteToken command) {
    if (!image.identities().tokens().containsKey(command.id())) {
      throw new RefusedException(Kind.NOT_FOUND, "name", command.subject() + " does not exist");
    }
    return List.of(new TokenWithdrawn(command.id()));
  }

  private static List<IdentityEvent> put(Image image, Token token) {
    existing(image, token.identity());
    Duration lifetime = Duration.between(token.createdAt(), token.expiresAt());
    if (lifetime.compareTo(SHORTEST) < 0 || lifetime.compareTo(LONGEST) > 0) {
      throw new RefusedException(
          Kind.INVALID_ARGUMENT,
          "lifetime_seconds",
          lifetime.toSeconds()
              + " is outside "
              + SHORTEST.toSeconds()
              + ".."
              + LONGEST.toSeconds());
    }
    if (token.machineSerialNumber().length() > MAX_SERIAL_LENGTH) {
      throw new RefusedException(
          Kind.INVALID_ARGUMENT,
          "machine_serial_number",
          "is longer than " + MAX_SERIAL_LENGTH + " characters");
    }
    if (image.identities().tokens().size() >= MAX_TOKENS) {
      throw new RefusedException(
          Kind.RESOURCE_EXHAUSTED, MAX_TOKENS + " tokens are open already: delete some");
    }
    if (image.identities().tokens().containsKey(token.id())) {
      throw new RefusedException(Kind.ABORTED, "the token's id is taken: try again");
    }
    return List.of(new TokenPut(token));
  }

  static void existing(Image image, IdentityName identity) {
    if (!Existence.of(identity, image)) {
      throw new RefusedException(Kind.NOT_FOUND, "identity", identity + " does not exist");
    }
  }
}
