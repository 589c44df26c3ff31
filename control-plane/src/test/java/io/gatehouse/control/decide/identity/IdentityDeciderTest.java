package io.gatehouse.control.decide.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.identity.IdentityCommand.CreateFirstToken;
import io.gatehouse.control.decide.identity.IdentityCommand.DeleteToken;
import io.gatehouse.control.decide.identity.IdentityCommand.Enroll;
import io.gatehouse.control.decide.identity.IdentityCommand.EstablishRoot;
import io.gatehouse.control.decide.identity.IdentityCommand.Recover;
import io.gatehouse.control.decide.identity.IdentityCommand.Renew;
import io.gatehouse.control.decide.identity.IdentityCommand.ReplaceAuthority;
import io.gatehouse.control.decide.identity.IdentityCommand.RevokeAuthority;
import io.gatehouse.control.decide.identity.IdentityCommand.RevokeIdentity;
import io.gatehouse.control.image.AffectedDpus;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.control.image.identity.Token;
import io.gatehouse.control.testing.IdentityWorld;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.IdentityName;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IdentityDeciderTest {
  private final IdentityWorld world = new IdentityWorld();

  @Test
  void aTokenIsUsedOnce() {
    String token = world.token("dpus/d1", "");
    world.run(new Enroll(token, "", world.certificate("dpus/d1"), IdentityWorld.ENCODED));
    refused(
        new Enroll(token, "", world.certificate("dpus/d1"), IdentityWorld.ENCODED),
        "unknown, used or withdrawn");
  }

  @Test
  void aTokenEndsWithItsTimeToTheSecond() {
    String token = world.token("dpus/d1", "");
    world.passes(Duration.ofHours(1).minusNanos(1));
    world.run(new Enroll(token, "", world.certificate("dpus/d1"), IdentityWorld.ENCODED));
    String late = world.token("dpus/d1", "");
    world.passes(Duration.ofHours(1));
    refused(
        new Enroll(late, "", world.certificate("dpus/d1"), IdentityWorld.ENCODED),
        "the token has expired");
  }

  @Test
  void aTokenIsForItsHolderAndItsMachine() {
    String token = world.token("dpus/d1", "SN1");
    refused(
        new Enroll(token, "SN2", world.certificate("dpus/d1"), IdentityWorld.ENCODED),
        "bound to another machine");
    refused(
        new Enroll(token, "", world.certificate("dpus/d1"), IdentityWorld.ENCODED),
        "bound to another machine");
    refused(
        new Enroll(token, "SN1", world.certificate("dpus/d2"), IdentityWorld.ENCODED),
        "for somebody else");
    world.run(new Enroll(token, "SN1", world.certificate("dpus/d1"), IdentityWorld.ENCODED));
  }

  @Test
  void aWithdrawnTokenIsGone() {
    String token = world.token("dpus/d1", "");
    String id = world.image().identities().tokenOf(token).orElseThrow().id();
    world.run(new DeleteToken(id));
    refused(
        new Enroll(token, "", world.certificate("dpus/d1"), IdentityWorld.ENCODED),
        "unknown, used or withdrawn");
    assertThatThrownBy(() -> world.run(new DeleteToken(id)))
        .extracting(thrown -> ((RefusedException) thrown).kind())
        .isEqualTo(Kind.NOT_FOUND);
  }

  @Test
  void whatWasSignedByAnAuthorityThatWasReplacedMeanwhileIsNotGiven() {
    String token = world.token("dpus/d1", "");
    CertificateRecord signed = world.certificate("dpus/d1");
    world.run(new ReplaceAuthority(IdentityWorld.authority("bbbbbbbbbbbbbbbb")));
    refused(
        new Enroll(token, "", signed, IdentityWorld.ENCODED),
        "the authority was replaced meanwhile");
    world.run(new Enroll(token, "", world.certificate("dpus/d1"), IdentityWorld.ENCODED));
  }

  @Test
  void theFirstTokenIsMadeOnlyWhileNobodyIsInOrInvited() {
    world.run(first("t1"));
    refused(first("t2"), "an operator has enrolled already, or can");
    world.passes(Duration.ofHours(2));
    world.run(first("t3"));
    String hash = first("t3").token().secretHash();
    world.run(new Enroll(hash, "", world.certificate("operators/admin"), IdentityWorld.ENCODED));
    world.passes(Duration.ofDays(400));
    refused(first("t4"), "an operator has enrolled already, or can");
  }

  @Test
  void revocationRefusesWhatIsKnownAndWhatIsOlder() {
    CertificateRecord known = world.enrolled("dpus/d1");
    CertificateRecord neverSeen = world.certificate("dpus/d1");
    CertificateRecord other = world.enrolled("dpus/d2");
    assertThat(world.image().identities().refusal(IdentityWorld.shown(neverSeen))).isEmpty();
    world.passes(Duration.ofSeconds(5));
    world.run(new RevokeIdentity(IdentityName.parse("dpus/d1"), "stolen"));
    assertThat(refusal(known)).contains("the certificate is revoked");
    assertThat(refusal(neverSeen)).contains("is older than the revocation");
    assertThat(refusal(other)).isEmpty();
    world.passes(Duration.ofSeconds(1));
    assertThat(refusal(world.enrolled("dpus/d1"))).isEmpty();
    assertThat(refusal(known)).contains("the certificate is revoked");
  }

  @Test
  void aRevokedCertificateIsNotRenewed() {
    CertificateRecord known = world.enrolled("dpus/d1");
    world.run(new RevokeIdentity(IdentityName.parse("dpus/d1"), "stolen"));
    refused(
        new Renew(IdentityWorld.shown(known), world.certificate("dpus/d1")),
        "the certificate is revoked");
  }

  @Test
  void f35TheWayBackIsForTheNewestCertificateAndEachProofGoodOnce() {
    CertificateRecord first = world.enrolled("dpus/d1");
    CertificateRecord newest = world.certificate("dpus/d1");
    world.run(new Renew(IdentityWorld.shown(first), newest));
    world.passes(Duration.ofDays(90));
    world.enrolled("dpus/d2");
    assertThat(world.image().identities().certificates()).as("forgotten").hasSize(1);
    long time = world.now().toEpochMilli();
    recoverRefused(first, time, "is not the newest of its holder");
    CertificateRecord back = world.certificate("dpus/d1");
    world.run(new Recover(IdentityWorld.shown(newest), time, back));
    recoverRefused(newest, time + 1, "is not the newest of its holder");
    recoverRefused(back, time, "not newer than one that was used");
    world.run(new RevokeIdentity(IdentityName.parse("dpus/d1"), "stolen"));
    recoverRefused(back, time + 2, "is not the newest of its holder, or revoked");
  }

  @Test
  void nobodyComesBackThroughARevokedAuthority() {
    CertificateRecord newest = world.enrolled("dpus/d1");
    world.run(new ReplaceAuthority(IdentityWorld.authority("bbbbbbbbbbbbbbbb")));
    world.run(new RevokeAuthority(IdentityWorld.FIRST_AUTHORITY, "copied"));
    recoverRefused(newest, 1, "authority is unknown or revoked");
    assertThat(refusal(newest)).contains("authority is revoked");
    ShownCertificate foreign =
        new ShownCertificate(newest.identity(), "40", "cccccccccccccccc", world.now());
    assertThat(world.image().identities().refusal(foreign).orElse(""))
        .contains("authority is not known");
  }

  @Test
  void agentsOfAnOldAuthorityAreToRenew() {
    CertificateRecord old = world.enrolled("dpus/d1");
    IdentityName d1 = IdentityName.parse("dpus/d1");
    assertThat(world.image().identities().shouldRenew(d1)).isFalse();
    world.run(new ReplaceAuthority(IdentityWorld.authority("bbbbbbbbbbbbbbbb")));
    assertThat(world.image().identities().shouldRenew(d1)).isTrue();
    assertThat(world.image().identities().shouldRenew(IdentityName.parse("dpus/d2"))).isFalse();
    world.run(new Renew(IdentityWorld.shown(old), world.certificate("dpus/d1")));
    assertThat(world.image().identities().shouldRenew(d1)).isFalse();
  }

  @Test
  void aRootIsFoundedOnce() {
    refused(
        new EstablishRoot(Der.of(new byte[] {9}), IdentityWorld.authority("bbbbbbbbbbbbbbbb")),
        "has a root already");
  }

  @Test
  void noDpuIsToldOfIdentities() {
    world.enrolled("dpus/d1");
    long desired = world.image().desiredRevision(new DpuName("d1"));
    world.run(new RevokeIdentity(IdentityName.parse("dpus/d1"), "stolen"));
    Image before = world.image();
    world.enrolled("dpus/d1");
    assertThat(world.image().desiredRevision(new DpuName("d1"))).isEqualTo(desired);
    var last = world.entries().get(world.entries().size() - 1);
    assertThat(AffectedDpus.of(before, world.image(), last)).isEmpty();
  }

  private CreateFirstToken first(String id) {
    return new CreateFirstToken(
        new Token(
            id,
            "%064d".formatted(Integer.parseInt(id.substring(1))),
            IdentityName.parse("operators/admin"),
            "",
            world.now(),
            world.now().plus(Duration.ofHours(1))));
  }

  private String refusal(CertificateRecord certificate) {
    return world.image().identities().refusal(IdentityWorld.shown(certificate)).orElse("");
  }

  private void recoverRefused(CertificateRecord old, long millis, String reason) {
    refused(new Recover(IdentityWorld.shown(old), millis, world.certificate("dpus/d1")), reason);
  }

  private void refused(IdentityCommand command, String reason) {
    assertThatThrownBy(() -> world.run(command))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(reason);
  }
}
