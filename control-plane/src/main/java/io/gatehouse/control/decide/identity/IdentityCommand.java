package io.gatehouse.control.decide.identity;

import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.control.image.identity.Token;
import io.gatehouse.model.name.IdentityName;
import java.util.Optional;

/**
 * Commands about authorities, certificates and tokens. A certificate in a command is signed, and
 * goes to nobody unless the command is accepted.
 */
public sealed interface IdentityCommand {
  /** Name of what it is about. */
  String subject();

  /** Takes over a root and the first authority; refused if there is a root. */
  record EstablishRoot(Der root, Authority authority) implements IdentityCommand {
    @Override
    public String subject() {
      return "authorities/" + authority.id();
    }
  }

  /**
   * Signs policy with a key from now on; refused unless it is the journal's, or follows it.
   *
   * @param newest public half
   * @param previous public half of the key before it, if that is there
   */
  record UsePolicyKey(Der newest, Optional<Der> previous) implements IdentityCommand {
    @Override
    public String subject() {
      return "policyKeys/" + newest.fingerprint();
    }
  }

  /** Makes an authority the one that signs. */
  record ReplaceAuthority(Authority authority) implements IdentityCommand {
    @Override
    public String subject() {
      return "authorities/" + authority.id();
    }
  }

  /** Refuses what an authority has signed. */
  record RevokeAuthority(String id, String reason) implements IdentityCommand {
    @Override
    public String subject() {
      return "authorities/" + id;
    }
  }

  /** Gives a right to enrol. */
  record CreateToken(Token token) implements IdentityCommand {
    @Override
    public String subject() {
      return "enrollmentTokens/" + token.id();
    }
  }

  /** As {@link CreateToken}, refused unless no operator could get in otherwise. */
  record CreateFirstToken(Token token) implements IdentityCommand {
    @Override
    public String subject() {
      return token.identity().toString();
    }
  }

  /** Withdraws a token. */
  record DeleteToken(String id) implements IdentityCommand {
    @Override
    public String subject() {
      return "enrollmentTokens/" + id;
    }
  }

  /**
   * Uses a token.
   *
   * @param secretHash SHA-256 of its secret, hexadecimal
   * @param machineSerialNumber as the machine tells it
   * @param encoded the certificate itself, to be given again to whoever lost it on its way
   */
  record Enroll(
      String secretHash, String machineSerialNumber, CertificateRecord certificate, Der encoded)
      implements IdentityCommand {
    @Override
    public String subject() {
      return certificate.identity().toString();
    }
  }

  /**
   * Replaces a certificate.
   *
   * @param shown the one that the caller has
   */
  record Renew(ShownCertificate shown, CertificateRecord certificate) implements IdentityCommand {
    @Override
    public String subject() {
      return certificate.identity().toString();
    }
  }

  /**
   * Replaces an expired certificate.
   *
   * @param shown the expired one, its signature verified
   * @param signedAtMillis of the proof that its key is there, since 1970 UTC
   */
  record Recover(ShownCertificate shown, long signedAtMillis, CertificateRecord certificate)
      implements IdentityCommand {
    @Override
    public String subject() {
      return certificate.identity().toString();
    }
  }

  /** Refuses what an identity has. */
  record RevokeIdentity(IdentityName identity, String reason) implements IdentityCommand {
    @Override
    public String subject() {
      return identity.toString();
    }
  }
}
