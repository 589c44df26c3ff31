package io.gatehouse.agent.identity;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.TrustBundle;
import io.gatehouse.runtime.PrivateFile;
import io.gatehouse.runtime.identity.FreshKey;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.IdentityFiles;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.tls.TlsFileException;
import io.gatehouse.runtime.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All that the agent keeps of its identity, in one directory; only this DPU's. Thread-safe. */
public final class IdentityStore {
  private final DpuName dpu;
  private final Path directory;
  private final IdentityFiles files;
  private final PolicyKeys policyKeys;
  private @Nullable TlsFiles tls;

  public IdentityStore(DpuName dpu, Path directory) {
    this.dpu = dpu;
    this.directory = directory;
    this.files = new IdentityFiles(directory);
    this.policyKeys = new PolicyKeys(directory);
  }

  /**
   * Looks whether an identity, if there is one, can be used.
   *
   * @throws TlsFileException if a file cannot be used
   * @throws io.gatehouse.model.net.InvalidValueException if it is another DPU's
   */
  public static void check(DpuName dpu, Path directory) {
    Optional<HeldIdentity> unused = new IdentityStore(dpu, directory).read();
  }

  /** Keys that may sign policy. */
  public PolicyKeys policyKeys() {
    return policyKeys;
  }

  /**
   * The identity, valid or not; empty if there is none yet.
   *
   * @throws TlsFileException if a file cannot be used
   * @throws io.gatehouse.model.net.InvalidValueException if it is another DPU's
   */
  public Optional<HeldIdentity> read() {
    if (!files.exist()) {
      return Optional.empty();
    }
    HeldIdentity held = files.read();
    DpuCertificate.check(dpu, held.certificate());
    return Optional.of(held);
  }

  /**
   * Certificate, key and roots for connections, read anew at each handshake.
   *
   * @throws IOException if there is no identity that can be used
   */
  public synchronized TlsFiles tls() throws IOException {
    if (tls == null) {
      if (!files.exist()) {
        throw new IOException(
            directory + " holds no identity: enrol this DPU (gatehouse-agent enroll)");
      }
      try {
        tls = TlsFiles.open(files.paths());
      } catch (TlsFileException e) {
        throw new IOException(e.getMessage(), e);
      }
    }
    return tls;
  }

  /** Which writing of the certificate is there. */
  FileStamp stamp() {
    return FileStamp.of(files.paths().certificate());
  }

  /** Fails now if an identity could not be kept: a token is good for one only. */
  public void prepare() throws IOException {
    Path probe = directory.resolve("probe");
    PrivateFile.replace(probe, "");
    Files.delete(probe);
  }

  /** The key to enrol with, the same until an identity is kept. */
  public FreshKey enrollingKey() throws IOException {
    return files.enrollingKey();
  }

  /**
   * Keeps an identity; on return it is on the disk.
   *
   * @throws io.gatehouse.model.net.InvalidValueException if it is another DPU's, or has no usable
   *     policy keys; then nothing has changed
   */
  public void save(NewIdentity fresh) throws IOException {
    DpuCertificate.check(dpu, fresh.held().certificate());
    // The certificate last: with it, all that belongs to it is there.
    policyKeys.replace(policyKeys(fresh.trustBundle()));
    files.save(fresh);
  }

  /** Keeps whom to trust now. */
  void saveTrust(TrustBundle bundle) throws IOException {
    policyKeys.replace(policyKeys(bundle));
    files.saveTrust(bundle);
  }

  private static List<byte[]> policyKeys(TrustBundle bundle) {
    return bundle.getPolicyKeysList().stream().map(key -> key.toByteArray()).toList();
  }
}
