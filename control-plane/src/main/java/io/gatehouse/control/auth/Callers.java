package io.gatehouse.control.auth;

import io.gatehouse.control.limit.SourceAddress;
import io.gatehouse.model.OperatorRole;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.runtime.identity.CertificateName;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Establishes who calls: the holder of a client certificate that TLS has verified, or the subject
 * of a bearer token. The role of an operator is looked up at each call.
 */
public final class Callers {
  /** RFC 6750 §2.1. */
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final String SCHEME = "Bearer ";

  private final String trustDomain;
  private final Tokens tokens;
  private final Function<OperatorName, Optional<OperatorRole>> roles;

  /**
   * Callers of one trust domain.
   *
   * @param trustDomain of the names in certificates, such as {@code gatehouse.example}
   * @param roles of the operators that there are now
   */
  public Callers(
      String trustDomain, Tokens tokens, Function<OperatorName, Optional<OperatorRole>> roles) {
    this.trustDomain = trustDomain;
    this.tokens = tokens;
    this.roles = roles;
  }

  /** Whether the peer has shown a certificate, which TLS has verified. */
  static boolean showsCertificate(ServerCall<?, ?> call) {
    return certificate(call).isPresent();
  }

  /** Nobody in particular, by the address. */
  static Caller anyone(ServerCall<?, ?> call) {
    return new Caller(
        SourceAddress.of(call.getAttributes()).actor(), Role.ANYONE, Optional.empty());
  }

  /**
   * Who calls.
   *
   * @throws StatusException UNAUTHENTICATED if that is not known, PERMISSION_DENIED if the operator
   *     is not there any more
   */
  Caller of(ServerCall<?, ?> call, Metadata headers) throws StatusException {
    Optional<X509Certificate> certificate = certificate(call);
    String authorization = headers.get(AUTHORIZATION);
    if (certificate.isPresent() && authorization != null) {
      throw unauthenticated("a call shows a certificate or a bearer token, not both");
    }
    if (certificate.isPresent()) {
      return holder(certificate.get());
    }
    if (authorization == null) {
      throw unauthenticated("the call shows neither a client certificate nor a bearer token");
    }
    return subject(authorization);
  }

  /** Whom a refusal is put down to: the certificate's holder, else the address. */
  String blamed(ServerCall<?, ?> call) {
    return certificate(call)
        .flatMap(certificate -> CertificateName.of(certificate, trustDomain))
        .map(IdentityName::toString)
        .orElseGet(() -> SourceAddress.of(call.getAttributes()).actor());
  }

  private Caller holder(X509Certificate certificate) throws StatusException {
    Optional<IdentityName> holder = CertificateName.of(certificate, trustDomain);
    if (holder.isEmpty()) {
      throw unauthenticated("the certificate names no DPU and no operator of " + trustDomain);
    }
    if (!holder.get().isOperator()) {
      return new Caller(holder.get().toString(), Role.DPU, Optional.empty());
    }
    OperatorName operator = OperatorName.parse(holder.get().toString());
    Optional<OperatorRole> role = roles.apply(operator);
    if (role.isEmpty()) {
      throw Status.PERMISSION_DENIED
          .withDescription(operator + " is no operator here")
          .asException();
    }
    return new Caller(operator.toString(), Role.of(role.get()), operator.tenant());
  }

  private Caller subject(String authorization) throws StatusException {
    if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw unauthenticated("the header authorization is not of the form: Bearer TOKEN");
    }
    try {
      return tokens.caller(authorization.substring(SCHEME.length()).strip());
    } catch (TokenRefusedException e) {
      throw unauthenticated(e.reason());
    }
  }

  private static Optional<X509Certificate> certificate(ServerCall<?, ?> call) {
    return certificate(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
  }

  /** The peer's certificate, which TLS has verified; empty if it has shown none. */
  static Optional<X509Certificate> certificate(@Nullable SSLSession session) {
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

  private static StatusException unauthenticated(String reason) {
    return Status.UNAUTHENTICATED.withDescription(reason).asException();
  }
}
