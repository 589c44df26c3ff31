package io.gatehouse.control.cli.identity;

import io.gatehouse.control.cli.command.Arguments;
import io.gatehouse.control.cli.command.CommandBuilder;
import io.gatehouse.control.cli.output.OutputFormat;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.proto.v1.Authority;
import io.gatehouse.proto.v1.DeleteEnrollmentTokenRequest;
import io.gatehouse.proto.v1.DeleteEnrollmentTokenResponse;
import io.gatehouse.proto.v1.EnrollmentToken;
import io.gatehouse.proto.v1.IdentityServiceGrpc;
import io.gatehouse.proto.v1.IssuedCertificate;
import io.gatehouse.proto.v1.ListAuthoritiesRequest;
import io.gatehouse.proto.v1.ListCertificatesRequest;
import io.gatehouse.proto.v1.ListCertificatesResponse;
import io.gatehouse.proto.v1.ListEnrollmentTokensRequest;
import io.gatehouse.proto.v1.ListEnrollmentTokensResponse;
import io.gatehouse.proto.v1.RevokeIssuingAuthorityRequest;
import io.gatehouse.proto.v1.RevokeIssuingAuthorityResponse;
import io.gatehouse.proto.v1.RotateIssuingAuthorityRequest;
import io.gatehouse.proto.v1.RotateIssuingAuthorityResponse;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse token}, {@code certificate} and {@code authority}. */
public final class IdentityCommands {
  private static final String IDENTITY = "--identity";
  private static final String REASON = "--reason";
  private static final int PAGE_SIZE = 1_000;

  private IdentityCommands() {}

  /** {@code token list|delete}. */
  public static CommandSpec tokens() {
    return CommandBuilder.group("token", "See and withdraw one-time tokens.")
        .sub(
            CommandBuilder.of(
                    "list",
                    "List tokens that can still be used; secrets are not known.",
                    IdentityCommands::listTokens)
                .build())
        .sub(
            CommandBuilder.of("delete", "Withdraw a token.", IdentityCommands::deleteToken)
                .positional("TOKEN", "Its name, as the list has it.")
                .build())
        .build();
  }

  /** {@code certificate list}. */
  public static CommandSpec certificates() {
    return CommandBuilder.group("certificate", "See certificates.")
        .sub(
            CommandBuilder.of(
                    "list",
                    "List certificates that have not expired.",
                    IdentityCommands::listCertificates)
                .option(IDENTITY, "NAME", "Only those of dpus/DPU or operators/NAME.")
                .build())
        .build();
  }

  /** {@code authority list|rotate|revoke}. */
  public static CommandSpec authorities() {
    return CommandBuilder.group("authority", "See, replace and revoke signing authorities.")
        .sub(
            CommandBuilder.of("list", "List authorities, the newest first.", IdentityCommands::list)
                .build())
        .sub(
            CommandBuilder.of(
                    "rotate",
                    "Make a new authority; agents renew by and by, the old one stays accepted.",
                    IdentityCommands::rotate)
                .build())
        .sub(
            CommandBuilder.of(
                    "revoke",
                    "Refuse all that an old authority has signed. Asks nothing.",
                    IdentityCommands::revoke)
                .positional("AUTHORITY", "Its name, as the list has it.")
                .requiredOption(REASON, "TEXT", "Why, for the audit.")
                .build())
        .build();
  }

  private static ExitCode listTokens(Arguments arguments, Session session) {
    List<EnrollmentToken> tokens = new ArrayList<>();
    String page = "";
    do {
      ListEnrollmentTokensResponse answer =
          session.call(
              IdentityServiceGrpc.getListEnrollmentTokensMethod(),
              ListEnrollmentTokensRequest.newBuilder()
                  .setPageSize(PAGE_SIZE)
                  .setPageToken(page)
                  .build());
      tokens.addAll(answer.getEnrollmentTokensList());
      page = answer.getNextPageToken();
    } while (!page.isEmpty());
    IdentityOutput.many(
        session,
        List.of("TOKEN", "FOR", "SERIAL NUMBER", "WORKS UNTIL"),
        tokens,
        token ->
            List.of(
                last(token.getName()),
                token.getIdentity(),
                token.getMachineSerialNumber(),
                IdentityOutput.time(token.getExpireTime())));
    return ExitCode.OK;
  }

  private static ExitCode deleteToken(Arguments arguments, Session session) {
    String name = full("enrollmentTokens/", arguments.required(0));
    DeleteEnrollmentTokenResponse answer =
        session.call(
            IdentityServiceGrpc.getDeleteEnrollmentTokenMethod(),
            DeleteEnrollmentTokenRequest.newBuilder().setName(name).build());
    if (session.format() == OutputFormat.TABLE) {
      session.out().println("withdrawn at revision " + answer.getRevision());
      return ExitCode.OK;
    }
    IdentityOutput.one(session, answer);
    return ExitCode.OK;
  }

  private static ExitCode listCertificates(Arguments arguments, Session session) {
    List<IssuedCertificate> certificates = new ArrayList<>();
    String page = "";
    do {
      ListCertificatesResponse answer =
          session.call(
              IdentityServiceGrpc.getListCertificatesMethod(),
              ListCertificatesRequest.newBuilder()
                  .setIdentity(arguments.text(IDENTITY).orElse(""))
                  .setPageSize(PAGE_SIZE)
                  .setPageToken(page)
                  .build());
      certificates.addAll(answer.getCertificatesList());
      page = answer.getNextPageToken();
    } while (!page.isEmpty());
    IdentityOutput.many(
        session,
        List.of("SERIAL NUMBER", "OF", "AUTHORITY", "UNTIL", "STATE"),
        certificates,
        certificate ->
            List.of(
                certificate.getSerialNumber(),
                certificate.getIdentity(),
                last(certificate.getAuthority()),
                IdentityOutput.time(certificate.getNotAfterTime()),
                certificate.getRevoked() ? "REVOKED" : "GOOD"));
    return ExitCode.OK;
  }

  private static ExitCode list(Arguments arguments, Session session) {
    List<Authority> authorities =
        session
            .call(
                IdentityServiceGrpc.getListAuthoritiesMethod(),
                ListAuthoritiesRequest.getDefaultInstance())
            .getAuthoritiesList();
    IdentityOutput.many(
        session,
        List.of("AUTHORITY", "STATE", "UNTIL", "CERTIFICATES"),
        authorities,
        authority ->
            List.of(
                last(authority.getName()),
                state(authority),
                IdentityOutput.time(authority.getNotAfterTime()),
                Integer.toString(authority.getCertificateCount())));
    return ExitCode.OK;
  }

  private static ExitCode rotate(Arguments arguments, Session session) {
    RotateIssuingAuthorityResponse answer =
        session.call(
            IdentityServiceGrpc.getRotateIssuingAuthorityMethod(),
            RotateIssuingAuthorityRequest.getDefaultInstance());
    if (session.format() == OutputFormat.TABLE) {
      session
          .out()
          .println(
              "authority %s signs from revision %d on"
                  .formatted(last(answer.getAuthority().getName()), answer.getRevision()));
      return ExitCode.OK;
    }
    IdentityOutput.one(session, answer);
    return ExitCode.OK;
  }

  private static ExitCode revoke(Arguments arguments, Session session) {
    String reason =
        arguments
            .text(REASON)
            .orElseThrow(() -> new CliException(ExitCode.USAGE, REASON + " is missing"));
    RevokeIssuingAuthorityResponse answer =
        session.call(
            IdentityServiceGrpc.getRevokeIssuingAuthorityMethod(),
            RevokeIssuingAuthorityRequest.newBuilder()
                .setName(full("authorities/", arguments.required(0)))
                .setReason(reason)
                .build());
    if (session.format() == OutputFormat.TABLE) {
      session.out().println("revoked at revision " + answer.getRevision());
      return ExitCode.OK;
    }
    IdentityOutput.one(session, answer);
    return ExitCode.OK;
  }

  private static String state(Authority authority) {
    return authority.getState().name().substring("AUTHORITY_STATE_".length());
  }

  private static String last(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private static String full(String collection, String given) {
    return given.startsWith(collection) ? given : collection + given;
  }
}
