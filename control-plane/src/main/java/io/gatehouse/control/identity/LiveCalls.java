package io.gatehouse.control.identity;

import io.gatehouse.control.auth.EndableCall;
import io.gatehouse.control.auth.RefusalLog;
import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.control.pki.PeerCertificates;
import io.gatehouse.control.pki.RevocationCheck;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Asks of every call, and not only of the handshake, whether its certificate is accepted, and ends
 * calls under way when it no longer is. Any thread.
 */
public final class LiveCalls implements ServerInterceptor {
  /** The certificate of the current call. */
  static final Context.Key<ShownCertificate> SHOWN = Context.key("gatehouse-shown-certificate");

  private final Map<EndableCall<?, ?>, Shown> open = new ConcurrentHashMap<>();
  private final RevocationCheck check;
  private final String trustDomain;
  private final RefusalLog refusals;

  /** What a call's caller has shown, and when that expires. */
  private record Shown(ShownCertificate certificate, Instant end) {}

  public LiveCalls(RevocationCheck check, String trustDomain, RefusalLog refusals) {
    this.check = check;
    this.trustDomain = trustDomain;
    this.refusals = refusals;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Optional<X509Certificate> peer = peer(call);
    Optional<ShownCertificate> shown =
        peer.flatMap(certificate -> PeerCertificates.read(certificate, trustDomain));
    if (peer.isEmpty() || shown.isEmpty()) {
      // Who this is others find out, and refuse it.
      return next.startCall(call, headers);
    }
    Shown held = new Shown(shown.get(), peer.get().getNotAfter().toInstant());
    EndableCall<Q, R> endable = new EndableCall<>(call, open::remove);
    open.put(endable, held);
    if (endIfRefused(endable, held)) {
      return new ServerCall.Listener<>() {};
    }
    Context context = Context.current().withValue(SHOWN, shown.get());
    return endable.watched(Contexts.interceptCall(context, endable, headers, next));
  }

  /** Looks at all calls under way again; right after every revocation. */
  public void recheck() {
    open.forEach(this::endIfRefused);
  }

  private boolean endIfRefused(EndableCall<?, ?> call, Shown shown) {
    Optional<String> refusal = check.refusal(shown.certificate(), shown.end());
    refusal.ifPresent(reason -> end(call, shown, reason));
    return refusal.isPresent();
  }

  private void end(EndableCall<?, ?> call, Shown shown, String reason) {
    open.remove(call);
    Status status = Status.UNAUTHENTICATED.withDescription(reason);
    if (call.end(status)) {
      String actor = shown.certificate().identity().toString();
      refusals.refused(actor, call.getMethodDescriptor().getFullMethodName(), "", status);
    }
  }

  private static Optional<X509Certificate> peer(ServerCall<?, ?> call) {
    SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    if (session == null) {
      return Optional.empty();
    }
    try {
      Certificate[] chain = session.getPeerCertificates();
      return chain.length > 0 && chain[0] instanceof X509Certificate certificate
          ? Optional.of(certificate)
          : Optional.empty();
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }
}
