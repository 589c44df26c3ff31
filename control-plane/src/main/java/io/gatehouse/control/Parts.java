package io.gatehouse.control;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was opened, and is closed in the reverse order: all of it, whatever one of them says. */
final class Parts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Remembers a part. */
  <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  /** Remembers what has to be done before those before it are closed. */
  void beforeThose(AutoCloseable end) {
    open.push(end);
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        LOG.atWarn().setCause(e).log("a part did not end in peace");
      }
    }
  }
}
