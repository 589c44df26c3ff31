package io.gatehouse.control.journal.identity;

import com.google.protobuf.ByteString;
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
    state.policyKey().ifPresent(key -> message.setPolicyKey(IdentityRecords.encode(key)));
    state.usedTokens().forEach(one -> message.addUsedTokens(IdentityRecords.encode(one)));
    return message.build();
  }

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if it makes no valid state
   */
  public static IdentitiesState decode(IdentitySnapshot message) {
    return new IdentitiesState(
        optional(message.getRoot()),
        optional(message.getPolicyKey()),
        message.getAuthoritiesList().stream().map(IdentityRecords::decode).toList(),
        message.getCertificatesList().stream().map(IdentityRecords::decode).toList(),
        message.getHoldersList().stream()
            .collect(
                Collectors.toMap(
                    holder -> IdentityRecords.identity(holder.getIdentity()),
                    IdentityRecords::decode)),
        message.getTokensList().stream().map(IdentityRecords::decode).toList(),
        message.getUsedTokensList().stream().map(IdentityRecords::decode).toList());
  }

  private static Optional<Der> optional(ByteString bytes) {
    return bytes.isEmpty() ? Optional.empty() : Optional.of(IdentityRecords.der(bytes));
  }
}
