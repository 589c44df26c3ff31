package io.gatehouse.control.cli;

import com.google.protobuf.Message;
import io.gatehouse.proto.v1.Dpu;
import io.gatehouse.proto.v1.Network;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortAdminState;
import io.gatehouse.proto.v1.PortState;
import io.gatehouse.proto.v1.PortStatus;
import io.gatehouse.proto.v1.Tenant;
import io.gatehouse.proto.v1.TenantState;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the control plane fills in and refuses, as far as the command shows it. */
final class FakeRules {
  /** Small, so that every list has pages. */
  private static final int PAGE_SIZE = 2;

  private static final Pattern FILTER = Pattern.compile("([a-z_]+) (!?=) \"(.*)\"");

  private FakeRules() {}

  /** A page of a list. */
  record Page(List<Message> resources, String next) {}

  static Page page(List<Message> all, String token, String filter) {
    List<Message> matching = all.stream().filter(r -> matches(r, filter)).toList();
    int from = token.isEmpty() ? 0 : Integer.parseInt(token);
    int to = Math.min(from + PAGE_SIZE, matching.size());
    String next = to < matching.size() ? Integer.toString(to) : "";
    return new Page(matching.subList(from, to), next);
  }

  static Message fillTenant(Message given) {
    Tenant tenant = (Tenant) given;
    Tenant.Builder filled = tenant.toBuilder();
    if (!tenant.getQuota().hasMaxNetworks()) {
      filled.getQuotaBuilder().setMaxNetworks(16);
    }
    if (!tenant.getQuota().hasMaxPorts()) {
      filled.getQuotaBuilder().setMaxPorts(1000);
    }
    if (tenant.getState() == TenantState.TENANT_STATE_UNSPECIFIED) {
      filled.setState(TenantState.TENANT_STATE_ACTIVE);
    }
    return filled.build();
  }

  static Message fillNetwork(Message given) {
    Network network = (Network) given;
    if (network.getIpv4Cidr().isEmpty() && network.getIpv6Cidr().isEmpty()) {
      throw FakeStore.invalid("network.ipv4_cidr", "\"\" is empty, and so is ipv6_cidr");
    }
    int mtu = network.getMtuBytes() == 0 ? 1450 : network.getMtuBytes();
    int vni = network.getVni() == 0 ? 5001 : network.getVni();
    return network.toBuilder().setVni(vni).setEffectiveMtuBytes(mtu).build();
  }

  static Message fillPort(Message given) {
    Port port = (Port) given;
    if (port.getDpu().isEmpty() && port.getFunction().isEmpty()) {
      throw FakeStore.invalid(
          "port.dpu", "\"\" is not of the form dpus/{dpu}",
          "port.function", "\"\" is not 1 to 64 characters long");
    }
    Port.Builder filled = port.toBuilder();
    if (port.getMacAddress().isEmpty()) {
      filled.setMacAddress("02:00:00:00:00:0a");
    }
    if (port.getIpAddressesCount() == 0) {
      filled.addIpAddresses("10.0.0.10");
    }
    if (port.getAdminState() == PortAdminState.PORT_ADMIN_STATE_UNSPECIFIED) {
      filled.setAdminState(PortAdminState.PORT_ADMIN_STATE_ENABLED);
    }
    return filled
        .setUid("6f0e8c1e-3f5b-4a6e-9d37-0a5c2b7d9e11")
        .setStatus(PortStatus.newBuilder().setState(PortState.PORT_STATE_PENDING))
        .build();
  }

  static Message fillDpu(Message given) {
    Dpu dpu = (Dpu) given;
    return dpu.getUnderlayMtuBytes() == 0 ? dpu.toBuilder().setUnderlayMtuBytes(1500).build() : dpu;
  }

  private static boolean matches(Message resource, String filter) {
    if (filter.isEmpty()) {
      return true;
    }
    Matcher term = FILTER.matcher(filter);
    if (!term.matches()) {
      throw FakeStore.invalid("filter", filter + " is not a filter");
    }
    var field = resource.getDescriptorForType().findFieldByName(term.group(1));
    boolean equal = resource.getField(field).toString().equals(term.group(3));
    return equal == term.group(2).equals("=");
  }
}
