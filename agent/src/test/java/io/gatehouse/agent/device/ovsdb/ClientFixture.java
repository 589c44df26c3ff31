package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.agent.device.DeviceException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.handler.ssl.SslContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An event loop and the clients on it; all end with the test. */
final class ClientFixture implements AutoCloseable {
  static final Map<String, Set<String>> MONITORED =
      Map.of(
          "Open_vSwitch", Set.of("bridges", "next_cfg", "cur_cfg", "external_ids", "other_config"),
          "Bridge", Set.of("name", "ports", "fail_mode", "external_ids"),
          "Port", Set.of("name", "interfaces", "tag", "trunks"),
          "Interface", Set.of("name", "type", "ofport", "options", "error"));

  private static final long LIMIT_SECONDS = 30;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final List<OvsdbClient> clients = new ArrayList<>();
  final RecordingListener events = new RecordingListener();

  OvsdbClient start(OvsdbConfig config) {
    return start(config, Optional.empty());
  }

  OvsdbClient start(OvsdbConfig config, Optional<SslContext> tls) {
    OvsdbClient client = new OvsdbClient(config, tls, loops, loops, () -> 0, events);
    clients.add(client);
    client.start();
    return client;
  }

  static <T> T get(CompletableFuture<T> future) throws InterruptedException, TimeoutException {
    try {
      return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("failed: " + e.getCause(), e);
    }
  }

  /** What the future failed with. */
  static DeviceException failure(CompletableFuture<?> future)
      throws InterruptedException, TimeoutException {
    try {
      Object value = future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      throw new AssertionError("did not fail: " + value);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof DeviceException failure) {
        return failure;
      }
      throw new AssertionError("failed otherwise", e);
    }
  }

  @Override
  public void close() {
    clients.forEach(OvsdbClient::close);
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
