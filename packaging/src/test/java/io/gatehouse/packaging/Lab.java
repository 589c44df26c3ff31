package io.gatehouse.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A lab of the tests, with namespaces {@code ght1-…} (or {@code ght1n-…} without Gatehouse's
 * programs, {@code ght1v-…} over IPv6): another number in each JVM that runs tests, so that they
 * may run at the same time, and a demo beside them. Made by {@code packaging/lab}, which its
 * methods call; closing it removes everything but the logs. For use by one thread at a time.
 */
public final class Lab implements AutoCloseable {
  /** What {@code lab stop|start|kill|restart} takes. */
  public enum Daemon {
    AGENT("agent"),
    VSWITCHD("vswitchd"),
    OVSDB("ovsdb");

    private final String word;

    Daemon(String word) {
      this.word = word;
    }
  }

  private static final Path PACKAGING = Path.of(System.getProperty("basedir", "")).toAbsolutePath();

  /** For the one who writes a test: take the lab that runs, and leave it running. */
  private static final boolean KEEP = System.getenv("GATEHOUSE_LAB_KEEP") != null;

  /** Another one in each JVM that runs tests; Maven says it. */
  private static final String NAME = System.getProperty("lab.name", "ght1");

  private final String name;

  private Lab(String name) {
    this.name = name;
  }

  /** A lab with everything running: control plane, Open vSwitch and agents. */
  public static Lab running(int dpus) {
    return up(NAME, "--dpus", String.valueOf(dpus));
  }

  /** A lab without Gatehouse's programs: the network and Open vSwitch alone. */
  static Lab networkOnly(int dpus) {
    return up(NAME + "n", "--no-agents", "--dpus", String.valueOf(dpus));
  }

  /** A lab with everything running over an underlay of IPv6 alone; may stand beside another one. */
  static Lab overIpv6(int dpus) {
    return up(NAME + "v", "--underlay", "v6", "--dpus", String.valueOf(dpus));
  }

  private static Lab up(String name, String... options) {
    Lab lab = new Lab(name);
    if (KEEP) {
      lab.run(joined(List.of("up"), List.of(options)));
      return lab;
    }
    lab.run("down"); // what a test run that was killed left behind
    try {
      lab.run(joined(List.of("up"), List.of(options)));
    } catch (AssertionError e) {
      lab.tryRun("down");
      throw e;
    }
    return lab;
  }

  /**
   * Runs {@code packaging/lab} with these arguments and returns what it printed; it must succeed.
   */
  public String run(String... arguments) {
    return tryRun(arguments).expectSuccess();
  }

  /** Runs {@code packaging/lab} with these arguments, whatever comes of it. */
  public CommandResult tryRun(String... arguments) {
    return CommandResult.of(
        Map.of("GATEHOUSE_LAB_NAME", name),
        joined(List.of(PACKAGING.resolve("lab").toString()), List.of(arguments)));
  }

  /** Runs a command in a host, dpuN, fabN, fabric or control; it must succeed. */
  public String exec(String place, String... command) {
    return run(joined(List.of("exec", place), List.of(command)));
  }

  /** Runs the command line {@code gatehouse} as the lab's operator; it must succeed. */
  public String gatehouse(String... arguments) {
    return run(joined(List.of("gatehouse"), List.of(arguments)));
  }

  public void addHost(TenantHost host) {
    run(host.addCommand());
  }

  void removeHost(String name) {
    run("host", "del", name);
  }

  void start(Daemon daemon, int dpu) {
    run("start", daemon.word, String.valueOf(dpu));
  }

  void stop(Daemon daemon, int dpu) {
    run("stop", daemon.word, String.valueOf(dpu));
  }

  /** Ends the daemon with SIGKILL. */
  void kill(Daemon daemon, int dpu) {
    run("kill", daemon.word, String.valueOf(dpu));
  }

  void restart(Daemon daemon, int dpu) {
    run("restart", daemon.word, String.valueOf(dpu));
  }

  void startControlPlane() {
    run("start", "control-plane");
  }

  void stopControlPlane() {
    run("stop", "control-plane");
  }

  /** Ends the control plane with SIGKILL. */
  void killControlPlane() {
    run("kill", "control-plane");
  }

  /**
   * Whether one of five echo requests is answered, a new one each second. Not all by one ping: that
   * ends at the first "host unreachable", which may be the end of an older question for the MAC.
   */
  boolean reaches(String place, String address) {
    for (int i = 0; i < 5; i++) {
      if (tryRun("exec", place, "ping", "-c", "1", "-W", "1", address).status() == 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether three echo requests, each given half a second, all stay unanswered. */
  boolean isCutOff(String place, String address) {
    return tryRun("exec", place, "ping", "-c", "3", "-i", "0.2", "-W", "0.5", address)
        .output()
        .contains("3 packets transmitted, 0 received");
  }

  /** Starts a stream of numbered datagrams from one place to another, 100 a second. */
  UdpProbe probe(String from, String to, InetAddress address) {
    return UdpProbe.start(namespace(from), namespace(to), address);
  }

  /** The state folder, such as {@code /run/gatehouse-lab/ght1}. */
  public Path directory() {
    String root = System.getenv().getOrDefault("GATEHOUSE_LAB_DIR", "/run/gatehouse-lab");
    return Path.of(root, name);
  }

  public NetworkNamespace namespace(String place) {
    return new NetworkNamespace(name + "-" + place);
  }

  /** Names of the namespaces that are there now, without the prefix. */
  List<String> places() throws IOException {
    Path folder = Path.of("/run/netns");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> names = Files.list(folder)) {
      return names
          .map(path -> String.valueOf(path.getFileName()))
          .filter(place -> place.startsWith(name + "-"))
          .map(place -> place.substring(name.length() + 1))
          .sorted()
          .toList();
    }
  }

  @Override
  public void close() {
    if (KEEP) {
      return;
    }
    keepLogs();
    run("down");
  }

  /** Copies what the programs said to {@code target/lab-logs}, for the one who asks why. */
  private void keepLogs() {
    Path kept = PACKAGING.resolve("target").resolve("lab-logs").resolve(name);
    try (Stream<Path> files =
        Files.find(directory(), 2, (path, what) -> path.toString().endsWith(".log"))) {
      for (Path log : files.toList()) {
        Path copy = kept.resolve(directory().relativize(log));
        Files.createDirectories(copy.resolveSibling(""));
        Files.copy(log, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (NoSuchFileException e) {
      // The lab is gone already, and its logs with it.
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String[] joined(List<String> first, List<String> second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(second);
    return all.toArray(String[]::new);
  }
}
