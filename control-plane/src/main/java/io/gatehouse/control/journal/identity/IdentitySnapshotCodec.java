package io.gatehouse.control.journal.identity;

import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.image.identity.IdentitiesState;
import io.gatehouse.proto.storage.v1.IdentitySnapshot;
import java.util.Optional;
import java.util.stream.Collectors;

/** The state of identities as a stored message. */
public final class IdentitySnapshotCodec {
  private IdentitySnapshotCodec() {}

  public static IdentitySnapshot encode(IdentitiesState state) {
    IdentitySnapshot.Builder message = IdentitySnapshot.newBuilder();
    state.root().ifPresent(root -> message.setRoot(IdentityRecords.encode(root)));
    state.authorities().forEach(one -> message.addAuthorities(IdentityRecords.encode(one)));
    state.certificates().forEach(one -> message.addCertificates(IdentityRecords.encode(one)));
    state
        .holders()
        .forEach((name, holder) -> message.addHolders(IdentityRecords.encode(name, holder)));
    state.tokens().forEach(one -> message.addTokens(IdentityRecords.encode(one)));
    return message.build();
  }

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if it makes no valid state
   */
  public static IdentitiesState decode(IdentitySnapshot message) {
    Optional<Der> root =
        message.getRoot().isEmpty()
            ? Optional.empty()
            : Optional.of(IdentityRecords.der(message.getRoot()));
    return new IdentitiesState(
        root,
        message.getAuthoritiesList().stream().map(IdentityRecords::decode).toList(),
        message.getCertificatesList().stream().map(IdentityRecords::decode).toList(),
        message.getHoldersList().stream()
            .collect(
                Collectors.toMap(
                    holder -> IdentityRecords.identity(holder.getIdentity()),
                    IdentityRecords::decode)),
        message.getTokensList().stream().map(IdentityRecords::decode).toList());
  }
}
