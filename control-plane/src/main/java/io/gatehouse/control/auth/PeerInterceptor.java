package io.gatehouse.control.auth;

import io.gatehouse.control.auth.Permissions.Role;
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
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a call pass if its peer's certificate, which TLS has verified, gives the role that the RPC
 * asks for. Everything else is refused.
 */
public final class PeerInterceptor implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(PeerInterceptor.class);

  private final String trustDomain;

  /**
   * An interceptor.
   *
   * @param trustDomain of the names in certificates, such as {@code gatehouse.example}
   */
  public PeerInterceptor(String trustDomain) {
    this.trustDomain = trustDomain;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String method = call.getMethodDescriptor().getFullMethodName();
    Optional<PeerIdentity> peer = peer(call);
    if (peer.isEmpty()) {
      return refuse(
          call,
          Status.UNAUTHENTICATED.withDescription(
              "the certificate names no DPU and no operator of " + trustDomain));
    }
    PeerIdentity identity = peer.get();
    if (!mayCall(identity, method)) {
      LOG.atWarn().addKeyValue("peer", identity).addKeyValue("rpc", method).log("call refused");
      return refuse(
          call, Status.PERMISSION_DENIED.withDescription(identity + " may not call " + method));
    }
    return Contexts.interceptCall(context(identity), call, headers, next);
  }

  private Optional<PeerIdentity> peer(ServerCall<?, ?> call) {
    SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    if (session == null) {
      return Optional.empty();
    }
    try {
      Certificate[] chain = session.getPeerCertificates();
      return chain.length > 0 && chain[0] instanceof X509Certificate certificate
          ? PeerIdentity.of(certificate, trustDomain)
          : Optional.empty();
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  private static boolean mayCall(PeerIdentity identity, String method) {
    Role own = identity instanceof PeerIdentity.OfDpu ? Role.DPU : Role.OPERATOR;
    return Permissions.of(method).filter(role -> role == own || role == Role.ANY).isPresent();
  }

  private static Context context(PeerIdentity identity) {
    Context current = Context.current();
    if (identity instanceof PeerIdentity.OfDpu peer) {
      return current
          .withValue(CallingDpu.KEY, peer.dpu())
          .withValue(Caller.KEY, new Caller(identity.toString()));
    }
    return current.withValue(Caller.KEY, new Caller(identity.toString()));
  }

  private static <Q, R> ServerCall.Listener<Q> refuse(ServerCall<Q, R> call, Status status) {
    call.close(status, new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
