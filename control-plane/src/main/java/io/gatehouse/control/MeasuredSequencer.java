package io.gatehouse.control;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.sequencer.CommitListener;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.control.sequencer.SequencerHealth;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A sequencer whose commits are timed and whose waiting commands are counted. */
final class MeasuredSequencer implements Sequencer {
  private final Sequencer inner;
  private final Timer commits;
  private final AtomicInteger pending = new AtomicInteger();

  MeasuredSequencer(Sequencer inner, MeterRegistry registry) {
    this.inner = inner;
    this.commits =
        Timer.builder("gatehouse.commit")
            .description("Command given to the sequencer until the journal holds it")
            .publishPercentileHistogram()
            .minimumExpectedValue(Duration.ofNanos(100_000))
            .maximumExpectedValue(Duration.ofSeconds(30))
            .register(registry);
    Gauge.builder("gatehouse.commit.queue", pending, AtomicInteger::get)
        .strongReference(true)
        .description("Commands that wait for the journal")
        .register(registry);
  }

  @Override
  public CompletableFuture<Committed> submit(Command command) {
    long start = System.nanoTime();
    pending.incrementAndGet();
    return inner
        .submit(command)
        .whenComplete(
            (committed, failure) -> {
              pending.decrementAndGet();
              if (failure == null) {
                commits.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
              }
            });
  }

  @Override
  public Image image() {
    return inner.image();
  }

  @Override
  public Image listen(CommitListener listener) {
    return inner.listen(listener);
  }

  @Override
  public SequencerHealth health() {
    return inner.health();
  }
}
