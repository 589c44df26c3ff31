package io.gatehouse.control.image.identity;

import io.gatehouse.control.image.identity.Authority.State;
import io.gatehouse.control.image.identity.IdentityEvent.AuthorityPut;
import io.gatehouse.control.image.identity.IdentityEvent.AuthorityRevoked;
import io.gatehouse.control.image.identity.IdentityEvent.CertificateIssued;
import io.gatehouse.control.image.identity.IdentityEvent.IdentityRevoked;
import io.gatehouse.control.image.identity.IdentityEvent.PolicyKeyPut;
import io.gatehouse.control.image.identity.IdentityEvent.RootEstablished;
import io.gatehouse.control.image.identity.IdentityEvent.TokenPut;
import io.gatehouse.control.image.identity.IdentityEvent.TokenUsed;
import io.gatehouse.control.image.identity.IdentityEvent.TokenWithdrawn;
import io.gatehouse.model.name.IdentityName;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/**
 * All authorities, certificates and tokens of one revision. Immutable.
 *
 * <p>A certificate that is not known here can still be good: it was issued by another replica a
 * moment ago, or after the backup that the journal was restored from.
 */
public final class Identities {
  public static final Identities EMPTY = of(IdentitiesState.EMPTY);

  private final Anchors anchors;
  private final TreePMap<String, Authority> authorities;
  private final Certificates certificates;
  private final TreePMap<IdentityName, Holder> holders;
  private final EnrollmentTokens tokens;

  private Identities(
      Anchors anchors,
      TreePMap<String, Authority> authorities,
      Certificates certificates,
      TreePMap<IdentityName, Holder> holders,
      EnrollmentTokens tokens) {
    this.anchors = anchors;
    this.authorities = authorities;
    this.certificates = certificates;
    this.holders = holders;
    this.tokens = tokens;
  }

  /** The identities that a snapshot was taken of. */
  public static Identities of(IdentitiesState state) {
    TreeMap<String, Authority> authorities = new TreeMap<>();
    state.authorities().forEach(authority -> authorities.put(authority.id(), authority));
    Certificates certificates = Certificates.NONE;
    for (CertificateRecord certificate : state.certificates()) {
      certificates = certificates.plus(certificate);
    }
    return new Identities(
        new Anchors(state.root(), state.policyKey()),
        TreePMap.from(authorities),
        certificates,
        TreePMap.from(state.holders()),
        EnrollmentTokens.of(state.tokens(), state.usedTokens()));
  }

  /** The same without indexes, for a snapshot. */
  public IdentitiesState state() {
    return new IdentitiesState(
        anchors.root(),
        anchors.policyKey(),
        authorities.values(),
        certificates.bySerial().values(),
        holders,
        tokens.open().values(),
        tokens.used().values());
  }

  /** The identities after one more event. Costs O(log n), a revocation O(n). */
  public Identities with(Instant time, IdentityEvent event) {
    if (event instanceof RootEstablished established) {
      return withAnchors(new Anchors(Optional.of(established.certificate()), anchors.policyKey()));
    }
    if (event instanceof PolicyKeyPut put) {
      return withAnchors(new Anchors(anchors.root(), Optional.of(put.publicKey())));
    }
    if (event instanceof AuthorityPut put) {
      return withAuthority(put.authority());
    }
    if (event instanceof AuthorityRevoked revoked) {
      return authority(revoked.id())
          .map(authority -> withAuthority(authority.revoked(time)))
          .orElse(this);
    }
    if (event instanceof TokenPut put) {
      return withTokens(tokens.plus(put.token(), time));
    }
    if (event instanceof TokenUsed used) {
      return withTokens(tokens.used(used.id(), used.certificate(), time));
    }
    if (event instanceof TokenWithdrawn withdrawn) {
      return withTokens(tokens.without(withdrawn.id()));
    }
    if (event instanceof IdentityRevoked revoked) {
      return revoked(revoked.identity(), time);
    }
    return issued(time, (CertificateIssued) event);
  }

  /** Certificate of the root; empty before the first start with a PKI. */
  public Optional<Der> root() {
    return anchors.root();
  }

  /** Public half of the key that signs policy; empty if none was named yet. */
  public Optional<Der> policyKey() {
    return anchors.policyKey();
  }

  public Optional<Authority> authority(String id) {
    return Optional.ofNullable(authorities.get(id));
  }

  /** All authorities there ever were, the newest first. */
  public List<Authority> authorities() {
    return authorities.values().stream()
        .sorted(Comparator.comparing(Authority::number).reversed())
        .toList();
  }

  /** The one that signs. */
  public Optional<Authority> issuing() {
    return authorities().stream().filter(one -> one.state() == State.ISSUING).findFirst();
  }

  /** Certificates that may still be valid, by serial number. */
  public PSortedMap<String, CertificateRecord> certificates() {
    return certificates.bySerial();
  }

  /** All who ever had a certificate. */
  public PSortedMap<IdentityName, Holder> holders() {
    return holders;
  }

  /** Tokens that were neither used nor withdrawn, by id; some may have expired. */
  public PSortedMap<String, Token> tokens() {
    return tokens.open();
  }

  /** Tokens that were used, by id; some may have expired. */
  public PSortedMap<String, UsedToken> usedTokens() {
    return tokens.used();
  }

  /** The token with a secret of this hash. */
  public Optional<Token> tokenOf(String secretHash) {
    return tokens.open().values().stream()
        .filter(token -> token.secretHash().equals(secretHash))
        .findFirst();
  }

  /** Why a certificate is not accepted; empty if it is. */
  public Optional<String> refusal(ShownCertificate shown) {
    Optional<Authority> authority = authority(shown.authority());
    if (authority.isEmpty()) {
      return Optional.of("the certificate's authority is not known");
    }
    if (authority.get().state() == State.REVOKED) {
      return Optional.of("the certificate's authority is revoked");
    }
    CertificateRecord known = certificates.bySerial().get(shown.serialNumber());
    if (known != null) {
      return known.revokedAt().map(when -> "the certificate is revoked");
    }
    // Whole seconds: one that was issued in the second of the revocation counts as older.
    Holder holder = holders.get(shown.identity());
    boolean older =
        holder != null
            && holder.revokedAt().filter(when -> !shown.issuedAt().isAfter(when)).isPresent();
    return older
        ? Optional.of("the certificate is older than the revocation of its holder")
        : Optional.empty();
  }

  /** Whether the identity's newest certificate is of an authority that no longer signs. */
  public boolean shouldRenew(IdentityName identity) {
    Holder holder = holders.get(identity);
    return holder != null
        && !holder.serialNumber().isEmpty()
        && issuing().filter(one -> !one.id().equals(holder.authority())).isPresent();
  }

  /** The identities without the tokens of one that is gone. */
  public Identities withoutTokensOf(IdentityName identity) {
    return withTokens(tokens.withoutThoseOf(identity));
  }

  private Identities issued(Instant time, CertificateIssued issued) {
    CertificateRecord certificate = issued.certificate();
    Holder before = holders.getOrDefault(certificate.identity(), Holder.NEW);
    Holder after = before.with(certificate, issued.recoverySignedAtMillis());
    return new Identities(
        anchors,
        authorities,
        certificates.withoutExpired(time).plus(certificate),
        holders.plus(certificate.identity(), after),
        tokens);
  }

  private Identities revoked(IdentityName identity, Instant time) {
    Holder after = holders.getOrDefault(identity, Holder.NEW).revoked(time);
    return new Identities(
            anchors,
            authorities,
            certificates.revoked(identity, time),
            holders.plus(identity, after),
            tokens)
        .withoutTokensOf(identity);
  }

  private Identities withAuthority(Authority authority) {
    return new Identities(
        anchors, authorities.plus(authority.id(), authority), certificates, holders, tokens);
  }

  private Identities withAnchors(Anchors next) {
    return new Identities(next, authorities, certificates, holders, tokens);
  }

  private Identities withTokens(EnrollmentTokens next) {
    return new Identities(anchors, authorities, certificates, holders, next);
  }
}
