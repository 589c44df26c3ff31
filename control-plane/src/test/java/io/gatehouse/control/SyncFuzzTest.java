package io.gatehouse.control;

import static io.gatehouse.control.testing.TestControlPlane.createDpu;
import static io.gatehouse.control.testing.TestControlPlane.createPort;
import static io.gatehouse.control.testing.TestControlPlane.createTenant;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.publish.FakeAgent;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.GrpcAgent;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.Heartbeat;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.PolicyRemoval;
import io.gatehouse.proto.v1.SyncRequest;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that are no messages, through the real service: a status, and nobody else notices. */
final class SyncFuzzTest {
  private static final int SEEDS = 300;
  private static final MethodDescriptor<byte[], byte[]> SYNC =
      method(MethodDescriptor.MethodType.BIDI_STREAMING, "gatehouse.v1.SyncService/Sync");
  private static final MethodDescriptor<byte[], byte[]> CREATE =
      method(MethodDescriptor.MethodType.UNARY, "gatehouse.v1.TenantService/CreateTenant");

  @Test
  void everyStreamEndsWithAStatusAndTheOthersGoOn(@TempDir Path directory) throws Exception {
    TestPki pki = new TestPki(directory);
    String url = "jdbc:sqlite:" + directory.resolve("journal.db");
    try (TestControlPlane controlPlane = TestControlPlane.start(url, pki.server())) {
      ManagedChannel operator = controlPlane.channel(pki.operator("admin"));
      createDpu(operator, "d1", "172.31.0.1");
      createDpu(operator, "d2", "172.31.0.2");
      createTenant(operator, "acme");
      GrpcAgent bystander = new GrpcAgent(new FakeAgent(FakeAgent.Mode.STAGED));
      bystander.connect(controlPlane.channel(pki.dpu("d2")));
      ManagedChannel fuzzed = controlPlane.channel(pki.dpu("d1"));
      for (long seed = 0; seed < SEEDS; seed++) {
        assertThat(play(fuzzed, SYNC, seed).getCode())
            .as("seed %s", seed)
            .isIn(Status.Code.INVALID_ARGUMENT, Status.Code.ABORTED, Status.Code.OK);
        assertThat(play(operator, CREATE, seed).getCode())
            .as("seed %s", seed)
            .isEqualTo(Status.Code.INVALID_ARGUMENT);
      }
      long revision = createPort(operator, "acme", "db", "d2");
      Eventually.holds("the bystander is served", () -> bystander.revision() >= revision);
      assertThat(bystander.end()).isEmpty();
    }
  }

  /** Sends some messages, broken or not, and returns how the stream ended. */
  private static Status play(
      ManagedChannel channel, MethodDescriptor<byte[], byte[]> method, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    CompletableFuture<Status> end = new CompletableFuture<>();
    ClientCall<byte[], byte[]> call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.request(1_000);
    if (method.getType() == MethodDescriptor.MethodType.UNARY) {
      call.sendMessage(broken(random));
      call.halfClose();
      return end.get(60, TimeUnit.SECONDS);
    }
    if (random.nextInt(3) > 0) {
      call.sendMessage(valid(0).toByteArray());
    }
    for (int i = random.nextInt(6); i >= 0; i--) {
      call.sendMessage(broken(random));
    }
    call.halfClose();
    return end.get(60, TimeUnit.SECONDS);
  }

  private static byte[] broken(SplittableRandom random) {
    byte[] bytes = valid(random.nextInt(4)).toByteArray();
    switch (random.nextInt(4)) {
      case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      case 1 -> {
        for (int i = 1 + random.nextInt(4); i > 0 && bytes.length > 0; i--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
      }
      case 2 -> {
        bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
      }
      default -> {
        // As it is, at any place of the stream.
      }
    }
    return bytes;
  }

  private static SyncRequest valid(int kind) {
    FakeAgent agent = new FakeAgent(FakeAgent.Mode.STAGED);
    return switch (kind) {
      case 0 -> agent.hello();
      case 1 -> agent.ack();
      case 2 ->
          SyncRequest.newBuilder()
              .setInventory(
                  Inventory.newBuilder()
                      .addAllHeld(List.of(PolicyRemoval.newBuilder().setName("dpus/d9").build()))
                      .setComplete(true))
              .build();
      default ->
          SyncRequest.newBuilder().setHeartbeat(Heartbeat.newBuilder().setSequence(1)).build();
    };
  }

  private static MethodDescriptor<byte[], byte[]> method(
      MethodDescriptor.MethodType type, String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(type)
        .setFullMethodName(name)
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  /** Bytes as they are. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
