package io.gatehouse.control.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.decide.identity.IdentityCommand.DeleteToken;
import io.gatehouse.control.decide.identity.IdentityCommand.Recover;
import io.gatehouse.control.decide.identity.IdentityCommand.ReplaceAuthority;
import io.gatehouse.control.decide.identity.IdentityCommand.RevokeAuthority;
import io.gatehouse.control.decide.identity.IdentityCommand.RevokeIdentity;
import io.gatehouse.control.decide.identity.IdentityCommand.UsePolicyKey;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.ImageAssertions;
import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.testing.IdentityWorld;
import io.gatehouse.model.name.IdentityName;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IdentityCodecTest {
  private final IdentityWorld world = new IdentityWorld();

  @Test
  void whatIsWrittenIsWhatIsRead() throws Exception {
    CertificateRecord first = world.enrolled("dpus/d1");
    world.enrolled("operators/ann");
    world.token("dpus/d2", "SN1");
    String withdrawn = world.token("dpus/d2", "");
    world.run(new DeleteToken(world.image().identities().tokenOf(withdrawn).orElseThrow().id()));
    world.run(new ReplaceAuthority(IdentityWorld.authority("bbbbbbbbbbbbbbbb")));
    world.run(new Recover(IdentityWorld.shown(first), 7, world.certificate("dpus/d1")));
    world.run(new RevokeIdentity(IdentityName.parse("operators/ann"), "left"));
    world.run(new RevokeAuthority(IdentityWorld.FIRST_AUTHORITY, "copied"));
    world.enrolled("dpus/d2");
    world.run(new UsePolicyKey(Der.of(new byte[] {5, 6}), Optional.empty()));
    assertThat(world.image().identities().usedTokens()).hasSize(2);
    for (Entry entry : world.entries()) {
      assertThat(EntryCodec.decode(entry.revision(), EntryCodec.encode(entry))).isEqualTo(entry);
    }
    ImageAssertions.assertSame(
        SnapshotCodec.decode(SnapshotCodec.encode(world.image())), world.image(), "a snapshot");
  }
}
