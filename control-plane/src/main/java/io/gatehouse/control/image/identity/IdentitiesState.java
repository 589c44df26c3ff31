package io.gatehouse.control.image.identity;

import io.gatehouse.model.name.IdentityName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link Identities} without indexes: what a snapshot keeps. */
public record IdentitiesState(
    Optional<Der> root,
    Optional<Der> policyKey,
    Collection<Authority> authorities,
    Collection<CertificateRecord> certificates,
    Map<IdentityName, Holder> holders,
    Collection<Token> tokens,
    Collection<UsedToken> usedTokens) {
  public static final IdentitiesState EMPTY =
      new IdentitiesState(
          Optional.empty(), Optional.empty(), List.of(), List.of(), Map.of(), List.of(), List.of());
}
