package io.gatehouse.agent.device.ovsdb;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Those who wait for a snapshot that meets a condition. On one event loop only. */
final class SnapshotWaits {
  private final EventLoop loop;
  private final int bound;
  private final Set<Wait> waits = new LinkedHashSet<>();
  private @Nullable OvsdbSnapshot newest;

  /** Compared by identity: two waits for the same are two. */
  private static final class Wait {
    private final CompletableFuture<OvsdbSnapshot> met;
    private final Predicate<OvsdbSnapshot> condition;
    private @Nullable ScheduledFuture<?> limit;

    Wait(CompletableFuture<OvsdbSnapshot> met, Predicate<OvsdbSnapshot> condition) {
      this.met = met;
      this.condition = condition;
    }
  }

  SnapshotWaits(EventLoop loop, int bound) {
    this.loop = loop;
    this.bound = bound;
  }

  void add(
      CompletableFuture<OvsdbSnapshot> met,
      Predicate<OvsdbSnapshot> condition,
      Duration limit,
      String otherwise) {
    if (waits.size() >= bound) {
      met.completeExceptionally(
          new DeviceException(Kind.UNREACHABLE, waits.size() + " others wait already"));
      return;
    }
    Wait wait = new Wait(met, condition);
    if (newest != null && offer(wait, newest)) {
      return;
    }
    waits.add(wait);
    wait.limit =
        loop.schedule(
            () -> {
              waits.remove(wait);
              String blind = newest == null ? "; the database cannot be seen now" : "";
              met.completeExceptionally(new DeviceException(Kind.UNREACHABLE, otherwise + blind));
            },
            limit.toNanos(),
            TimeUnit.NANOSECONDS);
  }

  void offer(OvsdbSnapshot snapshot) {
    newest = snapshot;
    for (Wait wait : List.copyOf(waits)) {
      if (offer(wait, snapshot)) {
        end(wait);
      }
    }
  }

  /** The state is unknown: nobody is served from what was. */
  void forget() {
    newest = null;
  }

  void fail(DeviceException cause) {
    for (Wait wait : List.copyOf(waits)) {
      end(wait);
      wait.met.completeExceptionally(cause);
    }
  }

  private void end(Wait wait) {
    waits.remove(wait);
    if (wait.limit != null) {
      wait.limit.cancel(false);
    }
  }

  private static boolean offer(Wait wait, OvsdbSnapshot snapshot) {
    if (!wait.condition.test(snapshot)) {
      return false;
    }
    wait.met.complete(snapshot);
    return true;
  }
}
