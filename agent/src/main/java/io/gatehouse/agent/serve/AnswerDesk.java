package io.gatehouse.agent.serve;

import io.gatehouse.agent.dhcp.HostAnswers;
import io.gatehouse.agent.dhcp.HostTerms;
import io.gatehouse.agent.dhcp.MtuAnswers;
import io.gatehouse.agent.dhcp.Verdict;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.PuntKind;
import io.gatehouse.runtime.CallBudget;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
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

  /** A host needs one for each destination, and keeps what it learns for minutes. */
  static final int OVERSIZE_PER_SECOND = 50;

  static final int OVERSIZE_BURST = 100;
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
  private final Map<PuntKind, CallBudget> budgets;
  private final CallBudget declineLog;
  private final Announcements announcements;
  private final Map<String, Told> told = new ConcurrentHashMap<>();
  private final Thread thread = new Thread(this::run, "host-answers");

  /**
   * A packet that the switch hands over.
   *
   * @param port OpenFlow port that it came from
   * @param userdata of the flow that hands it over
   * @param mtuBytes what it exceeds, if it is too large
   */
  public record Handed(int port, Octets userdata, int mtuBytes, Octets frame) {}

  private record Question(PuntKind kind, Handed packet) {}

  private record Told(String what, long nanos) {}

  public AnswerDesk(
      Supplier<HostDirectory> directory, Outlet outlet, AnswerMeter meter, LongSupplier nanoTime) {
    this.directory = directory;
    this.outlet = outlet;
    this.meter = meter;
    this.nanoTime = nanoTime;
    this.budgets =
        Map.of(
            PuntKind.HOST_QUESTION,
            new CallBudget(PER_SECOND, BURST, MAX_PORTS, nanoTime),
            PuntKind.OVERSIZE,
            new CallBudget(OVERSIZE_PER_SECOND, OVERSIZE_BURST, MAX_PORTS, nanoTime));
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

  /** Takes a packet; does not block. */
  public void ask(Handed packet) {
    PuntKind.of(packet.userdata().toBytes()).ifPresent(kind -> ask(new Question(kind, packet)));
  }

  private void ask(Question question) {
    CallBudget budget = Objects.requireNonNull(budgets.get(question.kind()));
    if (budget.take(Integer.toString(question.packet().port())).isPresent()) {
      meter.dropped(question.kind(), Verdict.Reason.OVER_BUDGET);
      return;
    }
    // Half of the room is left to hosts that have no address yet.
    boolean room = question.kind() == PuntKind.HOST_QUESTION || queue.size() < QUEUE / 2;
    if (!room || !queue.offer(question)) {
      meter.dropped(question.kind(), Verdict.Reason.OVERFLOW);
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
    Optional<HostTerms> terms = directory.get().at(question.packet().port());
    if (terms.isEmpty()) {
      meter.dropped(question.kind(), Verdict.Reason.UNKNOWN_PORT);
      return;
    }
    String port = terms.get().port().key();
    Verdict verdict = verdict(question, terms.get());
    if (verdict instanceof Verdict.Answered answered) {
      remember(question.kind(), port, answered.kind().name());
      meter.answered(answered.kind());
      answered.frames().forEach(frame -> outlet.send(question.packet().port(), frame));
    } else if (verdict instanceof Verdict.Dropped dropped) {
      remember(question.kind(), port, "no answer: " + dropped.reason());
      meter.dropped(question.kind(), dropped.reason());
      tellOfDecline(port, dropped.reason());
    }
  }

  /** What a host asked for stays to be read; what it sent too large does not hide it. */
  private void remember(PuntKind kind, String port, String what) {
    if (kind == PuntKind.HOST_QUESTION) {
      told.put(port, new Told(what, nanoTime.getAsLong()));
    }
  }

  /** A packet of one tenant must not end the agent, whatever we have overlooked. */
  private static Verdict verdict(Question question, HostTerms terms) {
    Handed packet = question.packet();
    try {
      return question.kind() == PuntKind.OVERSIZE
          ? MtuAnswers.answer(packet.frame(), terms, packet.mtuBytes())
          : HostAnswers.answer(packet.frame(), terms);
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
