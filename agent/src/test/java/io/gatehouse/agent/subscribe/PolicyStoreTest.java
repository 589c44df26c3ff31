package io.gatehouse.agent.subscribe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.fixture.Policies;
import io.gatehouse.agent.subscribe.PolicyStore.CorruptPolicyException;
import io.gatehouse.proto.storage.v1.StoredPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PolicyStoreTest {
  private static final StoredPolicy OLD = policy(1, "f0");
  private static final StoredPolicy NEW = policy(2, "f1");

  @TempDir private Path folder;
  private PolicyStore store;
  private Path file;

  private static StoredPolicy policy(long revision, String function) {
    return StoredPolicy.newBuilder()
        .setRevision(revision)
        .addAllResources(
            Deltas.messages(
                Policies.network("a/n", 1, "10.0.0.0/24"),
                Policies.localPort("a/n/p", function, "02:00:00:00:00:01", "10.0.0.1")))
        .build();
  }

  @BeforeEach
  void open() {
    store = new PolicyStore(folder);
    file = folder.resolve("policy.bin");
  }

  @Test
  void nothingIsThereAtFirst() throws IOException {
    assertThat(store.load()).isEmpty();
  }

  @Test
  void whatWasSavedIsLoaded() throws IOException {
    store.save(OLD);
    store.save(NEW);
    assertThat(new PolicyStore(folder).load()).contains(NEW);
  }

  @Test
  void onlyTheAgentMayReadIt() throws IOException {
    store.save(OLD);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  @DisplayName("every truncation is noticed, and the file is set aside")
  void everyTruncationIsNoticed() throws IOException {
    store.save(OLD);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      assertNoticed(Arrays.copyOf(whole, length), "first " + length + " bytes");
    }
    assertNoticed(Arrays.copyOf(whole, whole.length + 1), "one byte more");
  }

  @Test
  void everyDamagedByteIsNoticed() throws IOException {
    store.save(OLD);
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i++) {
      for (int flipped : new int[] {0x01, 0x80, 0xff}) {
        byte[] damaged = whole.clone();
        damaged[i] ^= (byte) flipped;
        assertNoticed(damaged, "byte " + i + " xor " + flipped);
      }
    }
  }

  private void assertNoticed(byte[] content, String what) throws IOException {
    Files.write(file, content);
    assertThatThrownBy(store::load).as(what).isInstanceOf(CorruptPolicyException.class);
    assertThat(file).doesNotExist();
    assertThat(folder.resolve("policy.bin.corrupt")).hasBinaryContent(content);
    assertThat(store.load()).as("after it was set aside").isEmpty();
  }

  @Test
  @DisplayName("F17: a crash between write and rename leaves the old policy, at any byte")
  void aCrashBeforeTheRename() throws IOException {
    store.save(NEW);
    byte[] next = Files.readAllBytes(file);
    store.save(OLD);
    for (int length = 0; length <= next.length; length++) {
      Files.write(folder.resolve("policy.bin.new"), Arrays.copyOf(next, length));
      assertThat(new PolicyStore(folder).load()).contains(OLD);
    }
    store.save(NEW);
    assertThat(store.load()).contains(NEW);
    assertThat(folder.resolve("policy.bin.new")).doesNotExist();
  }

  @Test
  void aFolderThatIsNotThereIsAnErrorAndNotAnEmptyPolicy() {
    PolicyStore nowhere = new PolicyStore(folder.resolve("gone"));
    assertThatThrownBy(() -> nowhere.save(OLD)).isInstanceOf(IOException.class);
  }
}
