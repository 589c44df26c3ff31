package io.gatehouse.control.cli.resource;

import com.google.protobuf.Message;
import io.gatehouse.control.cli.resource.FieldSpec.Change;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.proto.v1.DpuProto;
import io.gatehouse.proto.v1.NetworkProto;
import io.gatehouse.proto.v1.OperatorProto;
import io.gatehouse.proto.v1.PeeringProto;
import io.gatehouse.proto.v1.PortProto;
import io.gatehouse.proto.v1.SecurityGroupProto;
import io.gatehouse.proto.v1.TenantProto;
import java.util.List;

/** The table of kinds, in an order in which they can be created. */
public final class ResourceKinds {
  private static final FieldSpec DISPLAY_NAME =
      FieldSpec.of("display_name", "--display-name", "Free text for people.");
  private static final Column UPDATED = Column.ago("UPDATED", "update_time");

  public static final ResourceKind TENANT =
      new ResourceKind(
          "Tenant",
          TenantProto.getDescriptor(),
          new NameForm(List.of("tenants"), TenantName::parse),
          List.of(
              DISPLAY_NAME,
              FieldSpec.of("quota.max_networks", "--max-networks", "Networks it may own."),
              FieldSpec.of("quota.max_ports", "--max-ports", "Ports over all its networks."),
              FieldSpec.of(
                  "quota.max_security_groups", "--max-security-groups", "Groups it may own."),
              FieldSpec.of("state", "--state", "SUSPENDED closes all its ports.")),
          List.of(
              Column.of("STATE", "state"),
              quota("NETWORKS", "quota.max_networks"),
              quota("PORTS", "quota.max_ports"),
              Column.of("DISPLAY NAME", "display_name"),
              UPDATED),
          "acme");

  public static final ResourceKind DPU =
      new ResourceKind(
          "Dpu",
          DpuProto.getDescriptor(),
          new NameForm(List.of("dpus"), DpuName::parse),
          List.of(
              DISPLAY_NAME,
              FieldSpec.of("vtep_address", "--vtep", "Underlay address of its VTEP.")
                  .written(text -> IpAddress.parse(text).toString()),
              FieldSpec.of(
                  "underlay_mtu_bytes", "--underlay-mtu", "MTU of the VTEP's interface, in bytes."),
              place("site", "Building or campus."),
              place("row", "Row of racks."),
              place("rack", "Rack.")),
          List.of(
              Column.of("VTEP", "vtep_address"),
              Column.of("MTU", "underlay_mtu_bytes"),
              Column.of("CONNECTED", "status.connected"),
              revision("DESIRED", "status.desired_revision"),
              revision("APPLIED", "status.applied_revision"),
              new Column("PROBLEMS", (dpu, now) -> count(dpu, "status.problems")),
              Column.ago("LAST SEEN", "status.last_seen_time")),
          "dpu1");

  public static final ResourceKind NETWORK =
      new ResourceKind(
          "Network",
          NetworkProto.getDescriptor(),
          new NameForm(List.of("tenants", "networks"), NetworkName::parse),
          List.of(
              DISPLAY_NAME,
              FieldSpec.of("vni", "--vni", "VXLAN network identifier; left out: allocated.")
                  .changing(Change.NEVER),
              prefix("ipv4_cidr", "--ipv4", "IPv4 prefix of its ports."),
              prefix("ipv6_cidr", "--ipv6", "IPv6 prefix of its ports."),
              FieldSpec.of("mtu_bytes", "--mtu", "Largest IP packet inside; 0: what fits."),
              hosts("dns_servers", "--dns", "Name server that its hosts are told.")
                  .written(text -> IpAddress.parse(text).toString()),
              hosts("routes", "--route", "DESTINATION=ROUTER that its hosts are told."),
              hosts("lease_seconds", "--lease", "Life of a lease, in seconds; 0: a day.")),
          List.of(
              Column.of("VNI", "vni"),
              Column.of("IPV4", "ipv4_cidr"),
              Column.of("IPV6", "ipv6_cidr"),
              Column.of("MTU", "effective_mtu_bytes"),
              new Column("PATHS", (network, now) -> pathLimit(network)),
              Column.of("DISPLAY NAME", "display_name"),
              UPDATED),
          "acme/blue");

  public static final ResourceKind PEERING =
      new ResourceKind(
          "Peering",
          PeeringProto.getDescriptor(),
          new NameForm(List.of("tenants", "networks", "peerings"), PeeringName::parse),
          List.of(
              DISPLAY_NAME,
              FieldSpec.of("peer_network", "--peer", "The other network, such as globex/red.")
                  .written(NETWORK.form()::parse)
                  .changing(Change.NEVER)),
          List.of(
              new Column("PEER", (peering, now) -> shortPeer(peering)),
              Column.of("STATE", "state"),
              Column.of("DISPLAY NAME", "display_name"),
              UPDATED),
          "acme/blue/to-globex");

  public static final ResourceKind SECURITY_GROUP =
      new ResourceKind(
          "SecurityGroup",
          SecurityGroupProto.getDescriptor(),
          new NameForm(List.of("tenants", "securityGroups"), SecurityGroupName::parse),
          List.of(
              DISPLAY_NAME,
              FieldSpec.of(
                  "rules",
                  "--rule",
                  "What is allowed, such as ingress,tcp,80-443,remote=10.0.0.0/24.")),
          List.of(
              new Column("RULES", (group, now) -> count(group, "rules")),
              Column.of("PORTS", "port_count"),
              Column.of("DISPLAY NAME", "display_name"),
              UPDATED),
          "acme/web");

  public static final ResourceKind PORT =
      new ResourceKind(
          "Port",
          PortProto.getDescriptor(),
          new NameForm(List.of("tenants", "networks", "ports"), PortName::parse),
          List.of(
              DISPLAY_NAME,
              FieldSpec.of("dpu", "--dpu", "The DPU that carries it.").written(DPU.form()::parse),
              FieldSpec.of("function", "--function", "The DPU's function, such as pf0vf0."),
              FieldSpec.of("mac_address", "--mac", "MAC of the host; left out: allocated.")
                  .written(text -> MacAddress.parse(text).toString()),
              FieldSpec.of("ip_addresses", "--ip", "Address of the host; left out: allocated.")
                  .written(text -> IpAddress.parse(text).toString()),
              FieldSpec.of("admin_state", "--admin-state", "DISABLED closes it."),
              FieldSpec.of("security_groups", "--security-group", "A group, such as acme/web.")
                  .written(SECURITY_GROUP.form()::parse),
              FieldSpec.of(
                  "allowed_address_pairs",
                  "--allowed-pair",
                  "Addresses besides its own: PREFIX[,MAC]."),
              limit("egress.megabits_per_second", "--egress-mbit", "Mbit/s from the host."),
              limit("egress.burst_kilobits", "--egress-burst-kbit", "Kilobits at once."),
              limit("egress.packets_per_second", "--egress-pps", "Packets/s from the host."),
              limit("egress.burst_packets", "--egress-burst-packets", "Packets at once."),
              limit("ingress.megabits_per_second", "--ingress-mbit", "Mbit/s to the host."),
              limit("ingress.burst_kilobits", "--ingress-burst-kbit", "Kilobits at once."),
              limit("ingress.packets_per_second", "--ingress-pps", "Packets/s to the host."),
              limit("ingress.burst_packets", "--ingress-burst-packets", "Packets at once."),
              limit("connections_per_second", "--connection-rate", "New connections/s."),
              connections("Connections at a time. 0: 10000.")),
          List.of(
              new Column("DPU", (port, now) -> shortDpu(port)),
              Column.of("FUNCTION", "function"),
              Column.of("MAC", "mac_address"),
              Column.of("ADDRESSES", "ip_addresses"),
              Column.of("STATE", "status.state"),
              Column.of("REASON", "status.reason"),
              UPDATED),
          "acme/blue/web-1");

  public static final ResourceKind OPERATOR =
      new ResourceKind(
          "Operator",
          OperatorProto.getDescriptor(),
          new NameForm(List.of("tenants", "operators"), "operators", OperatorName::parse),
          List.of(
              DISPLAY_NAME,
              FieldSpec.of("role", "--role", "What it may do; TENANT_ roles for a tenant's.")),
          List.of(Column.of("ROLE", "role"), Column.of("DISPLAY NAME", "display_name"), UPDATED),
          "acme/ann");

  /** All kinds: what a resource refers to comes before it. */
  public static final List<ResourceKind> ALL =
      List.of(TENANT, OPERATOR, DPU, NETWORK, PEERING, SECURITY_GROUP, PORT);

  private ResourceKinds() {}

  private static FieldSpec prefix(String path, String flag, String help) {
    return FieldSpec.of(path, flag, help).written(text -> Cidr.parse(text).toString());
  }

  private static FieldSpec hosts(String part, String flag, String help) {
    return FieldSpec.of("host_configuration." + part, flag, help).changing(Change.WITH_PARENT);
  }

  private static FieldSpec limit(String part, String flag, String help) {
    return FieldSpec.of("rate_limits." + part, flag, help + " 0: no limit.")
        .changing(Change.WITH_PARENT);
  }

  private static FieldSpec connections(String help) {
    return FieldSpec.of("rate_limits.connections", "--connections", help)
        .changing(Change.WITH_PARENT);
  }

  private static FieldSpec place(String part, String help) {
    return FieldSpec.of("failure_domain." + part, "--" + part, help).changing(Change.WITH_PARENT);
  }

  /** Zero is a limit, and not set is not. */
  private static Column quota(String header, String path) {
    return new Column(
        header,
        (tenant, now) -> FieldPath.has(tenant, path) ? FieldPath.get(tenant, path).toString() : "");
  }

  private static Column revision(String header, String path) {
    return new Column(header, (dpu, now) -> FieldPath.get(dpu, path).toString());
  }

  private static String count(Message resource, String path) {
    int size = ((List<?>) FieldPath.get(resource, path)).size();
    return size == 0 ? "" : Integer.toString(size);
  }

  /** What a path carries, if that is too little; no word if all of it arrives everywhere. */
  private static String pathLimit(Message network) {
    if (!FieldPath.has(network, "path_limit")) {
      return "";
    }
    return "%s: %s -> %s carries %s"
        .formatted(
            FieldText.show(FieldPath.get(network, "path_limit.effect")),
            DPU.form().shorten((String) FieldPath.get(network, "path_limit.from_dpu")),
            DPU.form().shorten((String) FieldPath.get(network, "path_limit.to_dpu")),
            FieldText.show(FieldPath.get(network, "path_limit.largest_mtu_bytes")));
  }

  private static String shortPeer(Message peering) {
    return NETWORK.form().shorten((String) FieldPath.get(peering, "peer_network"));
  }

  private static String shortDpu(Message port) {
    return DPU.form().shorten((String) FieldPath.get(port, "dpu"));
  }
}
