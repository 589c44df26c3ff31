package io.gatehouse.control.sequencer;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.runtime.Failures;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Changes that the control plane makes by itself, one at a time for each thing. That one is refused
 * is nothing to tell: several control planes may try. Safe for use by many threads.
 *
 * @param <K> what is changed
 */
public final class SystemChanges<K> {
  private final Sequencer sequencer;
  private final Logger log;
  private final String kind;
  private final String late;
  private final Set<K> underWay = ConcurrentHashMap.newKeySet();

  /**
   * Changes through a sequencer.
   *
   * @param kind what a key is, for the log
   * @param late what is logged when a change could not be made
   */
  public SystemChanges(Sequencer sequencer, Logger log, String kind, String late) {
    this.sequencer = sequencer;
    this.log = log;
    this.kind = kind;
    this.late = late;
  }

  /**
   * Submits a command, unless one for the same thing is under way.
   *
   * @param command is made only if it is submitted
   * @return whether it is
   */
  public boolean submit(K key, Supplier<? extends Command> command) {
    if (!underWay.add(key)) {
      return false;
    }
    CompletableFuture<?> unused =
        sequencer.submit(command.get()).whenComplete((committed, failure) -> done(key, failure));
    return true;
  }

  private void done(K key, @Nullable Throwable failure) {
    underWay.remove(key);
    if (failure != null && !(Failures.cause(failure) instanceof RefusedException)) {
      log.atDebug().addKeyValue(kind, key).setCause(Failures.cause(failure)).log(late);
    }
  }
}
