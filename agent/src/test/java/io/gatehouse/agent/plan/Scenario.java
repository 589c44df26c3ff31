package io.gatehouse.agent.plan;

import com.google.protobuf.TextFormat;
import io.gatehouse.agent.state.Facts;
import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.PortZone;
import io.gatehouse.agent.state.Site;
import io.gatehouse.agent.state.planned.FlowPlan;
import io.gatehouse.agent.state.planned.Plan;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.policy.PolicyResource;
import io.gatehouse.proto.storage.v1.StoredPolicy;
import io.gatehouse.wire.PolicyWire;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A folder below {@code src/test/resources/plan}: a policy as the control plane sends it, what is
 * known of the machine, and the plan that must come out.
 */
record Scenario(Path folder, StoredPolicy stored, Facts facts, Site site) {
  private static final Path FOLDERS = Path.of("src", "test", "resources", "plan");

  static Scenario named(String name) throws IOException {
    return load(FOLDERS.resolve(name));
  }

  static List<Scenario> all() throws IOException {
    try (Stream<Path> folders = Files.list(FOLDERS)) {
      List<Scenario> all = new java.util.ArrayList<>();
      for (Path folder : folders.sorted().toList()) {
        all.add(load(folder));
      }
      return all;
    }
  }

  private static Scenario load(Path folder) throws IOException {
    StoredPolicy stored =
        TextFormat.parse(Files.readString(folder.resolve("policy.txtpb")), StoredPolicy.class);
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(folder.resolve("facts.properties"))) {
      properties.load(reader);
    }
    Map<String, Integer> ports = new HashMap<>();
    below(properties, "switch_port.").forEach((k, v) -> ports.put(k, Integer.valueOf(v)));
    // "number uid"
    Map<String, PortZone> zones = new HashMap<>();
    below(properties, "zone.")
        .forEach(
            (device, zone) ->
                zones.put(
                    device,
                    new PortZone(
                        Integer.parseInt(zone.split(" ", -1)[0]), zone.split(" ", -1)[1])));
    Map<IpAddress, Integer> limits = new HashMap<>();
    below(properties, "path_limit.")
        .forEach((vtep, bytes) -> limits.put(IpAddress.parse(vtep), Integer.valueOf(bytes)));
    Facts facts =
        new Facts(
            below(properties, "function."),
            ports,
            below(properties, "switch_error."),
            below(properties, "other_bridge."),
            zones,
            Map.of(),
            Optional.empty(),
            limits);
    Site site =
        new Site(
            new DpuName(properties.getProperty("dpu")),
            IpAddress.parse(properties.getProperty("vtep")),
            Site.Datapath.valueOf(properties.getProperty("datapath").toUpperCase(Locale.ROOT)),
            Optional.empty());
    return new Scenario(folder, stored, facts, site);
  }

  private static Map<String, String> below(Properties properties, String prefix) {
    Map<String, String> found = new HashMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith(prefix)) {
        found.put(key.substring(prefix.length()), properties.getProperty(key));
      }
    }
    return found;
  }

  List<PolicyResource> resources() {
    return stored.getResourcesList().stream().map(PolicyWire::fromProto).toList();
  }

  Policy policy() {
    return Policy.of(stored.getRevision(), resources());
  }

  Plan plan() {
    return PolicyPlanner.plan(policy(), facts, site, FlowPlan.EMPTY);
  }

  Path expected() {
    return folder.resolve("expected.flows");
  }

  @Override
  public String toString() {
    return folder.getFileName().toString();
  }
}
