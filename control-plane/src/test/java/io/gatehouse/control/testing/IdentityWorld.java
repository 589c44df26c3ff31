package io.gatehouse.control.testing;

import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.Decider;
import io.gatehouse.control.decide.DpuCommand.CreateDpu;
import io.gatehouse.control.decide.OperatorCommand.CreateOperator;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.identity.IdentityCommand;
import io.gatehouse.control.decide.identity.IdentityCommand.CreateToken;
import io.gatehouse.control.decide.identity.IdentityCommand.Enroll;
import io.gatehouse.control.decide.identity.IdentityCommand.EstablishRoot;
import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.identity.Authority;
import io.gatehouse.control.image.identity.Authority.State;
import io.gatehouse.control.image.identity.CertificateRecord;
import io.gatehouse.control.image.identity.Der;
import io.gatehouse.control.image.identity.ShownCertificate;
import io.gatehouse.control.image.identity.Token;
import io.gatehouse.model.FailureDomain;
import io.gatehouse.model.OperatorRole;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.net.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An image with authorities, tokens and certificates, without keys; its clock is set by hand. */
public final class IdentityWorld {
  public static final Instant START = Instant.parse("2026-11-30T10:00:00Z");

  /** Stands for the bytes of any certificate. */
  public static final Der ENCODED = Der.of(new byte[] {3});

  public static final String FIRST_AUTHORITY = "aaaaaaaaaaaaaaaa";

  private final List<Entry> entries = new ArrayList<>();
  private final List<Command> commands = new ArrayList<>();
  private Image image = Image.EMPTY;
  private Instant now = START;
  private int number;

  /**
   * With a root, an authority, the DPUs {@code d1} and {@code d2} and the operators {@code admin}
   * and {@code ann}.
   */
  public IdentityWorld() {
    run(new EstablishRoot(Der.of(new byte[] {1}), authority(FIRST_AUTHORITY)));
    for (int i = 1; i <= 2; i++) {
      apply(
          new CreateDpu(
              request(),
              new DpuName("d" + i),
              "",
              IpAddress.ofV4(0xac10_0000L + i),
              1_500,
              FailureDomain.UNKNOWN));
    }
    for (String operator : List.of("admin", "ann")) {
      apply(
          new CreateOperator(
              request(), OperatorName.ofFleet(operator), "", OperatorRole.FLEET_ADMIN));
    }
  }

  public Image image() {
    return image;
  }

  public List<Entry> entries() {
    return entries;
  }

  /** All that was accepted, in order. */
  public List<Command> commands() {
    return commands;
  }

  public Instant now() {
    return now;
  }

  public void passes(Duration time) {
    now = now.plus(time);
  }

  public Request request() {
    return Request.internal("operators/test", now);
  }

  /** Decides and applies. */
  public void run(IdentityCommand command) {
    apply(new Command.OfIdentity(request(), command));
  }

  public static Authority authority(String id) {
    Instant end = START.plus(Duration.ofDays(365));
    return new Authority(id, 1, Der.of(new byte[] {2}), end, State.ISSUING, Optional.empty());
  }

  /** Stores a token for one hour and gives the hash of its secret. */
  public String token(String identity, String machine) {
    number++;
    String hash = String.format("%064x", number);
    Instant end = now.plus(Duration.ofHours(1));
    run(
        new CreateToken(
            new Token("t" + number, hash, IdentityName.parse(identity), machine, now, end)));
    return hash;
  }

  /** A certificate that was just signed by the newest authority, for a week. */
  public CertificateRecord certificate(String identity) {
    number++;
    return new CertificateRecord(
        String.format("4%031x", number),
        IdentityName.parse(identity),
        image.identities().issuing().orElseThrow().id(),
        now.minus(Duration.ofMinutes(10)),
        now.plus(Duration.ofDays(7)),
        Optional.empty());
  }

  /** What a peer shows with that certificate. */
  public static ShownCertificate shown(CertificateRecord certificate) {
    return new ShownCertificate(
        certificate.identity(),
        certificate.serialNumber(),
        certificate.authority(),
        certificate.notBefore().plus(Duration.ofMinutes(10)));
  }

  /** Makes a token and uses it. */
  public CertificateRecord enrolled(String identity) {
    CertificateRecord certificate = certificate(identity);
    run(new Enroll(token(identity, ""), "", certificate, ENCODED));
    return certificate;
  }

  private void apply(Command command) {
    Request request = command.request();
    Entry entry =
        new Entry(
            image.revision() + 1,
            request.time(),
            request.actor(),
            request.requestId(),
            request.hash(),
            command.subject(),
            Decider.decide(image, command));
    image = image.apply(entry);
    entries.add(entry);
    commands.add(command);
  }
}
