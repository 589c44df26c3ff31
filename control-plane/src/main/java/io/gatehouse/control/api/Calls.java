package io.gatehouse.control.api;

import com.google.protobuf.Message;
import io.gatehouse.control.auth.Caller;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RequestHash;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.model.net.InvalidValueException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How all services carry out a call: one answer or one status, never an exception. */
public final class Calls {
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final Sequencer sequencer;
  private final InstantSource clock;
  private final Executor answering;

  /**
   * Calls on a sequencer.
   *
   * @param answering where answers to changes are built, away from the sequencer's thread
   */
  public Calls(Sequencer sequencer, InstantSource clock, Executor answering) {
    this.sequencer = sequencer;
    this.clock = clock;
    this.answering = answering;
  }

  public Image image() {
    return sequencer.image();
  }

  /**
   * Who asks, when, and under which id.
   *
   * @param message the whole request, for its hash
   */
  public Request request(String requestId, Message message) {
    if (!requestId.isEmpty() && !UUID_FORM.matcher(requestId).matches()) {
      throw new InvalidValueException("request_id", requestId, "is not a UUID");
    }
    String actor = Caller.current().actor();
    return new Request(actor, requestId, hash(actor, message), clock.instant());
  }

  /** Answers from the current image. */
  public <R> void read(StreamObserver<R> observer, Function<Image, R> reader) {
    tolerateCancel(observer);
    R response;
    try {
      response = reader.apply(sequencer.image());
    } catch (RuntimeException e) {
      observer.onError(StatusErrors.of(e, ""));
      return;
    }
    observer.onNext(response);
    observer.onCompleted();
  }

  /**
   * Submits a command and answers when the journal holds the change.
   *
   * @param resource field of the request that holds the resource; empty if the request is flat
   */
  public <R> void change(
      StreamObserver<R> observer,
      String resource,
      Supplier<Command> command,
      Function<Committed, R> response) {
    tolerateCancel(observer);
    Command ready;
    try {
      ready = command.get();
    } catch (RuntimeException e) {
      observer.onError(StatusErrors.of(e, resource));
      return;
    }
    CompletableFuture<R> answered = sequencer.submit(ready).thenApplyAsync(response, answering);
    CompletableFuture<R> unused =
        answered.whenComplete((answer, failure) -> answer(observer, resource, answer, failure));
  }

  private static <R> void answer(
      StreamObserver<R> observer,
      String resource,
      @Nullable R answer,
      @Nullable Throwable failure) {
    if (failure != null || answer == null) {
      Throwable known = failure == null ? new IllegalStateException("no answer") : failure;
      observer.onError(StatusErrors.of(known, resource));
      return;
    }
    observer.onNext(answer);
    observer.onCompleted();
  }

  /** An answer to a caller that has gone is dropped, instead of failing where it is given. */
  private static void tolerateCancel(StreamObserver<?> observer) {
    if (observer instanceof ServerCallStreamObserver<?> call) {
      call.setOnCancelHandler(() -> {});
    }
  }

  private static RequestHash hash(String actor, Message message) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    String head = actor + '\0' + message.getDescriptorForType().getFullName() + '\0';
    digest.update(head.getBytes(StandardCharsets.UTF_8));
    return new RequestHash(HexFormat.of().formatHex(digest.digest(message.toByteArray())));
  }
}
