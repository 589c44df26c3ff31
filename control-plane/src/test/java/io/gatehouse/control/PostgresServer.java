package io.gatehouse.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A PostgreSQL 15 cluster of the test's own, in a temporary folder, on a free port of 127.0.0.1. As
 * root it runs as the user {@code postgres}, which PostgreSQL insists on.
 */
public final class PostgresServer implements AutoCloseable {
  private static final Path BIN = Path.of("/usr/lib/postgresql/15/bin");
  private static final String SYSTEM_USER = "postgres";
  private static final String ROLE = "gatehouse";
  private static final long COMMAND_SECONDS = 60;

  private final AtomicInteger databases = new AtomicInteger();
  private final Path folder;
  private final int port;
  private final Thread hook = new Thread(this::stopQuietly);

  private PostgresServer(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  /** Makes and starts a cluster; fails if PostgreSQL 15 is not installed. */
  public static PostgresServer start() {
    try {
      Path folder = Files.createTempDirectory("gatehouse-pg");
      if (isRoot()) {
        UserPrincipal owner =
            folder
                .getFileSystem()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(SYSTEM_USER);
        Files.setOwner(folder, owner);
      }
      PostgresServer server = new PostgresServer(folder, freePort());
      server.run("initdb", "-D", server.cluster(), "-U", ROLE, "-A", "trust", "-N", "-E", "UTF8");
      server.startAgain();
      Runtime.getRuntime().addShutdownHook(server.hook);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the stopped cluster on the same port. */
  public void startAgain() {
    String options = "-p " + port + " -k " + folder + " -c listen_addresses=127.0.0.1 -c fsync=off";
    run(
        "pg_ctl",
        "-D",
        cluster(),
        "-w",
        "-l",
        folder.resolve("log").toString(),
        "-o",
        options,
        "start");
  }

  /** Stops the cluster as a power cut would. */
  public void stop() {
    run("pg_ctl", "-D", cluster(), "-w", "-m", "immediate", "stop");
  }

  /** JDBC URL of a new, empty database. */
  public String newDatabase() {
    String name = "journal" + databases.incrementAndGet();
    try (Connection connection = DriverManager.getConnection(url("postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return url(name);
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    stopQuietly();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=" + ROLE;
  }

  private String cluster() {
    return folder.resolve("cluster").toString();
  }

  private void stopQuietly() {
    try {
      stop();
    } catch (IllegalStateException e) {
      // It is stopped already.
      return;
    }
  }

  private void run(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", SYSTEM_USER, "--"));
    }
    command.add(BIN.resolve(program).toString());
    command.addAll(List.of(arguments));
    try {
      Path output = folder.resolve("output-" + program);
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException(program + ": " + Files.readString(output));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
