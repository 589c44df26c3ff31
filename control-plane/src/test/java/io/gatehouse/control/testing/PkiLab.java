package io.gatehouse.control.testing;

import io.gatehouse.control.AccessConfig;
import io.gatehouse.proto.v1.CreateEnrollmentTokenRequest;
import io.gatehouse.proto.v1.CreateEnrollmentTokenResponse;
import io.gatehouse.proto.v1.IdentityServiceGrpc;
import io.gatehouse.proto.v1.IdentityServiceGrpc.IdentityServiceBlockingStub;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.IdentityFiles;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.TokenText;
import io.gatehouse.runtime.tls.TlsFiles;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A control plane with authorities of its own, its first operator, and machines that enrol. */
public final class PkiLab implements AutoCloseable {
  public static final Duration LIMIT = Duration.ofSeconds(20);

  private final Path directory;
  private final Duration deviceLifetime;
  private final String jdbcUrl;
  private final AccessConfig access;
  private TestControlPlane controlPlane;
  private @Nullable TlsFiles admin;
  private int machines;

  public PkiLab(Path directory, Duration deviceLifetime) throws Exception {
    this(directory, deviceLifetime, "jdbc:sqlite:" + directory.resolve("journal.db"));
  }

  /** On a journal that others may use, too. */
  public PkiLab(Path directory, Duration deviceLifetime, String jdbcUrl) throws Exception {
    this(directory, deviceLifetime, jdbcUrl, AccessConfig.DEFAULT);
  }

  /** One that also takes bearer tokens, for example. */
  public PkiLab(Path directory, Duration deviceLifetime, AccessConfig access) throws Exception {
    this(directory, deviceLifetime, "jdbc:sqlite:" + directory.resolve("journal.db"), access);
  }

  private PkiLab(Path directory, Duration deviceLifetime, String jdbcUrl, AccessConfig access)
      throws Exception {
    this.access = access;
    this.directory = directory;
    this.deviceLifetime = deviceLifetime;
    this.jdbcUrl = jdbcUrl;
    this.controlPlane = started();
  }

  public TestControlPlane controlPlane() {
    return controlPlane;
  }

  public Path pki() {
    return directory.resolve("pki");
  }

  public Path adminTokenFile() {
    return pki().resolve("admin.token");
  }

  /** The first operator, by the token in the file. */
  public ManagedChannel admin() throws IOException {
    TokenText token = TokenText.parse(Files.readString(adminTokenFile()));
    admin = saved(controlPlane.enrollment().enroll(token, "", LIMIT).held());
    return adminChannel();
  }

  /** Another channel with the certificate of the first operator. */
  public ManagedChannel adminChannel() {
    TlsFiles files = admin;
    if (files == null) {
      throw new IllegalStateException("the first operator has not enrolled");
    }
    return controlPlane.channel(files);
  }

  /** Makes a DPU and enrols it. */
  public HeldIdentity dpu(ManagedChannel admin, String id, String vtep) {
    TestControlPlane.createDpu(admin, id, vtep);
    return enrolled(token(admin, "dpus/" + id)).held();
  }

  public TokenText token(ManagedChannel admin, String identity) {
    return TokenText.parse(
        create(admin, CreateEnrollmentTokenRequest.newBuilder().setIdentity(identity).build())
            .getToken());
  }

  public CreateEnrollmentTokenResponse create(
      ManagedChannel admin, CreateEnrollmentTokenRequest request) {
    return identities(admin).createEnrollmentToken(request);
  }

  public IdentityServiceBlockingStub identities(ManagedChannel admin) {
    return IdentityServiceGrpc.newBlockingStub(admin);
  }

  public NewIdentity enrolled(TokenText token) {
    return controlPlane.enrollment().enroll(token, "", LIMIT);
  }

  /** What a channel needs of an identity. */
  public TlsFiles saved(HeldIdentity identity) throws IOException {
    IdentityFiles files = new IdentityFiles(directory.resolve("machine" + ++machines));
    files.save(identity);
    return TlsFiles.open(files.paths());
  }

  /** A channel with the certificate of an identity. */
  public ManagedChannel channel(HeldIdentity identity) throws IOException {
    return controlPlane.channel(saved(identity));
  }

  /** A channel to the listener for bearer tokens; it shows no certificate. */
  public ManagedChannel bearers() {
    return controlPlane.bearerChannel(pki().resolve("root.pem"));
  }

  /** Stops the control plane and starts it again on the same files. */
  public void restart() throws Exception {
    controlPlane.close();
    controlPlane = started();
  }

  @Override
  public void close() {
    controlPlane.close();
  }

  private TestControlPlane started() throws Exception {
    return TestControlPlane.startWithPki(jdbcUrl, pki(), deviceLifetime, access);
  }
}
