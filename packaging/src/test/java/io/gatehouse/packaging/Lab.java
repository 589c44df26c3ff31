package io.gatehouse.packaging;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A lab of its own for one test class, with namespaces {@code ght-…}, so that a demo may run beside
 * it. Made by {@code packaging/lab}, which its methods call; closing it removes everything. For use
 * by one thread at a time.
 */
final class Lab implements AutoCloseable {
  /** What {@code lab stop|start|kill|restart} takes. */
  enum Daemon {
    AGENT("agent"),
    VSWITCHD("vswitchd"),
    OVSDB("ovsdb");

    private final String word;

    Daemon(String word) {
      this.word = word;
    }
  }

  private static final String NAME = "ght";
  private static final Path PACKAGING = Path.of(System.getProperty("basedir", "")).toAbsolutePath();

  private Lab() {}

  /** A lab with everything running: control plane, Open vSwitch and agents. */
  static Lab running(int dpus) {
    return up("--dpus", String.valueOf(dpus));
  }

  /** A lab without Gatehouse's programs: the network and Open vSwitch alone. */
  static Lab networkOnly(int dpus) {
    return up("--no-agents", "--dpus", String.valueOf(dpus));
  }

  private static Lab up(String... options) {
    Lab lab = new Lab();
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
  String run(String... arguments) {
    return tryRun(arguments).expectSuccess();
  }

  /** Runs {@code packaging/lab} with these arguments, whatever comes of it. */
  CommandResult tryRun(String... arguments) {
    return CommandResult.of(
        Map.of("GATEHOUSE_LAB_NAME", NAME),
        joined(List.of(PACKAGING.resolve("lab").toString()), List.of(arguments)));
  }

  /** Runs a command in a host, dpuN, fabN, fabric or control; it must succeed. */
  String exec(String place, String... command) {
    return run(joined(List.of("exec", place), List.of(command)));
  }

  /** Runs the command line {@code gatehouse} as the lab's operator; it must succeed. */
  String gatehouse(String... arguments) {
    return run(joined(List.of("gatehouse"), List.of(arguments)));
  }

  void addHost(TenantHost host) {
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

  /** Whether an echo request is answered within five seconds, a new one each second. */
  boolean reaches(String place, String address) {
    return tryRun("exec", place, "ping", "-c", "1", "-w", "5", address).status() == 0;
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

  /** The state folder, such as {@code /run/gatehouse-lab/ght}. */
  Path directory() {
    String root = System.getenv().getOrDefault("GATEHOUSE_LAB_DIR", "/run/gatehouse-lab");
    return Path.of(root, NAME);
  }

  NetworkNamespace namespace(String place) {
    return new NetworkNamespace(NAME + "-" + place);
  }

  /** Names of the namespaces that are there now, without the prefix. */
  static List<String> places() throws java.io.IOException {
    Path folder = Path.of("/run/netns");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var names = Files.list(folder)) {
      return names
          .map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith(NAME + "-"))
          .map(name -> name.substring(NAME.length() + 1))
          .sorted()
          .toList();
    }
  }

  @Override
  public void close() {
    run("down");
  }

  private static String[] joined(List<String> first, List<String> second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(second);
    return all.toArray(String[]::new);
  }
}
