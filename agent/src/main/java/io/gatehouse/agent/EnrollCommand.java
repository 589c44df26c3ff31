package io.gatehouse.agent;

import io.gatehouse.agent.identity.TokenFile;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.config.ConfigException;
import io.gatehouse.runtime.identity.IdentityException;
import io.gatehouse.runtime.identity.NewIdentity;
import io.gatehouse.runtime.identity.TokenText;
import io.gatehouse.runtime.log.LogFormat;
import io.gatehouse.runtime.log.LogSetup;
import io.gatehouse.runtime.tls.FailureText;
import io.gatehouse.runtime.tls.TlsFileException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code gatehouse-agent enroll}: trades a token for this DPU's certificate, by hand. An agent that
 * runs takes the certificate into use by itself.
 */
@Command(
    name = "enroll",
    description = "Gets this DPU's certificate for a one-time token (gatehouse dpu enroll).",
    mixinStandardHelpOptions = true)
final class EnrollCommand implements Callable<Integer> {
  private static final int EXIT_REFUSED = 77;
  private static final int EXIT_UNAVAILABLE = 69;
  private static final int EXIT_CONFIG = 78;

  @Option(names = "--config", required = true, paramLabel = "FILE", description = "Settings, YAML.")
  private Path config = Path.of("/etc/gatehouse/agent.yaml");

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "The token; \"-\": standard input (default: identity.token_file).")
  private @Nullable String token;

  @Override
  public Integer call() {
    LogSetup.use(LogFormat.TEXT, Level.ERROR);
    try {
      return enroll(AgentConfig.read(config));
    } catch (ConfigException | InvalidValueException | TlsFileException e) {
      return ended(e.getMessage(), EXIT_CONFIG);
    } catch (IdentityException e) {
      return ended(e.getMessage(), EXIT_REFUSED);
    } catch (StatusRuntimeException e) {
      boolean refused = e.getStatus().getCode() == Status.Code.PERMISSION_DENIED;
      return ended(
          FailureText.of(e.getStatus(), Instant.now()), refused ? EXIT_REFUSED : EXIT_UNAVAILABLE);
    } catch (IOException e) {
      return ended(e.getMessage(), EXIT_UNAVAILABLE);
    }
  }

  private int enroll(AgentConfig settings) throws IOException {
    MultiThreadIoEventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    try {
      IdentityParts parts = IdentityParts.of(settings, loops);
      Optional<TokenFile> file = tokenFile(parts);
      TokenText text = file.isPresent() ? file.get().read() : TokenFile.read(System.in);
      parts.store().prepare();
      NewIdentity fresh = parts.authority().enroll(text, parts.store().enrollingKey());
      parts.store().save(fresh);
      if (file.isPresent()) {
        file.get().remove();
      }
      System.out.println(
          "enrolled as "
              + settings.site().dpu()
              + ", until "
              + fresh.held().certificate().getNotAfter().toInstant());
      return 0;
    } finally {
      Future<?> unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  /** Empty for standard input. */
  private Optional<TokenFile> tokenFile(IdentityParts parts) {
    if (token == null) {
      return Optional.of(
          parts
              .tokenFile()
              .orElseThrow(
                  () ->
                      new InvalidValueException(
                          "identity.token_file", "", "is not set, and there is no --token-file")));
    }
    return token.equals("-") ? Optional.empty() : Optional.of(new TokenFile(Path.of(token)));
  }

  private static int ended(@Nullable String reason, int status) {
    System.err.println("gatehouse-agent: " + reason);
    return status;
  }
}
