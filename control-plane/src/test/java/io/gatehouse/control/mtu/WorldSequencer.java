package io.gatehouse.control.mtu;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.sequencer.CommitListener;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.control.sequencer.SequencerHealth;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A sequencer that decides on a world, when it is told to. */
final class WorldSequencer implements Sequencer {
  final World world;
  private final Queue<Runnable> submitted = new ArrayDeque<>();

  WorldSequencer(World world) {
    this.world = world;
  }

  /** Decides what was submitted; says how much that was. */
  int decide() {
    int count = submitted.size();
    for (int i = 0; i < count; i++) {
      submitted.remove().run();
    }
    return count;
  }

  @Override
  public CompletableFuture<Committed> submit(Command command) {
    CompletableFuture<Committed> answer = new CompletableFuture<>();
    submitted.add(
        () -> {
          Image before = world.image();
          try {
            Entry entry = world.run(command);
            answer.complete(new Committed(entry, before, world.image()));
          } catch (RefusedException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  @Override
  public Image image() {
    return world.image();
  }

  @Override
  public Image listen(CommitListener listener) {
    throw new UnsupportedOperationException("nobody listens here");
  }

  @Override
  public SequencerHealth health() {
    throw new UnsupportedOperationException("nobody asks here");
  }
}
