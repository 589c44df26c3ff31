package io.gatehouse.agent.device.ovsdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real ovsdb-server with the switch's schema in a directory of the test. Listens on a unix socket
 * and on 127.0.0.1, clear and, where certificates were given, TLS. Not thread-safe. A daemon that
 * is not installed fails the test.
 */
public final class OvsdbServerProcess implements AutoCloseable {
  private static final String SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema";
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Path directory;
  private final int tcpPort;
  private final int tlsPort;
  private final Optional<TestCertificates> tls;
  private @Nullable Process process;

  private OvsdbServerProcess(Path directory, Optional<TestCertificates> tls) {
    this.directory = directory;
    this.tls = tls;
    this.tcpPort = freePort();
    this.tlsPort = freePort();
  }

  /** Makes a database with the one row of {@code Open_vSwitch}, and starts. */
  public static OvsdbServerProcess start(Path directory) {
    return start(directory, Optional.empty());
  }

  /** As {@link #start(Path)}, and serves TLS to clients that the same CA has signed. */
  static OvsdbServerProcess start(Path directory, Optional<TestCertificates> tls) {
    OvsdbServerProcess server = new OvsdbServerProcess(directory, tls);
    run(List.of("ovsdb-tool", "create", server.database(), SCHEMA));
    server.start();
    server.vsctl("init");
    return server;
  }

  public OvsdbAddress unix() {
    return new OvsdbAddress.Unix(socket().toString());
  }

  public OvsdbAddress tcp() {
    return OvsdbAddress.parse("tcp:127.0.0.1:" + tcpPort);
  }

  public OvsdbAddress ssl() {
    return OvsdbAddress.parse("ssl:127.0.0.1:" + tlsPort);
  }

  public Path socket() {
    return directory.resolve("db.sock");
  }

  public long pid() {
    return running().pid();
  }

  /** Changes the database from outside, and does not wait for any ovs-vswitchd. */
  public String vsctl(String... words) {
    List<String> command = new ArrayList<>(List.of("ovs-vsctl", "--no-wait", "--timeout=10"));
    command.add("--db=unix:" + socket());
    command.addAll(List.of(words));
    return run(command);
  }

  /** Serves a second database, of this schema file. */
  void addDatabase(String schema) {
    String file = directory.resolve("second.db").toString();
    run(List.of("ovsdb-tool", "create", file, schema));
    run(List.of("ovs-appctl", "--target=" + control(), "ovsdb-server/add-db", file));
  }

  /** Converts the database to this schema file while it is served. */
  void convert(String schema) {
    run(List.of("ovsdb-client", "--timeout=10", "convert", "unix:" + socket(), schema));
  }

  /** Starts again on the same database, and returns when it listens. */
  public void start() {
    try {
      List<String> command =
          new ArrayList<>(
              List.of(
                  "ovsdb-server",
                  database(),
                  "--remote=punix:" + socket(),
                  "--remote=ptcp:" + tcpPort + ":127.0.0.1",
                  "--unixctl=" + control(),
                  "-vconsole:off",
                  "--log-file=" + directory.resolve("ovsdb.log")));
      tls.ifPresent(
          certificates -> {
            command.add("--remote=pssl:" + tlsPort + ":127.0.0.1");
            command.add("--private-key=" + certificates.serverKey());
            command.add("--certificate=" + certificates.serverCertificate());
            command.add("--ca-cert=" + certificates.authority());
          });
      Files.deleteIfExists(socket());
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("ovsdb.out").toFile())
              .start();
      run(
          List.of(
              "ovsdb-client",
              "--timeout=10",
              "wait",
              "unix:" + socket(),
              "Open_vSwitch",
              "connected"));
    } catch (IOException e) {
      throw new UncheckedIOException("ovsdb-server is needed (package openvswitch-switch)", e);
    }
  }

  /** Ends the process at once, as a crash would. */
  public void kill() {
    Process ended = running();
    ended.destroyForcibly();
    awaitExit(ended);
    process = null;
  }

  public void restart() {
    kill();
    start();
  }

  /** The process stays, with its connections, and does nothing: SIGSTOP. */
  public void pause() {
    run(List.of("kill", "-STOP", Long.toString(pid())));
  }

  /** After {@link #pause()}: SIGCONT. */
  public void resume() {
    run(List.of("kill", "-CONT", Long.toString(pid())));
  }

  @Override
  public void close() {
    if (process != null) {
      kill();
    }
  }

  private Path control() {
    return directory.resolve("ovsdb.ctl");
  }

  private String database() {
    return directory.resolve("conf.db").toString();
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException("ovsdb-server does not run");
    }
    return process;
  }

  /** Runs a command to its end, with a limit; the output, or a failure that shows it. */
  static String run(List<String> command) {
    try {
      Path output = Files.createTempFile("ghovs", ".out");
      Process started =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      awaitExit(started);
      String said = Files.readString(output);
      Files.delete(output);
      if (started.exitValue() != 0) {
        throw new IllegalStateException(command + " failed: " + said);
      }
      return said.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(command.get(0) + " is needed", e);
    }
  }

  private static void awaitExit(Process started) {
    try {
      if (!started.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        started.destroyForcibly();
        throw new IllegalStateException(started.info().commandLine() + " did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
