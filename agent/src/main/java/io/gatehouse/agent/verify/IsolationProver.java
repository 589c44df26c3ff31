package io.gatehouse.agent.verify;

import io.gatehouse.agent.reconcile.RoundListener;
import io.gatehouse.agent.state.proof.Finding;
import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.agent.state.proof.Subject;
import io.gatehouse.model.name.PortName;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves isolation on a thread of its own, of low priority: after each revision that is in force,
 * for the ports that changed, as many changes together as come in the meantime; in full when
 * somebody asks; and of flows that others made, before the loop removes them. A bug ends the thread
 * by its uncaught exception handler, which ends the process.
 */
public final class IsolationProver implements RoundListener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(IsolationProver.class);
  private static final int MAX_ATTEMPTS = 5;
  private static final int MAX_QUESTIONS = 8;
  private static final int MAX_STRANGE = 16;
  private static final int MAX_REPAIRED = 20;

  private final ProofRun runs;
  private final Listener listener;
  private final Thread thread = new Thread(this::run, "prove");
  private final Deque<Finding> repaired = new ArrayDeque<>();
  private volatile Optional<Proof> newest = Optional.empty();
  // Guarded by "this".
  private final Deque<Question> questions = new ArrayDeque<>();
  private final Deque<Subject> strange = new ArrayDeque<>();
  private @Nullable Subject current;
  private boolean due;
  private long changes;
  private boolean settled;
  // Of the thread.
  private @Nullable Subject proved;

  /** Hears of proofs, on the prover's thread. */
  public interface Listener {
    void proved(Proof proof);

    /** Something arrives, or has arrived, where it must not. */
    void leaked(List<Finding> leaks);
  }

  private record Question(
      Predicate<PortName> scope, CompletableFuture<Proof> answer, int attempts) {}

  // The data plane does not depend on it: where priorities count, the loop goes first.
  @SuppressWarnings("ThreadPriorityCheck")
  public IsolationProver(
      Tracer tracer, Listener listener, InstantSource time, LongSupplier nanoClock) {
    this.runs = new ProofRun(tracer, time, nanoClock);
    this.listener = listener;
    thread.setPriority(Thread.MIN_PRIORITY);
  }

  public void start() {
    thread.start();
  }

  @Override
  public synchronized void changing() {
    changes++;
    settled = false;
  }

  private synchronized long changes() {
    return changes;
  }

  @Override
  public synchronized void inForce(Subject subject) {
    boolean changed =
        current == null
            || !current.plan().flows().equals(subject.plan().flows())
            || current.plan().revision() != subject.plan().revision();
    current = subject;
    due |= changed;
    settled = true;
    notifyAll();
  }

  @Override
  public synchronized void changedByOthers(Subject subject) {
    if (strange.size() < MAX_STRANGE) {
      strange.add(subject);
      notifyAll();
    }
  }

  /**
   * Proves in full, now. The future fails if nothing is in force yet, or too many ask.
   *
   * @param scope which ports it is about
   */
  public synchronized CompletableFuture<Proof> prove(Predicate<PortName> scope) {
    if (current == null) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("no policy is in force on this DPU yet"));
    }
    if (questions.size() >= MAX_QUESTIONS) {
      return CompletableFuture.failedFuture(
          new IllegalStateException(MAX_QUESTIONS + " proofs are already waited for"));
    }
    Question question = new Question(scope, new CompletableFuture<>(), 1);
    questions.add(question);
    notifyAll();
    return question.answer();
  }

  /** The newest proof of everything or of what changed, from any thread. */
  public Optional<Proof> newest() {
    return newest;
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (true) {
        once();
      }
    } catch (InterruptedException e) {
      // This is how it ends.
      Thread.currentThread().interrupt();
    }
  }

  /** What is to be done next; exactly one of the first two, or neither. */
  private record Work(@Nullable Subject strange, @Nullable Question question, Subject current) {}

  private synchronized Work next() throws InterruptedException {
    while (true) {
      // Between two states neither policy says what the switch does.
      Subject subject = settled ? current : null;
      if (!strange.isEmpty()) {
        Subject oldest = strange.remove();
        return new Work(oldest, null, oldest);
      }
      if (subject != null && !questions.isEmpty()) {
        return new Work(null, questions.remove(), subject);
      }
      if (subject != null && due) {
        due = false;
        return new Work(null, null, subject);
      }
      wait();
    }
  }

  private void once() throws InterruptedException {
    Work work = next();
    Subject changed = work.strange();
    if (changed != null) {
      judge(changed);
      return;
    }
    Question question = work.question();
    if (question != null) {
      answer(question, work.current());
      return;
    }
    Subject before = proved;
    Set<PortName> scope = before == null ? Set.of() : ChangedPorts.between(before, work.current());
    Optional<Proof> proof = undisturbed(work.current(), scope, Budget.BACKGROUND);
    if (proof.isEmpty()) {
      proveAgain();
      return;
    }
    proved = work.current();
    publish(proof.get());
  }

  /** What is in force next is proved together with what has changed before it. */
  private synchronized void proveAgain() {
    due = true;
  }

  /** A proof of one state of the switch; empty if it was written to meanwhile. */
  private Optional<Proof> undisturbed(Subject subject, Set<PortName> scope, Budget budget)
      throws InterruptedException {
    long before = changes();
    Proof proof = runs.prove(subject, scope, budget);
    return changes() == before ? Optional.of(proof) : Optional.empty();
  }

  private void answer(Question question, Subject subject) throws InterruptedException {
    List<PortName> ports = new ArrayList<>(subject.policy().localPorts().keySet());
    ports.addAll(subject.policy().remotePorts().keySet());
    Set<PortName> chosen = ports.stream().filter(question.scope()).collect(Collectors.toSet());
    boolean all = chosen.size() == ports.size();
    undisturbed(subject, all ? Set.of() : chosen, Budget.FULL)
        .ifPresentOrElse(
            proof -> question.answer().complete(publish(proof)), () -> askAgain(question));
  }

  /** The answer is about what is in force next; a policy that never rests is not proved. */
  private synchronized void askAgain(Question question) {
    if (question.attempts() >= MAX_ATTEMPTS) {
      question
          .answer()
          .completeExceptionally(
              new IllegalStateException(
                  "the switch was written to during each of " + MAX_ATTEMPTS + " proofs"));
      return;
    }
    questions.add(new Question(question.scope(), question.answer(), question.attempts() + 1));
  }

  private Proof publish(Proof found) {
    List<Finding> findings = new ArrayList<>(found.findings());
    findings.addAll(repaired);
    Proof proof = found.withFindings(findings);
    newest = Optional.of(proof);
    listener.proved(proof);
    List<Finding> leaks = found.findings().stream().filter(Finding::leak).toList();
    if (!leaks.isEmpty()) {
      alarm("packets arrive where they must not", leaks);
    }
    return proof;
  }

  private void judge(Subject subject) {
    List<Finding> leaks = runs.judge(subject, Budget.BACKGROUND);
    if (leaks.isEmpty()) {
      return;
    }
    for (Finding leak : leaks) {
      if (repaired.size() >= MAX_REPAIRED) {
        repaired.remove();
      }
      repaired.add(leak);
    }
    alarm("flows made by others would have let packets through; they have been removed", leaks);
    newest.ifPresent(
        proof -> {
          List<Finding> findings = new ArrayList<>(proof.findings());
          findings.addAll(leaks);
          Proof known = proof.withFindings(findings);
          newest = Optional.of(known);
          listener.proved(known);
        });
  }

  private void alarm(String text, List<Finding> leaks) {
    Finding first = leaks.get(0);
    log.atError()
        .addKeyValue("leaks", leaks.size())
        .addKeyValue("from", first.from())
        .addKeyValue("to", first.to())
        .addKeyValue("kind", first.kind())
        .addKeyValue("flow", first.flows().isEmpty() ? "" : first.flows().get(0))
        .log(text);
    listener.leaked(leaks);
  }
}
