package io.gatehouse.agent.device.openflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a client makes of a bridge that does not speak its version. */
final class OpenFlowVersionIT {

  @Test
  void aBridgeWithoutOurVersionIsLeftAlone() throws Exception {
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    try (VswitchdProcess vswitchd = VswitchdProcess.start("ghofv")) {
      vswitchd.addBridge("old");
      vswitchd.vsctl("set", "bridge", "old", "protocols=OpenFlow10,OpenFlow13");
      RecordingListener heard = new RecordingListener();
      OpenFlowConfig config = OpenFlowConfig.ofBridge(vswitchd.directory(), "old");
      CompletableFuture<Duration> retried = new CompletableFuture<>();
      try (OpenFlowClient refused =
          new OpenFlowClient(config, group, (d, task) -> retried.complete(d), () -> 0, heard)) {
        refused.start();
        assertThat(retried.get(30, TimeUnit.SECONDS)).isEqualTo(Duration.ofMillis(100));
        assertThat(heard.isQuiet()).isTrue();
      }
    } finally {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }
}
