package io.gatehouse.control.cli.identity;

import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.Connection;
import io.gatehouse.control.cli.session.ContextFile;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Proof;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.runtime.config.HostPort;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A context for those whose tokens come from an OIDC issuer. It names the token's file, and has no
 * token; it is written once the control plane has taken the one that is there now.
 */
final class BearerLogin {
  private BearerLogin() {}

  static ExitCode run(
      Session session, HostPort server, Optional<String> serverName, Proof.Bearer proof) {
    Path context = session.contextPath();
    ContextFile fresh = new ContextFile(server, serverName, Optional.empty(), proof);
    try (Connection connection = Connection.open(fresh)) {
      Object unused =
          connection.call(
              HealthGrpc.getCheckMethod(),
              HealthCheckRequest.getDefaultInstance(),
              session.timeout());
      fresh.write(context);
      session.out().println("the token of " + proof.tokenFile() + " is taken; context " + context);
      return ExitCode.OK;
    } catch (IOException e) {
      throw new CliException(ExitCode.USAGE, "cannot write below " + context + ": " + e);
    }
  }
}
