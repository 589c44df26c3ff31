package io.gatehouse.control.auth;

import io.gatehouse.model.name.IdentityName;
import io.gatehouse.runtime.identity.CertificateName;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * Counts the connections of each certificate's holder, and marks those that are too many: their
 * calls are refused. Safe for use by many threads.
 */
public final class PrincipalConnections extends ServerTransportFilter {
  /** Whose connection it is; absent where no certificate says it. */
  private static final Attributes.Key<String> HOLDER = Attributes.Key.create("gatehouse-holder");

  /** Set where the holder has too many. */
  static final Attributes.Key<Boolean> TOO_MANY = Attributes.Key.create("gatehouse-too-many");

  private final String trustDomain;
  private final int most;
  private final Map<String, Integer> open = new HashMap<>();

  public PrincipalConnections(String trustDomain, int most) {
    this.trustDomain = trustDomain;
    this.most = most;
  }

  @Override
  public Attributes transportReady(Attributes attributes) {
    SSLSession session = attributes.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    Optional<String> holder =
        Callers.certificate(session)
            .flatMap(certificate -> CertificateName.of(certificate, trustDomain))
            .map(IdentityName::toString);
    if (holder.isEmpty()) {
      return attributes;
    }
    synchronized (open) {
      if (open.getOrDefault(holder.get(), 0) >= most) {
        // It takes no place: it is of no use to its holder.
        return attributes.toBuilder().set(TOO_MANY, true).build();
      }
      open.merge(holder.get(), 1, Integer::sum);
    }
    return attributes.toBuilder().set(HOLDER, holder.get()).build();
  }

  @Override
  public void transportTerminated(Attributes attributes) {
    String holder = attributes == null ? null : attributes.get(HOLDER);
    if (holder != null) {
      synchronized (open) {
        open.computeIfPresent(holder, (key, count) -> count == 1 ? null : count - 1);
      }
    }
  }
}
