package io.gatehouse.agent.serve;

import io.gatehouse.agent.dhcp.HostAnswers;
import io.gatehouse.agent.dhcp.HostTerms;
import io.gatehouse.agent.dhcp.Verdict;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.PuntKind;
import io.gatehouse.runtime.CallBudget;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers hosts one after the other, on a thread of its own. A port has a budget that is looked at
 * before its packet takes a place in the queue, so that a storm of one costs the others nothing.
 */
public final class AnswerDesk implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AnswerDesk.class);

  /** A host that boots sends a few packets; nobody needs more than this in the long run. */
  static final int PER_SECOND = 10;

  static final int BURST = 30;
  static final int QUEUE = 4_096;

  /** More ports than the switch has numbers for are not remembered. */
  private static final int MAX_PORTS = 0xfeff;

  private static final Duration TICK = Duration.ofSeconds(5);
  private static final Duration DECLINE_LOG_INTERVAL = Duration.ofMinutes(10);

  /** Sends a frame out at a port; may lose it. */
  public interface Outlet {
    void send(int openFlowPort, Octets frame);
  }

  /** Who sits where: read anew for each packet, cheap when nothing has changed. */
  private final Supplier<HostDirectory> directory;

  private final Outlet outlet;
  private final AnswerMeter meter;
  private final LongSupplier nanoTime;
  private final BlockingQueue<Question> queue = new ArrayBlockingQueue<>(QUEUE);
  private final CallBudget budget;
  private final CallBudget declineLog;
  private final Announcements announcements;
  private final Map<String, Told> told = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::run, "host-answers");

  private record Question(int port, Octets frame) {}

  private record Told(String what, long nanos) {}

  public AnswerDesk(
      Supplier<HostDirectory> directory, Outlet outlet, AnswerMeter meter, LongSupplier nanoTime) {
    this.directory = directory;
    this.outlet = outlet;
    this.meter = meter;
    this.nanoTime = nanoTime;
    this.budget = new CallBudget(PER_SECOND, BURST, MAX_PORTS, nanoTime);
    this.declineLog = new CallBudget(DECLINE_LOG_INTERVAL, 1, MAX_PORTS, nanoTime);
    this.announcements = new Announcements(outlet, meter);
  }

  public void start() {
    thread.start();
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  /** Takes a packet that the switch hands over; does not block. */
  public void ask(int port, Octets userdata, Octets frame) {
    if (PuntKind.of(userdata.toBytes()).isEmpty()) {
      return;
    }
    if (budget.take(Integer.toString(port)).isPresent()) {
      meter.dropped(Verdict.Reason.OVER_BUDGET);
      return;
    }
    if (!queue.offer(new Question(port, frame))) {
      meter.dropped(Verdict.Reason.OVERFLOW);
    }
  }

  /** The switch may have lost what was announced. */
  public void announceAgain() {
    announcements.forget();
  }

  /** What a port was told last, and when; empty if it has not asked since the agent started. */
  public Optional<String> lastTold(String port) {
    return Optional.ofNullable(told.get(port))
        .map(
            last ->
                last.what()
                    + " "
                    + TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - last.nanos())
                    + " s ago");
  }

  private void run() {
    long nextTick = nanoTime.getAsLong();
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Question question = queue.poll(nextTick - nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
        if (question != null) {
          answer(question);
        }
        if (nanoTime.getAsLong() - nextTick >= 0) {
          tick();
          nextTick = nanoTime.getAsLong() + TICK.toNanos();
        }
      }
    } catch (InterruptedException e) {
      log.debug("closed");
    }
  }

  /** Announces what has changed or is due, and forgets ports that are no more. */
  void tick() {
    HostDirectory now = directory.get();
    announcements.announce(now, nanoTime.getAsLong());
    if (told.size() > now.hosts().size()) {
      told.keySet().retainAll(now.hosts().values().stream().map(h -> h.port().key()).toList());
    }
  }

  private void answer(Question question) {
    Optional<HostTerms> terms = directory.get().at(question.port());
    if (terms.isEmpty()) {
      meter.dropped(Verdict.Reason.UNKNOWN_PORT);
      return;
    }
    String port = terms.get().port().key();
    Verdict verdict = verdict(question.frame(), terms.get());
    if (verdict instanceof Verdict.Answered answered) {
      told.put(port, new Told(answered.kind().name(), nanoTime.getAsLong()));
      meter.answered(answered.kind());
      answered.frames().forEach(frame -> outlet.send(question.port(), frame));
    } else if (verdict instanceof Verdict.Dropped dropped) {
      told.put(port, new Told("no answer: " + dropped.reason(), nanoTime.getAsLong()));
      meter.dropped(dropped.reason());
      tellOfDecline(port, dropped.reason());
    }
  }

  /** A packet of one tenant must not end the agent, whatever we have overlooked. */
  private static Verdict verdict(Octets frame, HostTerms terms) {
    try {
      return HostAnswers.answer(frame, terms);
    } catch (RuntimeException e) {
      log.atError().addKeyValue("port", terms.port().key()).setCause(e).log("a host's packet");
      return new Verdict.Dropped(Verdict.Reason.MALFORMED);
    }
  }

  private void tellOfDecline(String port, Verdict.Reason reason) {
    if (reason == Verdict.Reason.DECLINED && declineLog.take(port).isEmpty()) {
      log.atWarn().addKeyValue("port", port).log("a host says that its address is in use");
    }
  }
}
