package io.gatehouse.agent.observe.underlay;

import io.gatehouse.agent.state.underlay.UnderlayStack;
import io.gatehouse.runtime.SerialThread;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Looks at what carries the tunnels every few seconds, on a thread of its own, so that a program
 * that hangs holds up nothing else. What has changed is told once.
 */
public final class UnderlayWatch implements AutoCloseable {
  private static final Duration PACE = Duration.ofSeconds(5);

  private final UnderlayObserver observer;
  private final Consumer<UnderlayStack> listener;
  private final SerialThread thread = new SerialThread("underlay");
  private Optional<UnderlayStack> told = Optional.empty();

  /**
   * A watch that does not look yet.
   *
   * @param listener told on the watch's thread; must not block
   */
  public UnderlayWatch(UnderlayObserver observer, Consumer<UnderlayStack> listener) {
    this.observer = observer;
    this.listener = listener;
  }

  public void start() {
    thread.execute(this::look);
    thread.every(PACE, this::look);
  }

  /** Returns at once; a look that is under way ends by itself. */
  @Override
  public void close() {
    thread.close();
  }

  private void look() {
    Optional<UnderlayStack> now = observer.observe();
    if (now.isPresent() && !now.equals(told)) {
      told = now;
      listener.accept(now.get());
    }
  }
}
