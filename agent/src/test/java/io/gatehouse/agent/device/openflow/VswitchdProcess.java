package io.gatehouse.agent.device.openflow;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real ovsdb-server and ovs-vswitchd of one's own, in a temporary folder and a network namespace
 * of their own. Needs root. Closing it stops what it started and removes what it made.
 */
public final class VswitchdProcess implements AutoCloseable {
  private static final long COMMAND_SECONDS = 30;

  private final Path directory;
  private final String namespace;
  private final List<Process> daemons = new ArrayList<>();
  private int starts;

  private VswitchdProcess(Path directory, String namespace) {
    this.directory = directory;
    this.namespace = namespace;
  }

  /** Starts both; the word begins the names of folder and namespace. */
  public static VswitchdProcess start(String word) {
    VswitchdProcess process;
    try {
      Path directory = Files.createTempDirectory(word);
      String namespace = word + "-" + ProcessHandle.current().pid() + "-" + directory.hashCode();
      process = new VswitchdProcess(directory, namespace);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      process.startDaemons();
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
    return process;
  }

  /** Where the sockets are. */
  public Path directory() {
    return directory;
  }

  /** The network namespace of the daemons. */
  public String namespace() {
    return namespace;
  }

  public Path databaseSocket() {
    return directory.resolve("db.sock");
  }

  /** The bridge's OpenFlow management socket as ovs-ofctl names it. */
  public String managementTarget(String bridge) {
    return "unix:" + directory.resolve(bridge + ".mgmt");
  }

  /** Adds a bridge of the userspace datapath without any flow. */
  public void addBridge(String bridge) {
    vsctl(
        "add-br",
        bridge,
        "--",
        "set",
        "bridge",
        bridge,
        "datapath_type=netdev",
        "fail_mode=secure");
  }

  public String vsctl(String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("ovs-vsctl", "--db=unix:" + databaseSocket(), "--timeout=20"));
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** Runs ovs-ofctl with OpenFlow 1.5; the bridge follows the command. */
  public String ofctl(String command, String bridge, String... arguments) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("ovs-ofctl", "-O", "OpenFlow15", command, managementTarget(bridge)));
    line.addAll(List.of(arguments));
    return run(line);
  }

  /** Adds the flows of a file in one bundle, as fast as ovs-ofctl can. */
  public String ofctlBundle(String bridge, Path flows) {
    return run(
        List.of(
            "ovs-ofctl",
            "-O",
            "OpenFlow15",
            "--bundle",
            "add-flows",
            managementTarget(bridge),
            flows.toString()));
  }

  public String appctl(String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("ovs-appctl", "-t", "ovs-vswitchd"));
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** Ends ovs-vswitchd at once, as a crash would; {@link #startVswitchd} brings it back. */
  public void killVswitchd() {
    stop(daemons.remove(1));
  }

  /** Starts ovs-vswitchd and waits until it has configured its bridges. */
  public void startVswitchd() {
    Path pidFile = directory.resolve("ovs-vswitchd.pid");
    // One that was killed leaves it: it must not be taken for the new one's.
    delete(pidFile);
    daemons.add(
        spawn(
            List.of(
                "ip",
                "netns",
                "exec",
                namespace,
                "ovs-vswitchd",
                "unix:" + databaseSocket(),
                "--pidfile=" + pidFile,
                "--log-file=" + directory.resolve("vswitchd.log"),
                "-vconsole:off",
                "-vsyslog:off")));
    await(pidFile);
    await(directory.resolve("ovs-vswitchd." + read(pidFile).strip() + ".ctl"));
    // Only after a change does this wait for the switch to have taken it over.
    vsctl("set", "Open_vSwitch", ".", "external_ids:started=" + starts++);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void startDaemons() {
    Path database = directory.resolve("conf.db");
    run(
        List.of(
            "ovsdb-tool",
            "create",
            database.toString(),
            "/usr/share/openvswitch/vswitch.ovsschema"));
    run(List.of("ip", "netns", "add", namespace));
    run(List.of("ip", "-n", namespace, "link", "set", "dev", "lo", "up"));
    daemons.add(
        spawn(
            List.of(
                "ovsdb-server",
                database.toString(),
                "--remote=punix:" + databaseSocket(),
                "--unixctl=" + directory.resolve("ovsdb.ctl"),
                "--pidfile=" + directory.resolve("ovsdb.pid"),
                "--log-file=" + directory.resolve("ovsdb.log"),
                "-vconsole:off",
                "-vsyslog:off")));
    await(databaseSocket());
    vsctl("--no-wait", "init");
    startVswitchd();
  }

  private Process spawn(List<String> command) {
    try {
      return builder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command to its end; its output, or a failure with its output. */
  public String run(List<String> command) {
    try {
      Path output = Files.createTempFile(directory, "output", ".txt");
      Process process = builder(command).redirectOutput(output.toFile()).start();
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(command + " did not end in time");
      }
      String text = Files.readString(output);
      Files.delete(output);
      if (process.exitValue() != 0) {
        throw new IllegalStateException(command + " failed: " + text);
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    for (String name : List.of("OVS_RUNDIR", "OVS_LOGDIR", "OVS_DBDIR", "OVS_SYSCONFDIR")) {
      environment.put(name, directory.toString());
    }
    return builder;
  }

  /** A daemon makes its socket when it is ready; nothing tells of it but the file. */
  private static void await(Path socket) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(COMMAND_SECONDS);
    while (!Files.exists(socket)) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(socket + " did not appear");
      }
      try {
        TimeUnit.MILLISECONDS.sleep(5);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  private static void stop(Process process) {
    process.destroyForcibly();
    try {
      process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    for (int i = daemons.size() - 1; i >= 0; i--) {
      stop(daemons.get(i));
    }
    try {
      builder(List.of("ip", "netns", "del", namespace)).start().waitFor();
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The meters and groups that the actions of these tests name. */
  void addMetersAndGroups(String bridge) {
    ofctl("add-group", bridge, "group_id=5,type=all,bucket=actions=drop");
    for (int meter : new int[] {3, 5}) {
      ofctl("add-meter", bridge, "meter=" + meter + ",kbps,band=type=drop,rate=1000");
    }
  }

  void sendPacket(String bridge) {
    ofctl(
        "packet-out",
        bridge,
        "in_port=LOCAL,packet=ffffffffffff020000000001080600010800060400010200000000010a000001"
            + "0000000000000a000002,actions=TABLE");
  }
}
