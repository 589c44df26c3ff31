package io.gatehouse.control.cli.identity;

import io.gatehouse.control.cli.command.Arguments;
import io.gatehouse.control.cli.command.CommandBuilder;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ContextFile;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Proof;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.identity.EnrollmentClient;
import io.gatehouse.runtime.identity.IdentityException;
import io.gatehouse.runtime.identity.IdentityFiles;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.TokenText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/**
 * {@code gatehouse login}: trades a token for a certificate, or takes a bearer token's file, and
 * writes the context file.
 */
public final class LoginCommand {
  private static final String SERVER = "--server";
  private static final String ENROLLMENT = "--enrollment-server";
  private static final String SERVER_NAME = "--server-name";
  private static final String TOKEN_FILE = "--token-file";
  private static final String BEARER_FILE = "--bearer-token-file";
  private static final String CA = "--ca";
  private static final int MAX_TOKEN_BYTES = 512;

  private LoginCommand() {}

  public static CommandSpec spec() {
    String summary =
        "Trade a one-time token for a certificate; afterwards no command needs flags. The key is"
            + " made here and stays here. Or, with --bearer-token-file, use tokens that an OIDC"
            + " issuer gives: the file is read at each command and stays where it is.";
    return CommandBuilder.of("login", summary, LoginCommand::run)
        .requiredOption(SERVER, "HOST:PORT", "Where operators and agents connect.")
        .option(ENROLLMENT, "HOST:PORT", "Where those enrol who have no certificate.")
        .option(SERVER_NAME, "NAME", "What the certificate must be for; left out: the host.")
        .option(TOKEN_FILE, "FILE", "File with the token; - or left out: standard input.")
        .option(BEARER_FILE, "FILE", "File with a bearer token, which only its owner may read.")
        .option(CA, "FILE", "With a bearer token: the root that the server's certificate is from.")
        .build();
  }

  private static ExitCode run(Arguments arguments, Session session) {
    HostPort server = required(arguments, SERVER);
    if (arguments.text(BEARER_FILE).isPresent()) {
      return bearer(arguments, session, server);
    }
    if (arguments.text(CA).isPresent()) {
      throw new CliException(ExitCode.USAGE, CA + " goes with " + BEARER_FILE + " only");
    }
    HostPort enrollment = required(arguments, ENROLLMENT);
    Optional<String> name = arguments.text(SERVER_NAME);
    TokenText token = token(arguments, session);
    Path context = session.contextPath();
    IdentityFiles files = new IdentityFiles(ContextFile.identityFolder(context));
    try {
      NewIdentity fresh =
          new EnrollmentClient(enrollment, name)
              .enroll(token, files.enrollingKey(), "", session.timeout());
      files.save(fresh);
      ContextFile.ofIdentity(context, server, enrollment, name).write(context);
      session
          .out()
          .println(
              "logged in as "
                  + fresh.name()
                  + " until "
                  + fresh.held().certificate().getNotAfter().toInstant()
                  + "; context "
                  + context);
      return ExitCode.OK;
    } catch (IdentityException e) {
      throw new CliException(ExitCode.OTHER, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new CliException(ExitCode.USAGE, "cannot write below " + context + ": " + e);
    }
  }

  private static ExitCode bearer(Arguments arguments, Session session, HostPort server) {
    for (String other : List.of(TOKEN_FILE, ENROLLMENT)) {
      if (arguments.text(other).isPresent()) {
        throw new CliException(ExitCode.USAGE, other + " does not go with " + BEARER_FILE);
      }
    }
    Proof.Bearer proof = new Proof.Bearer(file(arguments, CA), file(arguments, BEARER_FILE));
    return BearerLogin.run(session, server, arguments.text(SERVER_NAME), proof);
  }

  private static Path file(Arguments arguments, String option) {
    return arguments
        .text(option)
        .map(text -> Path.of(text).toAbsolutePath())
        .orElseThrow(() -> new CliException(ExitCode.USAGE, option + " is missing"));
  }

  private static HostPort required(Arguments arguments, String option) {
    return arguments
        .parsed(option, HostPort::parse)
        .orElseThrow(() -> new CliException(ExitCode.USAGE, option + " is missing"));
  }

  private static TokenText token(Arguments arguments, Session session) {
    String file = arguments.text(TOKEN_FILE).orElse("-");
    try (InputStream in =
        file.equals("-") ? session.terminal().in() : Files.newInputStream(Path.of(file))) {
      byte[] text = in.readNBytes(MAX_TOKEN_BYTES);
      return arguments.parse(
          TOKEN_FILE, new String(text, StandardCharsets.US_ASCII), TokenText::parse);
    } catch (IOException e) {
      throw new CliException(ExitCode.USAGE, file + ": the token cannot be read");
    }
  }
}
