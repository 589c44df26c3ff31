package io.gatehouse.control.journal.identity;

import static io.gatehouse.wire.FieldReader.read;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.image.identity.Holder;
import io.gatehouse.control.image.identity.Token;
import io.gatehouse.control.image.identity.UsedToken;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.storage.v1.CertificateAuthority;
import io.gatehouse.proto.storage.v1.CertificateHolder;
import io.gatehouse.proto.storage.v1.EnrollmentGrant;
import io.gatehouse.proto.v1.AuthorityState;
import io.gatehouse.wire.TimeWire;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/** The values of which events and snapshots are made. */
final class IdentityRecords {
  private IdentityRecords() {}

  static CertificateAuthority encode(Authority authority) {
    CertificateAuthority.Builder message =
        CertificateAuthority.newBuilder()
            .setId(authority.id())
            .setNumber(authority.number())
            .setCertificate(encode(authority.certificate()))
            .setNotAfterTime(TimeWire.toProto(authority.notAfter()))
            .setState(
                switch (authority.state()) {
                  case ISSUING -> AuthorityState.AUTHORITY_STATE_ISSUING;
                  case RETIRING -> AuthorityState.AUTHORITY_STATE_RETIRING;
                  case REVOKED -> AuthorityState.AUTHORITY_STATE_REVOKED;
                });
    authority.revokedAt().ifPresent(time -> message.setRevokeTime(TimeWire.toProto(time)));
    return message.build();
  }

  static Authority decode(CertificateAuthority message) {
    return new Authority(
        message.getId(),
        message.getNumber(),
        der(message.getCertificate()),
        TimeWire.fromProto("not_after_time", message.getNotAfterTime()),
        switch (message.getState()) {
          case AUTHORITY_STATE_ISSUING -> Authority.State.ISSUING;
          case AUTHORITY_STATE_RETIRING -> Authority.State.RETIRING;
          case AUTHORITY_STATE_REVOKED -> Authority.State.REVOKED;
          case AUTHORITY_STATE_UNSPECIFIED, UNRECOGNIZED ->
              throw new InvalidValueException("state", message.getState(), "is not known");
        },
        time(message.hasRevokeTime(), message.getRevokeTime()));
  }

  static io.gatehouse.proto.storage.v1.CertificateRecord encode(CertificateRecord certificate) {
    var message =
        io.gatehouse.proto.storage.v1.CertificateRecord.newBuilder()
            .setSerialNumber(certificate.serialNumber())
            .setIdentity(certificate.identity().toString())
            .setAuthority(certificate.authority())
            .setNotBeforeTime(TimeWire.toProto(certificate.notBefore()))
            .setNotAfterTime(TimeWire.toProto(certificate.notAfter()));
    certificate.revokedAt().ifPresent(time -> message.setRevokeTime(TimeWire.toProto(time)));
    return message.build();
  }

  static CertificateRecord decode(io.gatehouse.proto.storage.v1.CertificateRecord message) {
    return new CertificateRecord(
        message.getSerialNumber(),
        identity(message.getIdentity()),
        message.getAuthority(),
        TimeWire.fromProto("not_before_time", message.getNotBeforeTime()),
        TimeWire.fromProto("not_after_time", message.getNotAfterTime()),
        time(message.hasRevokeTime(), message.getRevokeTime()));
  }

  static EnrollmentGrant encode(Token token) {
    return EnrollmentGrant.newBuilder()
        .setId(token.id())
        .setSecretHash(ByteString.copyFrom(HexFormat.of().parseHex(token.secretHash())))
        .setIdentity(token.identity().toString())
        .setMachineSerialNumber(token.machineSerialNumber())
        .setCreateTime(TimeWire.toProto(token.createdAt()))
        .setExpireTime(TimeWire.toProto(token.expiresAt()))
        .build();
  }

  static Token decode(EnrollmentGrant message) {
    return new Token(
        message.getId(),
        HexFormat.of().formatHex(message.getSecretHash().toByteArray()),
        identity(message.getIdentity()),
        message.getMachineSerialNumber(),
        TimeWire.fromProto("create_time", message.getCreateTime()),
        TimeWire.fromProto("expire_time", message.getExpireTime()));
  }

  static io.gatehouse.proto.storage.v1.UsedToken encode(UsedToken used) {
    return io.gatehouse.proto.storage.v1.UsedToken.newBuilder()
        .setToken(encode(used.token()))
        .setCertificate(encode(used.certificate()))
        .build();
  }

  static UsedToken decode(io.gatehouse.proto.storage.v1.UsedToken message) {
    return new UsedToken(decode(message.getToken()), der(message.getCertificate()));
  }

  static CertificateHolder encode(IdentityName identity, Holder holder) {
    CertificateHolder.Builder message =
        CertificateHolder.newBuilder()
            .setIdentity(identity.toString())
            .setSerialNumber(holder.serialNumber())
            .setAuthority(holder.authority())
            .setRecoverySignedAtMillis(holder.recoverySignedAtMillis());
    holder.revokedAt().ifPresent(time -> message.setRevokeTime(TimeWire.toProto(time)));
    return message.build();
  }

  static Holder decode(CertificateHolder message) {
    return new Holder(
        message.getSerialNumber(),
        message.getAuthority(),
        time(message.hasRevokeTime(), message.getRevokeTime()),
        message.getRecoverySignedAtMillis());
  }

  static IdentityName identity(String name) {
    return read("identity", name, IdentityName::parse);
  }

  static ByteString encode(Der certificate) {
    return ByteString.copyFrom(certificate.toBytes());
  }

  static Der der(ByteString bytes) {
    return Der.of(bytes.toByteArray());
  }

  private static Optional<Instant> time(boolean set, Timestamp message) {
    return set ? Optional.of(TimeWire.fromProto("revoke_time", message)) : Optional.empty();
  }
}
