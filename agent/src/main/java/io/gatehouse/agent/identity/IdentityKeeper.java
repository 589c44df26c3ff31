package io.gatehouse.agent.identity;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.SerialThread;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.IdentityException;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.RenewalTime;
import io.gatehouse.runtime.tls.FailureText;
import io.gatehouse.runtime.tls.TlsFileException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that this DPU has a valid certificate: enrols when a token is there, renews in time,
 * and proves possession of its key when the certificate has expired meanwhile. Whatever fails, the
 * agent goes on with what it has, and tries again for ever.
 *
 * <p>All work, blocking calls among it, is on one thread of its own. It looks at the clock again
 * and again, because a clock that is set changes what is due.
 */
public final class IdentityKeeper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(IdentityKeeper.class);

  /** Answers that the same question will get again. */
  private static final Set<Status.Code> REFUSALS =
      Set.of(
          Status.Code.PERMISSION_DENIED,
          Status.Code.UNAUTHENTICATED,
          Status.Code.NOT_FOUND,
          Status.Code.INVALID_ARGUMENT,
          Status.Code.FAILED_PRECONDITION);

  private final IdentityStore store;
  private final Optional<TokenFile> tokenFile;
  private final Authority authority;
  private final Listener listener;
  private final KeeperPace pace;
  private final RandomGenerator random;
  private final SerialThread thread = new SerialThread("identity");
  private final Pause pause;
  private final Pause trustPause;

  private Optional<HeldIdentity> held = Optional.empty();
  private FileStamp heldStamp = FileStamp.NONE;
  private FileStamp tokenStamp = FileStamp.NONE;
  private boolean tokenTried;
  private Instant due = Instant.MAX;
  private IdentityStep lastStep = IdentityStep.NOTHING;
  private String problem = "";
  private String tokenProblem = "";
  private String unusable = "";
  private Instant trustDue = Instant.MIN;
  private String trustProblem = "";
  private boolean looked;
  private volatile IdentityStatus status = new IdentityStatus(Optional.empty(), "");

  /** Is told of what has changed on disk, on the keeper's thread; must not block. */
  public interface Listener {
    /** There is another certificate; roots and policy keys may have changed, too. */
    void identityChanged();

    /** Roots and policy keys may have changed. */
    void trustChanged();
  }

  private interface Call {
    NewIdentity make() throws IOException;
  }

  /**
   * Makes a keeper that does nothing yet.
   *
   * @param tokenFile where a token may appear
   * @param random source of the jitter
   */
  public IdentityKeeper(
      IdentityStore store,
      Optional<TokenFile> tokenFile,
      Authority authority,
      Listener listener,
      KeeperPace pace,
      RandomGenerator random) {
    this.store = store;
    this.tokenFile = tokenFile;
    this.authority = authority;
    this.listener = listener;
    this.pace = pace;
    this.random = random;
    this.pause = new Pause(random, System::nanoTime);
    this.trustPause = new Pause(random, System::nanoTime);
  }

  /** Starts to look, the first time at once, and returns. */
  public void start() {
    thread.execute(this::look);
    thread.every(pace.look(), this::look);
  }

  /** How the identity is; from any thread. */
  public IdentityStatus status() {
    return status;
  }

  /** The control plane asks for a renewal within a time; from any thread. */
  public void renewWithin(Duration spread) {
    long delayNanos = random.nextLong(spread.toNanos() + 1);
    thread.execute(
        () -> {
          Instant asked = pace.clock().instant().plusNanos(delayNanos);
          due = asked.isBefore(due) ? asked : due;
        });
  }

  /** A policy was signed with a key that is not known here; from any thread. */
  public void keyNotKnown() {
    thread.execute(() -> trustDue = Instant.MIN);
  }

  @Override
  public void close() {
    thread.close();
  }

  private void look() {
    readAgain();
    looked = true;
    Instant now = pace.clock().instant();
    IdentityStep step = IdentityStep.of(tokenToTry(), certificate(), due, now);
    if (step != lastStep) {
      lastStep = step;
      pause.reset();
    }
    switch (step) {
      case ENROLL -> attempt("enrolment", this::enroll);
      case RECOVER -> attempt("recovery of the certificate, which has expired", this::recover);
      case RENEW -> attempt("renewal of the certificate", authority::renew);
      case WAIT -> problem = waiting();
      case CLOCK_BEHIND -> problem = clockBehind(now);
      case NOTHING -> {
        problem = tokenProblem;
        refreshTrust(now);
      }
    }
    status = new IdentityStatus(certificate().map(c -> c.getNotAfter().toInstant()), problem);
  }

  private Optional<X509Certificate> certificate() {
    return held.map(HeldIdentity::certificate);
  }

  private String waiting() {
    if (!tokenProblem.isEmpty()) {
      return tokenProblem;
    }
    return (unusable.isEmpty() ? "not enrolled yet" : unusable)
        + tokenFile.map(file -> "; a token is awaited in " + file).orElse("");
  }

  /** Backdated by minutes when it was issued: a clock before that is far off. */
  private String clockBehind(Instant now) {
    Instant start = certificate().orElseThrow().getNotBefore().toInstant();
    return "the certificate is valid from "
        + start
        + " on, and the clock of this machine says "
        + now
        + ": it is behind";
  }

  /** Takes what is on disk: at the start, and what another program has put there meanwhile. */
  private void readAgain() {
    FileStamp there = store.stamp();
    if (there.equals(heldStamp)) {
      return;
    }
    heldStamp = there;
    try {
      store.read().ifPresent(this::takeOver);
    } catch (TlsFileException | InvalidValueException e) {
      unusable = String.valueOf(e.getMessage());
      log.atWarn().addKeyValue("reason", unusable).log("the identity cannot be used");
    }
  }

  private void takeOver(HeldIdentity identity) {
    held = Optional.of(identity);
    heldStamp = store.stamp();
    due = RenewalTime.of(identity.certificate(), random);
    problem = "";
    unusable = "";
    pause.reset();
    log.atInfo()
        .addKeyValue("until", identity.certificate().getNotAfter().toInstant())
        .addKeyValue("renewal", due)
        .log("certificate in use");
    // At the start, whoever needs it finds it on disk.
    if (looked) {
      listener.identityChanged();
    }
  }

  /** Whether there is a token that was not refused before. */
  private boolean tokenToTry() {
    FileStamp there = tokenFile.map(TokenFile::stamp).orElse(FileStamp.NONE);
    if (!there.equals(tokenStamp)) {
      tokenStamp = there;
      tokenTried = false;
      tokenProblem = "";
      pause.reset();
    }
    return !there.equals(FileStamp.NONE) && !tokenTried;
  }

  private NewIdentity enroll() throws IOException {
    return authority.enroll(tokenFile.orElseThrow().read(), store.enrollingKey());
  }

  private NewIdentity recover() throws IOException {
    return authority.recover(held.orElseThrow());
  }

  private void attempt(String what, Call call) {
    if (!pause.isOver()) {
      return;
    }
    try {
      store.prepare();
      NewIdentity fresh = call.make();
      store.save(fresh);
      if (lastStep == IdentityStep.ENROLL) {
        removeToken();
      }
      takeOver(fresh.held());
      trustKept();
    } catch (StatusRuntimeException e) {
      Status answer = e.getStatus();
      failed(what, FailureText.of(answer, pace.clock().instant()), isRefusal(answer));
    } catch (IdentityException | InvalidValueException | TlsFileException e) {
      failed(what, String.valueOf(e.getMessage()), true);
    } catch (IOException e) {
      failed(what, String.valueOf(e.getMessage()), false);
    }
  }

  private static boolean isRefusal(Status answer) {
    return REFUSALS.contains(answer.getCode());
  }

  private void removeToken() {
    tokenTried = true;
    try {
      tokenFile.orElseThrow().remove();
    } catch (IOException e) {
      log.atWarn().setCause(e).log("the token was used and its file cannot be removed");
    }
  }

  private void failed(String what, String reason, boolean refused) {
    String text = what + " failed: " + reason;
    if (!text.equals(problem)) {
      log.atWarn().addKeyValue("reason", text).log("no new certificate; the agent goes on");
    }
    problem = text;
    if (refused && lastStep == IdentityStep.ENROLL) {
      tokenTried = true;
      tokenProblem = text + "; another token is needed";
    }
    pause.after(refused ? pace.afterRefusal() : pace.retry());
  }

  /** Policy keys change, and authorities are revoked, between two renewals, too. */
  private void refreshTrust(Instant now) {
    if (now.isBefore(trustDue) || !trustPause.isOver()) {
      return;
    }
    try {
      store.saveTrust(authority.trustBundle());
      trustKept();
      listener.trustChanged();
    } catch (StatusRuntimeException | IdentityException | InvalidValueException | IOException e) {
      trustPause.after(pace.retry());
      String reason = String.valueOf(e.getMessage());
      if (!reason.equals(trustProblem)) {
        log.atWarn().addKeyValue("reason", reason).log("whom to trust cannot be asked for");
      }
      trustProblem = reason;
    }
  }

  /** Whom to trust is as new as it can be; agents do not all ask again at the same time. */
  private void trustKept() {
    long most = pace.trust().toNanos();
    trustDue = pace.clock().instant().plusNanos(random.nextLong(most / 2, most));
    trustProblem = "";
    trustPause.reset();
    // Not more often than this, whoever asks for it.
    trustPause.after(pace.retry());
  }
}
