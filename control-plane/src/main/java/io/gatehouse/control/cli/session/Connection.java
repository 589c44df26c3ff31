package io.gatehouse.control.cli.session;

import io.gatehouse.runtime.Backoff;
import io.gatehouse.runtime.identity.CertificateClient;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.runtime.tls.Trust;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A channel to the control plane. Calls have a deadline; UNAVAILABLE is tried again a few times,
 * which is safe because every change carries a request id. One thread.
 */
public final class Connection implements AutoCloseable {
  private static final int TRIES = 4;
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

  private final ContextFile context;
  private final ManagedChannel channel;
  private final SplittableRandom random = new SplittableRandom();

  private Connection(ContextFile context, ManagedChannel channel) {
    this.context = context;
    this.channel = channel;
  }

  /** Reads the certificates; the first call connects. */
  public static Connection open(ContextFile context) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(context.target().host(), context.target().port()))
            .sslContext(tls(context.proof()))
            .directExecutor();
    context.serverName().ifPresent(builder::overrideAuthority);
    return new Connection(context, builder.build());
  }

  private static SslContext tls(Proof proof) {
    if (proof instanceof Proof.Bearer bearer) {
      return TlsFiles.anonymousClientContext(Trust.in(PemFiles.certificates(bearer.ca())));
    }
    return TlsFiles.open(((Proof.Certificate) proof).paths()).clientContext();
  }

  /**
   * Calls and waits for the answer.
   *
   * @param limit for all tries together
   * @throws StatusRuntimeException if the control plane refuses
   * @throws CliException if it cannot be reached
   */
  public <Q, R> R call(MethodDescriptor<Q, R> method, Q request, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    for (int attempt = 0; ; attempt++) {
      CallOptions options = options().withDeadlineAfter(left(end), TimeUnit.NANOSECONDS);
      try {
        return ClientCalls.blockingUnaryCall(channel, method, options, request);
      } catch (StatusRuntimeException e) {
        boolean again = e.getStatus().getCode() == Status.Code.UNAVAILABLE && attempt + 1 < TRIES;
        Duration pause = BACKOFF.delay(attempt, random);
        if (!again || pause.toNanos() >= left(end)) {
          throw explained(e);
        }
        Pause.of(pause);
      }
    }
  }

  /** Calls and gives the answers as they come, without a deadline; its end may be an exception. */
  public <Q, R> Iterator<R> stream(MethodDescriptor<Q, R> method, Q request) {
    return ClientCalls.blockingServerStreamingCall(channel, method, options(), request);
  }

  /** A token is read for each call anew: it may have been replaced meanwhile. */
  private CallOptions options() {
    return context.proof() instanceof Proof.Bearer bearer
        ? CallOptions.DEFAULT.withCallCredentials(BearerToken.read(bearer.tokenFile()))
        : CallOptions.DEFAULT;
  }

  /** Gets a new certificate in place of the one that this connection shows. */
  NewIdentity renewedCertificate(Duration limit) {
    return new CertificateClient(channel).renew(limit);
  }

  /** A failed connection told by its cause, a refused token by its file; others as they are. */
  public RuntimeException explained(StatusRuntimeException failure) {
    if (failure.getStatus().getCode() == Status.Code.UNAUTHENTICATED
        && context.proof() instanceof Proof.Bearer bearer) {
      String reason = String.valueOf(failure.getStatus().getDescription());
      String where = "it is the one in " + bearer.tokenFile() + "; put a new one there";
      return new CliException(ExitCode.DENIED, List.of(reason, where), failure);
    }
    Throwable cause = failure.getStatus().getCause();
    if (failure.getStatus().getCode() != Status.Code.UNAVAILABLE || cause == null) {
      return failure;
    }
    String line = "cannot reach " + context.target() + ": " + reason(cause);
    return new CliException(ExitCode.UNAVAILABLE, line, failure);
  }

  /** The innermost message, without the system call that native transport puts before it. */
  private static String reason(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return cause instanceof IOException
        ? message.substring(message.lastIndexOf(": ") < 0 ? 0 : message.lastIndexOf(": ") + 2)
        : message;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private static long left(long end) {
    return Math.max(0, end - System.nanoTime());
  }
}
