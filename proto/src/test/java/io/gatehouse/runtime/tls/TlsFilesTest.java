package io.gatehouse.runtime.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsFilesTest {
  @TempDir Path directory;
  private TestCertificates certificates;

  @BeforeEach
  void makeCertificates() {
    certificates = new TestCertificates(directory);
    certificates.authority("ca");
    certificates.leaf("server", "ca");
    certificates.leaf("client", "ca");
  }

  @Test
  void bothSidesCheckEachOther() throws Exception {
    certificates.authority("other");
    certificates.leaf("stranger", "other");
    TlsFiles server = TlsFiles.open(certificates.paths("ca", "server"));
    try (Listener listener = new Listener(server.serverContext())) {
      assertThat(listener.reach(client("ca", "client"))).isEqualTo(ConnectivityState.READY);
      assertThat(listener.reach(client("other", "client")))
          .as("a server of an unknown authority")
          .isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
      assertThat(listener.serves(client("ca", "client"))).isTrue();
      assertThat(listener.serves(client("ca", "stranger")))
          .as("a client of an unknown authority")
          .isFalse();
    }
  }

  @Test
  void usesChangedFilesAtTheNextHandshakeAndKeepsGoodOnes() throws Exception {
    TlsFiles server = TlsFiles.open(certificates.paths("ca", "server"));
    try (Listener listener = new Listener(server.serverContext())) {
      SslContext oldTrust = client("ca", "client");
      assertThat(listener.serves(oldTrust)).isTrue();
      certificates.authority("next");
      certificates.leaf("fresh", "next");
      replace("fresh.pem", "server.pem");
      assertThat(server.problem().orElse("")).contains("does not belong to the first certificate");
      assertThat(listener.serves(oldTrust)).as("half replaced: the old ones stay").isTrue();
      replace("fresh.key", "server.key");
      assertThat(server.problem()).isEmpty();
      assertThat(server.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=fresh");
      assertThat(listener.reach(oldTrust)).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
      assertThat(listener.serves(client("next", "client"))).isTrue();
    }
  }

  @Test
  void resumesNoSessionOfAClientThatWouldLikeTo() throws Exception {
    TlsFiles server = TlsFiles.open(certificates.paths("ca", "server"));
    try (Listener listener = new Listener(server.serverContext())) {
      SslContext resuming =
          GrpcSslContexts.forClient()
              .sslProvider(SslProvider.OPENSSL)
              .trustManager(file("ca.pem").toFile())
              .keyManager(file("client.pem").toFile(), file("client.key").toFile())
              .build();
      assertThat(listener.serves(resuming)).isTrue();
      certificates.authority("next");
      replace("next.pem", "ca.pem");
      assertThat(listener.serves(resuming)).as("its authority is gone").isFalse();
    }
  }

  @Test
  void readsKeysInSec1() {
    certificates.openssl("ec", "-in", "server.key", "-out", "sec1.key");
    certificates.mode("sec1.key", "r--------");
    assertThat(
            TlsFiles.open(new TlsPaths(file("ca.pem"), file("server.pem"), file("sec1.key")))
                .certificate())
        .isNotNull();
  }

  @Test
  void refusesBadFilesByNameAndReasonAndNeverByContent() throws Exception {
    refused("none.pem", "server.key", "none.pem: no such file");
    refused("server.key", "server.key", "server.key: has no block CERTIFICATE");
    refused("server.pem", "server.pem", "server.pem: is open to group or others");
    refused("client.pem", "server.key", "server.key: does not belong to the first certificate of");
    certificates.mode("server.key", "rw-r-----");
    refused(
        "server.pem", "server.key", "server.key: is open to group or others (rw-r-----); chmod");
    certificates.openssl("genrsa", "-traditional", "-out", "rsa.key", "2048");
    certificates.mode("rsa.key", "rw-------");
    refused("server.pem", "rsa.key", "the key is PKCS#1; convert it with openssl pkcs8");
    certificates.write(
        "bad.key", "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----");
    certificates.mode("bad.key", "rw-------");
    refused("server.pem", "bad.key", "bad.key: holds no EC, RSA or Ed25519 key that can be read");
    certificates.write(
        "bad.key", "-----BEGIN EC PRIVATE KEY-----\nMIAE\n-----END EC PRIVATE KEY-----");
    refused("server.pem", "bad.key", "bad.key: holds an EC key without a named curve, or a broken");
  }

  private void refused(String certificate, String key, String message) {
    TlsPaths paths = new TlsPaths(file("ca.pem"), file(certificate), file(key));
    assertThatThrownBy(() -> TlsFiles.open(paths))
        .isInstanceOf(TlsFileException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("c2VjcmV0");
  }

  private SslContext client(String authority, String name) {
    return TlsFiles.open(certificates.paths(authority, name)).clientContext();
  }

  private Path file(String name) {
    return certificates.file(name);
  }

  private void replace(String from, String to) throws Exception {
    Files.move(file(from), file(to), StandardCopyOption.ATOMIC_MOVE);
  }

  /** A gRPC server without services: its answer UNIMPLEMENTED proves the connection. */
  private static final class Listener implements AutoCloseable {
    private final Server server;

    Listener(SslContext context) throws Exception {
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      server = NettyServerBuilder.forAddress(any).sslContext(context).build().start();
    }

    /** The state that a channel comes to first. */
    ConnectivityState reach(SslContext context) throws InterruptedException {
      return withChannel(context, channel -> settled(channel));
    }

    /** Whether a call gets through; in TLS 1.3 a client learns of a refusal only afterwards. */
    boolean serves(SslContext context) throws InterruptedException {
      return withChannel(context, channel -> Calls.isAnswered(channel));
    }

    private <T> T withChannel(SslContext context, Use<T> use) throws InterruptedException {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("localhost", server.getPort()).sslContext(context).build();
      try {
        return use.of(channel);
      } finally {
        channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
      }
    }

    private static ConnectivityState settled(ManagedChannel channel) throws InterruptedException {
      Supplier<ConnectivityState> state = () -> channel.getState(true);
      while (state.get() == ConnectivityState.IDLE || state.get() == ConnectivityState.CONNECTING) {
        CountDownLatch changed = new CountDownLatch(1);
        channel.notifyWhenStateChanged(state.get(), changed::countDown);
        if (!changed.await(60, TimeUnit.SECONDS)) {
          return state.get();
        }
      }
      return state.get();
    }

    @Override
    public void close() {
      server.shutdownNow();
    }

    private interface Use<T> {
      T of(ManagedChannel channel) throws InterruptedException;
    }
  }
}
