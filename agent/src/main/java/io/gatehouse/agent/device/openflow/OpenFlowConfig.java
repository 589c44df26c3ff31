package io.gatehouse.agent.device.openflow;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.Backoff;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where the bridge is, and the bounds of what is asked of it.
 *
 * @param address a {@link DomainSocketAddress} or an {@code InetSocketAddress}
 */
public record OpenFlowConfig(SocketAddress address, Times times, Limits limits, Watch watch) {

  /**
   * How long to wait.
   *
   * @param call for the first to the last byte of an answer, and for a connection to be ready
   * @param bundle for a whole bundle, its turn in the queue included
   * @param probe silence after which the peer is probed; twice that ends the connection
   * @param firstRetry pause before the first new attempt to connect
   * @param maxRetry the pause doubles up to this
   */
  public record Times(
      Duration call, Duration bundle, Duration probe, Duration firstRetry, Duration maxRetry) {
    public static final Times DEFAULT =
        new Times(
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofMillis(100),
            Duration.ofSeconds(8));

    public Times {
      positive("call", call);
      positive("bundle", bundle);
      positive("probe", probe);
      positive("first_retry", firstRetry);
      positive("max_retry", maxRetry);
    }

    Backoff retries() {
      return new Backoff(firstRetry, maxRetry);
    }

    private static void positive(String field, Duration time) {
      if (time.isZero() || time.isNegative()) {
        throw new InvalidValueException(field, time, "is not positive");
      }
    }
  }

  /**
   * How much at once.
   *
   * @param calls unanswered calls
   * @param bundles bundles that wait or run
   * @param bundleMods changes in a bundle
   * @param replyFlows flows in an answer
   */
  public record Limits(int calls, int bundles, int bundleMods, int replyFlows) {
    public static final Limits DEFAULT = new Limits(64, 16, 1_000_000, 2_000_000);
  }

  /** What the listener is told. */
  public enum Watch {
    /** Flows that others change, and ports. */
    FLOWS_AND_PORTS,
    PORTS,
    /** Packets that flows send to the controller. */
    PACKETS
  }

  public static OpenFlowConfig of(SocketAddress address) {
    return new OpenFlowConfig(address, Times.DEFAULT, Limits.DEFAULT, Watch.FLOWS_AND_PORTS);
  }

  /** The management socket that Open vSwitch makes for each bridge. */
  public static OpenFlowConfig ofBridge(Path runDirectory, String bridge) {
    return of(new DomainSocketAddress(runDirectory.resolve(bridge + ".mgmt").toFile()));
  }

  /** The same with another watch. */
  public OpenFlowConfig watching(Watch other) {
    return new OpenFlowConfig(address, times, limits, other);
  }
}
