package io.gatehouse.control.identity;

import com.google.protobuf.ByteString;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Token;
import io.gatehouse.proto.v1.Authority;
import io.gatehouse.proto.v1.AuthorityState;
import io.gatehouse.proto.v1.EnrollmentToken;
import io.gatehouse.proto.v1.IssuedCertificate;
import io.gatehouse.wire.TimeWire;
import java.time.Instant;

/** Identities as messages of the contract. */
final class IdentityMessages {
  static final String TOKENS = "enrollmentTokens/";
  static final String AUTHORITIES = "authorities/";

  private IdentityMessages() {}

  static EnrollmentToken message(Token token) {
    return EnrollmentToken.newBuilder()
        .setName(TOKENS + token.id())
        .setIdentity(token.identity().toString())
        .setMachineSerialNumber(token.machineSerialNumber())
        .setCreateTime(TimeWire.toProto(token.createdAt()))
        .setExpireTime(TimeWire.toProto(token.expiresAt()))
        .build();
  }

  static IssuedCertificate message(CertificateRecord certificate) {
    return IssuedCertificate.newBuilder()
        .setSerialNumber(certificate.serialNumber())
        .setIdentity(certificate.identity().toString())
        .setAuthority(AUTHORITIES + certificate.authority())
        .setNotBeforeTime(TimeWire.toProto(certificate.notBefore()))
        .setNotAfterTime(TimeWire.toProto(certificate.notAfter()))
        .setRevoked(certificate.revokedAt().isPresent())
        .build();
  }

  static Authority message(
      io.gatehouse.control.image.identity.Authority authority, Image image, Instant now) {
    long certificates =
        image.identities().certificates().values().stream()
            .filter(one -> one.authority().equals(authority.id()) && one.notAfter().isAfter(now))
            .count();
    return Authority.newBuilder()
        .setName(AUTHORITIES + authority.id())
        .setCertificate(ByteString.copyFrom(authority.certificate().toBytes()))
        .setNotAfterTime(TimeWire.toProto(authority.notAfter()))
        .setState(
            switch (authority.state()) {
              case ISSUING -> AuthorityState.AUTHORITY_STATE_ISSUING;
              case RETIRING -> AuthorityState.AUTHORITY_STATE_RETIRING;
              case REVOKED -> AuthorityState.AUTHORITY_STATE_REVOKED;
            })
        .setCertificateCount((int) certificates)
        .build();
  }
}
