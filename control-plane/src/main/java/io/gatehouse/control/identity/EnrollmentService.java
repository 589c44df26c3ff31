package io.gatehouse.control.identity;

import io.gatehouse.control.auth.RefusalLog;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.identity.IdentityCommand.Enroll;
import io.gatehouse.control.image.identity.Token;
import io.gatehouse.control.image.identity.UsedToken;
import io.gatehouse.control.limit.SourceAddress;
import io.gatehouse.control.pki.CertificateRequests;
import io.gatehouse.control.sequencer.UnavailableException;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.Credential;
import io.gatehouse.proto.v1.EnrollRequest;
import io.gatehouse.proto.v1.EnrollResponse;
import io.gatehouse.proto.v1.EnrollmentServiceGrpc;
import io.gatehouse.proto.v1.RecoverCertificateRequest;
import io.gatehouse.proto.v1.RecoverCertificateResponse;
import io.gatehouse.runtime.Failures;
import io.gatehouse.runtime.identity.TokenText;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives certificates to those who have none. Whatever is wrong with a token or a proof, the caller
 * is told the same; the audit is told what it was.
 */
public final class EnrollmentService extends EnrollmentServiceGrpc.EnrollmentServiceImplBase {
  private static final Logger LOG = LoggerFactory.getLogger(EnrollmentService.class);
  private static final int MAX_SERIAL_LENGTH = 64;
  private static final Status REFUSED =
      Status.PERMISSION_DENIED.withDescription("not enrolled: the token or the proof is not good");

  private final Issuance issuance;
  private final Recovery recovery;
  private final RepeatedEnrollment repeated;
  private final RefusalLog refusals;
  private final Executor answering;

  /**
   * The service.
   *
   * @param answering where answers are built, away from the sequencer's thread
   */
  public EnrollmentService(
      Issuance issuance, String trustDomain, RefusalLog refusals, Executor answering) {
    this.issuance = issuance;
    this.recovery = new Recovery(issuance, trustDomain);
    this.repeated = new RepeatedEnrollment(issuance, trustDomain);
    this.refusals = refusals;
    this.answering = answering;
  }

  @Override
  public void enroll(EnrollRequest request, StreamObserver<EnrollResponse> observer) {
    Call<EnrollResponse> call = new Call<>(EnrollmentServiceGrpc.getEnrollMethod(), observer);
    try {
      PublicKey key = CertificateRequests.keyOf(request.getCertificateRequest().toByteArray());
      String machine = request.getMachineSerialNumber();
      if (machine.length() > MAX_SERIAL_LENGTH) {
        throw new InvalidValueException(
            "machine_serial_number", machine, "is longer than " + MAX_SERIAL_LENGTH);
      }
      byte[] hash = secretHash(request.getToken());
      Optional<UsedToken> used = usedToken(hash);
      Token token = used.isPresent() ? used.get().token() : token(hash);
      String identity = token.identity().toString();
      call.subject = identity;
      CompletableFuture<Credential> given =
          used.isPresent()
              ? repeated.answer(used.get(), key, machine)
              : issuance.give(
                  token.identity(),
                  key,
                  issued ->
                      new Enroll(token.secretHash(), machine, issued.entry(), issued.encoded()));
      call.answer(
          given,
          credential ->
              EnrollResponse.newBuilder().setCredential(credential).setIdentity(identity).build());
    } catch (RuntimeException e) {
      call.fail(e);
    }
  }

  @Override
  public void recoverCertificate(
      RecoverCertificateRequest request, StreamObserver<RecoverCertificateResponse> observer) {
    Call<RecoverCertificateResponse> call =
        new Call<>(EnrollmentServiceGrpc.getRecoverCertificateMethod(), observer);
    try {
      PublicKey key = CertificateRequests.keyOf(request.getCertificateRequest().toByteArray());
      call.answer(
          recovery.recover(request, key, identity -> call.subject = identity.toString()),
          credential -> RecoverCertificateResponse.newBuilder().setCredential(credential).build());
    } catch (RuntimeException e) {
      call.fail(e);
    }
  }

  private static byte[] secretHash(String text) {
    try {
      return TokenText.parse(text).secretHash();
    } catch (InvalidValueException e) {
      throw new RefusedException(Kind.NOT_FOUND, "token", "the text is no token");
    }
  }

  /** Whether this is the token's; compared in a time that does not depend on the hashes. */
  private static boolean isOf(Token token, byte[] hash) {
    return MessageDigest.isEqual(HexFormat.of().parseHex(token.secretHash()), hash);
  }

  private Optional<UsedToken> usedToken(byte[] hash) {
    UsedToken found = null;
    for (UsedToken used : issuance.image().identities().usedTokens().values()) {
      if (isOf(used.token(), hash)) {
        found = used;
      }
    }
    return Optional.ofNullable(found);
  }

  /** The token with this secret. */
  private Token token(byte[] hash) {
    Token found = null;
    for (Token token : issuance.image().identities().tokens().values()) {
      if (isOf(token, hash)) {
        found = token;
      }
    }
    if (found == null) {
      throw new RefusedException(
          Kind.NOT_FOUND, "token", "the token is unknown, used or withdrawn");
    }
    return found;
  }

  /** One call, until it is answered. */
  private final class Call<R> {
    private final String method;
    private final StreamObserver<R> observer;
    private final SourceAddress source = SourceAddress.current();
    private volatile String subject = "";

    Call(MethodDescriptor<?, R> method, StreamObserver<R> observer) {
      this.method = method.getFullMethodName();
      this.observer = observer;
    }

    void answer(CompletableFuture<Credential> given, Function<Credential, R> answer) {
      CompletableFuture<R> unused =
          given
              .thenApplyAsync(answer, answering)
              .whenComplete((message, failure) -> finish(message, failure));
    }

    private void finish(@Nullable R message, @Nullable Throwable failure) {
      if (message == null || failure != null) {
        fail(failure == null ? new IllegalStateException("no answer") : failure);
        return;
      }
      LOG.atInfo()
          .addKeyValue("identity", subject)
          .addKeyValue("address", source.text())
          .log("certificate given");
      observer.onNext(message);
      observer.onCompleted();
    }

    void fail(Throwable failure) {
      Throwable cause = Failures.cause(failure);
      if (cause instanceof RefusedException refused) {
        refusals.refused(
            source.actor(), method, subject, REFUSED.withDescription(refused.reason()));
        observer.onError(REFUSED.asRuntimeException());
        return;
      }
      if (cause instanceof InvalidValueException invalid) {
        Status status = Status.INVALID_ARGUMENT.withDescription(invalid.getMessage());
        refusals.refused(source.actor(), method, subject, status);
        observer.onError(status.asRuntimeException());
        return;
      }
      observer.onError(unavailable(cause));
    }

    private StatusRuntimeException unavailable(Throwable cause) {
      if (!(cause instanceof UnavailableException)) {
        LOG.error("enrolment failed", cause);
      }
      return Status.UNAVAILABLE
          .withDescription("certificates cannot be given now: the control plane's log says why")
          .asRuntimeException();
    }
  }
}
