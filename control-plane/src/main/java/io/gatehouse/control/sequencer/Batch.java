package io.gatehouse.control.sequencer;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Decider;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RememberedRequest;
import io.gatehouse.control.journal.JournalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Commands that were decided one after another on the growing image, and are to be committed
 * together. Nothing of it is true before they are.
 */
final class Batch {
  private final LongFunction<Entry> history;
  private final List<Committed> changes = new ArrayList<>();
  private final List<Runnable> answers = new ArrayList<>();
  private Image image;

  private Batch(Image image, LongFunction<Entry> history) {
    this.image = image;
    this.history = history;
  }

  /**
   * Decides commands in order.
   *
   * @param history reads an entry of the journal by revision, for repeats of old requests
   */
  static Batch decide(Image image, List<Waiting> commands, LongFunction<Entry> history) {
    Batch batch = new Batch(image, history);
    commands.forEach(batch::add);
    return batch;
  }

  /** What the batch would change, in order. */
  List<Committed> changes() {
    return changes;
  }

  List<Entry> entries() {
    return changes.stream().map(Committed::entry).toList();
  }

  /** Answers all commands; right only once the changes are in the journal. */
  void answer() {
    answers.forEach(Runnable::run);
  }

  private void add(Waiting waiting) {
    Command command = waiting.command();
    Committed result;
    try {
      Optional<RememberedRequest> first = Decider.repeated(image, command.request());
      result = first.isPresent() ? repeated(first.get()) : change(command);
    } catch (JournalException e) {
      throw e;
    } catch (RuntimeException e) {
      // A refusal, or a bug in a decider: it concerns this command only.
      answers.add(() -> waiting.answer().completeExceptionally(e));
      return;
    }
    answers.add(() -> waiting.answer().complete(result));
  }

  private Committed change(Command command) {
    List<Event> events = Decider.decide(image, command);
    Request request = command.request();
    Entry entry =
        new Entry(
            image.revision() + 1,
            request.time(),
            request.actor(),
            request.requestId(),
            request.hash(),
            command.subject(),
            events);
    Committed change = new Committed(entry, image, image.apply(entry));
    changes.add(change);
    image = change.after();
    return change;
  }

  /** The first result again; the images are the current one, for the old ones are gone. */
  private Committed repeated(RememberedRequest first) {
    for (Committed change : changes) {
      if (change.entry().revision() == first.revision()) {
        return change;
      }
    }
    return new Committed(history.apply(first.revision()), image, image);
  }
}
