package io.gatehouse.control.sequencer;

import java.time.Duration;

/**
 * Bounds of the sequencer.
 *
 * @param queueCapacity commands that may wait; more are refused
 * @param batchLimit commands that are committed together
 * @param pollInterval how late a change of another replica is seen at most, when no wake-up comes
 */
public record SequencerConfig(int queueCapacity, int batchLimit, Duration pollInterval) {
  public static final SequencerConfig DEFAULT =
      new SequencerConfig(4_096, 256, Duration.ofMillis(200));
}
