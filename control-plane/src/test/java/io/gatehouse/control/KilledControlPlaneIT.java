package io.gatehouse.control;

import static io.gatehouse.control.testing.TestControlPlane.createPort;
import static io.gatehouse.control.testing.TestControlPlane.createTenant;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.control.testing.ControlPlaneProcess;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.GrpcAgent;
import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.WaitForRevisionRequest;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.tls.TlsFiles;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of two control planes on one database, each with an agent, one is killed. */
final class KilledControlPlaneIT {
  /** Each control plane makes its own, or must not have it. */
  private static final Set<String> NOT_COPIED = Set.of("server.pem", "admin.token");

  @TempDir Path directory = Path.of("");
  private PostgresServer postgres;
  private PkiLab east;
  private ManagedChannel admin;
  private ControlPlaneProcess west;

  @BeforeEach
  void start() throws Exception {
    postgres = PostgresServer.start();
    String url = postgres.newDatabase();
    east = new PkiLab(directory, Duration.ofDays(7), url);
    admin = east.admin();
    west = ControlPlaneProcess.start(directory, url, copyOfKeys());
    Eventually.holds("the other one is ready", () -> west.status("/readyz") == 200);
  }

  @AfterEach
  void stop() {
    west.close();
    east.close();
    postgres.close();
  }

  @Test
  void theOtherGoesOnWithTheAgentsOfBoth() throws Exception {
    TlsFiles first = east.saved(east.dpu(admin, "d1", "172.31.0.1"));
    HeldIdentity second = east.dpu(admin, "d2", "172.31.0.2");
    GrpcAgent stays = new GrpcAgent(new FakeAgent(FakeAgent.Mode.STAGED));
    stays.connect(east.controlPlane().channel(first));
    FakeAgent memory = new FakeAgent(FakeAgent.Mode.STAGED);
    GrpcAgent moves = new GrpcAgent(memory);
    ManagedChannel atWest =
        NettyChannelBuilder.forAddress("127.0.0.1", west.port())
            .sslContext(east.saved(second).clientContext())
            .build();
    moves.connect(atWest);
    createTenant(admin, "acme");
    createPort(admin, "acme", "web", "d1");
    long before = System.nanoTime();
    long revision = createPort(admin, "acme", "db", "d2");
    Eventually.holds("the agent of the other has it", () -> moves.revision() >= revision);
    System.out.printf(
        "a change made at one reached the agent of the other after %.1f ms%n",
        (System.nanoTime() - before) / 1e6);
    assertThat(isReal(revision)).isTrue();

    west.process().destroyForcibly().waitFor();
    Eventually.holds("its agent has lost the stream", () -> moves.end().isPresent());
    long next = createPort(admin, "acme", "web2", "d1");
    GrpcAgent back = new GrpcAgent(memory);
    back.connect(east.controlPlane().channel(east.saved(second)));
    assertThat(isReal(next)).isTrue();
    assertThat(back.holds("tenants/acme/networks/blue/ports/web2")).isTrue();
    assertThat(stays.end()).isEmpty();
    atWest.shutdownNow();
  }

  private boolean isReal(long revision) {
    return FleetServiceGrpc.newBlockingStub(admin)
        .waitForRevision(
            WaitForRevisionRequest.newBuilder()
                .setRevision(revision)
                .setScope("tenants/acme")
                .setTimeout(Durations.fromSeconds(60))
                .build())
        .getReached();
  }

  private Path copyOfKeys() throws IOException {
    Path copy = Files.createDirectories(directory.resolve("west"));
    try (Stream<Path> files = Files.list(east.pki())) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (!NOT_COPIED.contains(name)) {
          Files.copy(file, copy.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
    return copy;
  }
}
