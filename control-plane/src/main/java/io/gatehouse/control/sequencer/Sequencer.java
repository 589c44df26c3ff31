package io.gatehouse.control.sequencer;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.image.Image;
import java.util.concurrent.CompletableFuture;

/** Carries out commands in one order. All methods may be called from any thread. */
public interface Sequencer {

  /**
   * Decides and commits a command.
   *
   * @return completes when the journal holds the change. A repeat of a remembered request completes
   *     with the first one's entry, and is not told to listeners again. Fails with {@link
   *     io.gatehouse.control.decide.RefusedException} or {@link UnavailableException}.
   */
  CompletableFuture<Committed> submit(Command command);

  /** The current image. */
  Image image();

  /**
   * Adds a listener for the rest of the process's life.
   *
   * @return the image that the listener starts from: it is told every entry after it, and none
   *     before
   */
  Image listen(CommitListener listener);

  SequencerHealth health();
}
