package io.gatehouse.control.cli.session;

import io.gatehouse.control.cli.output.OutputFormat;
import io.grpc.MethodDescriptor;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run: the terminal, the options that every command has, and a connection that is opened by the
 * first call. One thread.
 */
public final class Session implements AutoCloseable {
  private final Terminal terminal;
  private final Optional<String> contextFile;
  private final OutputFormat format;
  private final Duration timeout;
  private @Nullable Connection connection;

  public Session(
      Terminal terminal, Optional<String> contextFile, OutputFormat format, Duration timeout) {
    this.terminal = terminal;
    this.contextFile = contextFile;
    this.format = format;
    this.timeout = timeout;
  }

  public Terminal terminal() {
    return terminal;
  }

  public PrintStream out() {
    return terminal.out();
  }

  public OutputFormat format() {
    return format;
  }

  /** For one call, or for one wait. */
  public Duration timeout() {
    return timeout;
  }

  public Instant now() {
    return terminal.clock().instant();
  }

  /** Where the context file is, or will be. */
  public Path contextPath() {
    return ContextFile.locate(contextFile, terminal);
  }

  /** The connection; an own certificate that is due is renewed by the way. */
  public Connection connection() {
    Connection open = connection;
    if (open == null) {
      ContextFile context = ContextFile.read(contextPath());
      OwnCertificate own = new OwnCertificate(context, terminal);
      own.recoverIfExpired();
      open = Connection.open(context);
      connection = open;
      own.renewIfDue(open);
    }
    return open;
  }

  /** Calls within the timeout. */
  public <Q, R> R call(MethodDescriptor<Q, R> method, Q request) {
    return connection().call(method, request, timeout);
  }

  public RevisionWait revisionWait() {
    return new RevisionWait(connection(), terminal.err());
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
  }
}
