package io.gatehouse.agent;

import io.gatehouse.agent.device.lldp.LldpClient;
import io.gatehouse.agent.device.ovsdb.OvsdbAddress;
import io.gatehouse.agent.state.Site;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.config.HostPort;
import io.gatehouse.runtime.config.YamlMap;
import io.gatehouse.runtime.config.YamlReader;
import io.gatehouse.runtime.log.LogSettings;
import io.gatehouse.runtime.observe.ObserveSettings;
import io.gatehouse.runtime.tls.TlsPaths;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Settings of an agent, from its YAML file.
 *
 * @param underlayMtuBytes MTU of the interface that holds the VTEP address
 * @param probePort UDP port where probes of the underlay paths arrive, on all DPUs
 * @param lldpSocket where lldpd listens
 * @param identity who this DPU is
 * @param stateDirectory holds the last good policy
 * @param socket of the local service
 * @param observe loopback address of metrics and probes
 */
public record AgentConfig(
    Site site,
    int underlayMtuBytes,
    int probePort,
    Path lldpSocket,
    Upstream controlPlane,
    Identity identity,
    Ovs ovs,
    Functions functions,
    Path stateDirectory,
    Path socket,
    InetSocketAddress observe,
    LogSettings log) {

  private static final int DEFAULT_OBSERVE_PORT = 9_464;
  private static final int MAX_TARGETS = 16;

  /**
   * Where the control plane is.
   *
   * @param targets its replicas; if one is away the next is tried
   * @param serverName name that their certificates must carry
   */
  public record Upstream(List<HostPort> targets, String serverName) {

    public Upstream {
      targets = List.copyOf(targets);
      if (targets.isEmpty()) {
        throw new InvalidValueException("control_plane.target", "[]", "names no control plane");
      }
    }

    static Supplier<Upstream> read(YamlMap root) {
      YamlMap map = root.map("control_plane");
      Supplier<List<HostPort>> targets =
          map.list("target", MAX_TARGETS, HostPort::parse).required();
      Supplier<String> serverName = map.text("server_name").required();
      return () -> new Upstream(targets.get(), serverName.get());
    }
  }

  /**
   * Who this DPU is.
   *
   * @param directory holds what the agent was given at its enrolment
   * @param tokenFile where a token may appear; it is used, and removed
   * @param enrollmentTargets the control plane's replicas, where those without a valid certificate
   *     are served
   */
  public record Identity(
      Path directory, Optional<Path> tokenFile, List<HostPort> enrollmentTargets) {
    private static final Path DEFAULT_DIRECTORY = Path.of("/var/lib/gatehouse/identity");

    public Identity {
      enrollmentTargets = List.copyOf(enrollmentTargets);
    }

    static Supplier<Identity> read(YamlMap map) {
      Supplier<Path> directory = map.path("directory").orElse(DEFAULT_DIRECTORY);
      Supplier<Optional<Path>> tokenFile = map.path("token_file").optional();
      Supplier<List<HostPort>> targets =
          map.list("enrollment_target", MAX_TARGETS, HostPort::parse).orElse(List.of());
      return () -> new Identity(directory.get(), tokenFile.get(), targets.get());
    }
  }

  /**
   * Where Open vSwitch is.
   *
   * @param runDirectory holds the bridges' management sockets
   * @param tls certificate for a database at an {@code ssl:} address, and whom to trust there
   */
  public record Ovs(OvsdbAddress database, Path runDirectory, Optional<TlsPaths> tls) {
    static Supplier<Ovs> read(YamlMap map) {
      Supplier<OvsdbAddress> database =
          map.value("database", OvsdbAddress::parse)
              .orElse(OvsdbAddress.parse("unix:/run/openvswitch/db.sock"));
      Supplier<Path> run = map.path("run_directory").orElse(Path.of("/run/openvswitch"));
      Supplier<TlsPaths> tls = map.has("tls") ? TlsPaths.read(map.map("tls")) : null;
      return () -> new Ovs(database.get(), run.get(), Optional.ofNullable(tls).map(Supplier::get));
    }
  }

  /**
   * How functions are found.
   *
   * @param byName devices that are functions by their own names, where nothing else names them
   * @param uplink device towards the underlay: no bridge may join it with a function
   */
  public record Functions(Set<String> byName, Optional<String> uplink) {
    private static final int MAX = 1_024;

    static Supplier<Functions> read(YamlMap map) {
      Supplier<List<String>> byName = map.list("by_name", MAX, name -> name).orElse(List.of());
      Supplier<Optional<String>> uplink = map.text("uplink").optional();
      return () -> new Functions(Set.copyOf(byName.get()), uplink.get());
    }
  }

  /**
   * Reads a file.
   *
   * @throws io.gatehouse.runtime.config.ConfigException with every problem of the file
   */
  public static AgentConfig read(Path file) {
    YamlMap root = YamlReader.read(file);
    SiteSettings site = SiteSettings.read(root);
    Supplier<Path> lldp = root.map("lldp").path("socket").orElse(LldpClient.DEFAULT_SOCKET);
    Supplier<Upstream> upstream = Upstream.read(root);
    Supplier<Identity> identity = Identity.read(root.map("identity"));
    Supplier<Ovs> ovs = Ovs.read(root.map("ovs"));
    Supplier<Functions> functions = Functions.read(root.map("functions"));
    Supplier<Path> state = root.path("state_directory").orElse(Path.of("/var/lib/gatehouse"));
    Supplier<Path> socket = root.path("socket").orElse(Path.of("/run/gatehouse/agent.sock"));
    Supplier<InetSocketAddress> observe =
        ObserveSettings.read(root.map("observe"), DEFAULT_OBSERVE_PORT);
    Supplier<LogSettings> log = LogSettings.read(root.map("log"));
    return root.finish(
        () ->
            new AgentConfig(
                site.site().get(),
                site.underlayMtuBytes().get(),
                site.probePort().get(),
                lldp.get(),
                upstream.get(),
                identity.get(),
                ovs.get(),
                functions.get(),
                state.get(),
                socket.get(),
                observe.get(),
                log.get()));
  }
}
