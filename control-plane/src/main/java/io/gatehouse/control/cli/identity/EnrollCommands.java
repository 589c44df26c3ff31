package io.gatehouse.control.cli.identity;

import io.gatehouse.control.cli.command.Arguments;
import io.gatehouse.control.cli.command.CommandBuilder;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.OutputFormat;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.proto.v1.CreateEnrollmentTokenRequest;
import io.gatehouse.proto.v1.CreateEnrollmentTokenResponse;
import io.gatehouse.proto.v1.IdentityServiceGrpc;
import io.gatehouse.proto.v1.RevokeIdentityRequest;
import io.gatehouse.proto.v1.RevokeIdentityResponse;
import io.gatehouse.runtime.config.DurationText;
import java.time.Duration;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;

/** {@code enroll} and {@code revoke} below the word of those who can have a certificate. */
public final class EnrollCommands {
  private static final String SERIAL = "--serial-number";
  private static final String LIFETIME = "--lifetime";
  private static final String REASON = "--reason";
  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(7);

  private final UnaryOperator<String> identity;

  private EnrollCommands(UnaryOperator<String> identity) {
    this.identity = identity;
  }

  /**
   * Adds the two commands.
   *
   * @param word with its other commands
   * @param example such as {@code dpu1}
   * @param identity the full name for what is given on the command line
   */
  public static CommandSpec addTo(
      CommandSpec word, String example, UnaryOperator<String> identity) {
    EnrollCommands commands = new EnrollCommands(identity);
    CommandSpec enroll = commands.enroll(word.name(), example);
    CommandSpec revoke = commands.revoke(example);
    word.addSubcommand(enroll.name(), enroll);
    word.addSubcommand(revoke.name(), revoke);
    return word;
  }

  /** The identity for an operator's name, {@code ann} or {@code acme/bob}, or a full name. */
  public static String operator(String text) {
    if (text.startsWith("operators/") || text.startsWith("tenants/")) {
      return IdentityName.parse(text).toString();
    }
    int slash = text.indexOf('/');
    return slash < 0
        ? IdentityName.parse("operators/" + text).toString()
        : IdentityName.parse(
                "tenants/" + text.substring(0, slash) + "/operators/" + text.substring(slash + 1))
            .toString();
  }

  private CommandSpec enroll(String word, String example) {
    CommandBuilder command =
        CommandBuilder.of("enroll", "Print a token that gives a certificate, once.", this::enroll)
            .positional("NAME", "Such as " + example + ".");
    if (word.equals("dpu")) {
      command.option(SERIAL, "S", "Only for the machine with this serial number.");
    }
    return command
        .option(LIFETIME, "DURATION", "How long the token works, 1m to 7d; 1h if left out.")
        .build();
  }

  private CommandSpec revoke(String example) {
    return CommandBuilder.of(
            "revoke",
            "Refuse all certificates that it has, and end its connections. Asks nothing.",
            this::revoke)
        .positional("NAME", "Such as " + example + ".")
        .requiredOption(REASON, "TEXT", "Why, for the audit.")
        .build();
  }

  private ExitCode enroll(Arguments arguments, Session session) {
    Duration lifetime =
        arguments
            .parsed(LIFETIME, text -> DurationText.parse(text, SHORTEST, LONGEST))
            .orElse(Duration.ZERO);
    CreateEnrollmentTokenResponse created =
        session.call(
            IdentityServiceGrpc.getCreateEnrollmentTokenMethod(),
            CreateEnrollmentTokenRequest.newBuilder()
                .setIdentity(name(arguments))
                .setMachineSerialNumber(arguments.text(SERIAL).orElse(""))
                .setLifetimeSeconds((int) lifetime.toSeconds())
                .build());
    switch (session.format()) {
      case JSON -> session.out().println(Messages.json(created));
      case YAML -> session.out().print(Messages.yaml(created));
      case TABLE -> session.out().println(created.getToken());
    }
    return ExitCode.OK;
  }

  private ExitCode revoke(Arguments arguments, Session session) {
    String name = name(arguments);
    String reason =
        arguments
            .text(REASON)
            .orElseThrow(() -> new CliException(ExitCode.USAGE, REASON + " is missing"));
    RevokeIdentityResponse revoked =
        session.call(
            IdentityServiceGrpc.getRevokeIdentityMethod(),
            RevokeIdentityRequest.newBuilder().setIdentity(name).setReason(reason).build());
    if (session.format() == OutputFormat.TABLE) {
      session
          .out()
          .println(
              "revoked %s at revision %d; certificates refused: %d"
                  .formatted(name, revoked.getRevision(), revoked.getRevokedCertificateCount()));
      return ExitCode.OK;
    }
    IdentityOutput.one(session, revoked);
    return ExitCode.OK;
  }

  private String name(Arguments arguments) {
    return arguments.parse("NAME", arguments.required(0), identity);
  }
}
