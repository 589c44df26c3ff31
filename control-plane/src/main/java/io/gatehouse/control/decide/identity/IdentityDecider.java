package io.gatehouse.control.decide.identity;

import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.decide.identity.IdentityCommand.CreateFirstToken;
import io.gatehouse.control.decide.identity.IdentityCommand.CreateToken;
import io.gatehouse.control.decide.identity.IdentityCommand.DeleteToken;
import io.gatehouse.control.decide.identity.IdentityCommand.Enroll;
import io.gatehouse.control.decide.identity.IdentityCommand.EstablishRoot;
import io.gatehouse.control.decide.identity.IdentityCommand.Recover;
import io.gatehouse.control.decide.identity.IdentityCommand.Renew;
import io.gatehouse.control.decide.identity.IdentityCommand.ReplaceAuthority;
import io.gatehouse.control.decide.identity.IdentityCommand.RevokeAuthority;
import io.gatehouse.control.decide.identity.IdentityCommand.RevokeIdentity;
import io.gatehouse.control.decide.identity.IdentityCommand.UsePolicyKey;
import io.gatehouse.control.image.Event;
import io.gatehouse.control.image.Event.IdentityChanged;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.image.identity.Authority.State;
import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Holder;
import io.gatehouse.control.image.identity.IdentityEvent;
import io.gatehouse.control.image.identity.IdentityEvent.AuthorityPut;
import io.gatehouse.control.image.identity.IdentityEvent.AuthorityRevoked;
import io.gatehouse.control.image.identity.IdentityEvent.CertificateIssued;
import io.gatehouse.control.image.identity.IdentityEvent.IdentityRevoked;
import io.gatehouse.control.image.identity.IdentityEvent.RootEstablished;
import io.gatehouse.control.image.identity.IdentityEvent.TokenUsed;
import io.gatehouse.control.image.identity.Token;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides commands about identities. What it refuses to one who enrols, the caller is not told. */
public final class IdentityDecider {
  private static final int MAX_REASON_LENGTH = 200;

  private IdentityDecider() {}

  /**
   * What the command makes happen.
   *
   * @param now by the control plane's clock
   * @throws RefusedException if a rule is against it
   */
  public static List<Event> decide(Image image, Instant now, IdentityCommand command) {
    List<Event> events = new ArrayList<>();
    for (IdentityEvent event : dispatch(image, now, command)) {
      events.add(new IdentityChanged(event));
    }
    return events;
  }

  private static List<IdentityEvent> dispatch(Image image, Instant now, IdentityCommand command) {
    if (command instanceof Enroll enroll) {
      return enroll(image, now, enroll);
    }
    if (command instanceof Renew renew) {
      return renew(image, renew);
    }
    if (command instanceof Recover recover) {
      return recover(image, recover);
    }
    if (command instanceof RevokeIdentity revoke) {
      return revoke(image, revoke);
    }
    if (command instanceof CreateToken create) {
      return TokenDecider.create(image, create);
    }
    if (command instanceof CreateFirstToken create) {
      return TokenDecider.createFirst(image, now, create);
    }
    if (command instanceof DeleteToken delete) {
      return TokenDecider.delete(image, delete);
    }
    if (command instanceof UsePolicyKey use) {
      return PolicyKeyDecider.use(image, use);
    }
    if (command instanceof ReplaceAuthority replace) {
      return replace(image, replace);
    }
    if (command instanceof RevokeAuthority revoke) {
      return revoke(image, revoke);
    }
    return establish(image, (EstablishRoot) command);
  }

  private static List<IdentityEvent> establish(Image image, EstablishRoot command) {
    if (image.identities().root().isPresent()) {
      throw new RefusedException(Kind.ALREADY_EXISTS, "the journal has a root already");
    }
    return List.of(new RootEstablished(command.root()), new AuthorityPut(command.authority()));
  }

  private static List<IdentityEvent> enroll(Image image, Instant now, Enroll command) {
    Token token =
        image
            .identities()
            .tokenOf(command.secretHash())
            .orElseThrow(() -> refused("token", "the token is unknown, used or withdrawn"));
    if (token.isExpired(now)) {
      throw refused("token", "the token has expired");
    }
    String bound = token.machineSerialNumber();
    if (!bound.isEmpty() && !bound.equals(command.machineSerialNumber())) {
      throw refused("machine_serial_number", "the token is bound to another machine");
    }
    if (!token.identity().equals(command.certificate().identity())) {
      throw refused("token", "the token is for somebody else");
    }
    TokenDecider.existing(image, token.identity());
    checkIssuable(image, command.certificate());
    return List.of(
        new TokenUsed(token.id(), Optional.of(command.encoded())),
        new CertificateIssued(command.certificate(), 0));
  }

  private static List<IdentityEvent> renew(Image image, Renew command) {
    TokenDecider.existing(image, command.shown().identity());
    image
        .identities()
        .refusal(command.shown())
        .ifPresent(
            reason -> {
              throw refused("certificate", reason);
            });
    checkIssuable(image, command.certificate());
    return List.of(new CertificateIssued(command.certificate(), 0));
  }

  private static List<IdentityEvent> recover(Image image, Recover command) {
    TokenDecider.existing(image, command.shown().identity());
    Holder holder = image.identities().holders().get(command.shown().identity());
    if (holder == null || !holder.serialNumber().equals(command.shown().serialNumber())) {
      throw refused("expired_chain", "the certificate is not the newest of its holder, or revoked");
    }
    if (command.signedAtMillis() <= holder.recoverySignedAtMillis()) {
      throw refused("signed_at_millis", "the proof is not newer than one that was used");
    }
    boolean accepted =
        image
            .identities()
            .authority(command.shown().authority())
            .filter(authority -> authority.state() != State.REVOKED)
            .isPresent();
    if (!accepted) {
      throw refused("expired_chain", "the certificate's authority is unknown or revoked");
    }
    checkIssuable(image, command.certificate());
    return List.of(new CertificateIssued(command.certificate(), command.signedAtMillis()));
  }

  private static List<IdentityEvent> revoke(Image image, RevokeIdentity command) {
    checkReason(command.reason());
    boolean known = image.identities().holders().containsKey(command.identity());
    if (!known) {
      TokenDecider.existing(image, command.identity());
    }
    return List.of(new IdentityRevoked(command.identity(), command.reason()));
  }

  private static List<IdentityEvent> replace(Image image, ReplaceAuthority command) {
    if (image.identities().root().isEmpty()) {
      throw new RefusedException(Kind.FAILED_PRECONDITION, "there is no root yet");
    }
    List<IdentityEvent> events = new ArrayList<>();
    int newest = 0;
    for (Authority old : image.identities().authorities()) {
      newest = Math.max(newest, old.number());
      if (old.state() == State.ISSUING) {
        events.add(new AuthorityPut(old.retiring()));
      }
    }
    events.add(new AuthorityPut(command.authority().issuing(newest + 1)));
    return events;
  }

  private static List<IdentityEvent> revoke(Image image, RevokeAuthority command) {
    checkReason(command.reason());
    Authority authority =
        image
            .identities()
            .authority(command.id())
            .orElseThrow(
                () ->
                    new RefusedException(
                        Kind.NOT_FOUND, "name", command.subject() + " does not exist"));
    if (authority.state() == State.ISSUING) {
      throw new RefusedException(
          Kind.FAILED_PRECONDITION,
          "name",
          command.subject() + " is the one that signs: rotate first, and let all renew");
    }
    if (authority.state() == State.REVOKED) {
      throw new RefusedException(
          Kind.FAILED_PRECONDITION, "name", command.subject() + " is revoked already");
    }
    return List.of(new AuthorityRevoked(command.id(), command.reason()));
  }

  /** Signed a moment ago: meanwhile the authority may have been replaced. */
  private static void checkIssuable(Image image, CertificateRecord certificate) {
    boolean signs =
        image
            .identities()
            .issuing()
            .filter(authority -> authority.id().equals(certificate.authority()))
            .isPresent();
    if (!signs) {
      throw new RefusedException(Kind.ABORTED, "the authority was replaced meanwhile: try again");
    }
  }

  private static void checkReason(String reason) {
    if (reason.isBlank() || reason.length() > MAX_REASON_LENGTH) {
      throw new RefusedException(
          Kind.INVALID_ARGUMENT,
          "reason",
          reason.length() + " characters are outside 1.." + MAX_REASON_LENGTH);
    }
  }

  private static RefusedException refused(String field, String reason) {
    return new RefusedException(Kind.FAILED_PRECONDITION, field, reason);
  }
}
