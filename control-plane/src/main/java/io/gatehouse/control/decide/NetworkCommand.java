package io.gatehouse.control.decide;

import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.decide.fit.NarrowPath;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.Vni;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Commands about a network. */
public sealed interface NetworkCommand extends Command {
  NetworkName name();

  @Override
  default String subject() {
    return name().toString();
  }

  /**
   * Makes a network.
   *
   * @param vni asked for; empty: allocated
   * @param cidrs one or two prefixes, IPv4 first
   * @param mtuBytes largest IP packet inside; 0: the largest that fits
   */
  record CreateNetwork(
      Request request,
      NetworkName name,
      String displayName,
      Optional<Vni> vni,
      List<Cidr> cidrs,
      int mtuBytes,
      HostConfiguration hosts)
      implements NetworkCommand {
    public CreateNetwork {
      cidrs = List.copyOf(cidrs);
    }
  }

  /**
   * Changes a network.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record UpdateNetwork(Request request, NetworkName name, NetworkPatch patch, String etag)
      implements NetworkCommand {}

  /**
   * Removes a network.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record DeleteNetwork(Request request, NetworkName name, String etag) implements NetworkCommand {}

  /**
   * Ends a change of the MTU: what the DPUs were made to take first is put in force. Right only
   * when every DPU with a port of the network has confirmed that it takes it.
   *
   * @param facts what each DPU has reported
   */
  record SettleMtu(Request request, NetworkName name, Map<DpuName, MtuChange.Facts> facts)
      implements NetworkCommand {
    public SettleMtu {
      facts = Map.copyOf(facts);
    }
  }

  /**
   * Sets, changes or lifts the limit that the paths between a network's DPUs are to it.
   *
   * @param narrow paths that carry too little; none of those between its DPUs: no limit
   */
  record LimitPath(Request request, NetworkName name, List<NarrowPath> narrow)
      implements NetworkCommand {
    public LimitPath {
      narrow = List.copyOf(narrow);
    }
  }

  /**
   * New values; null leaves the old one.
   *
   * @param ipv4Cidrs the one new prefix, or an empty list for none
   * @param ipv6Cidrs the one new prefix, or an empty list for none
   * @param mtuBytes 0: the largest that fits
   */
  record NetworkPatch(
      @Nullable String displayName,
      @Nullable List<Cidr> ipv4Cidrs,
      @Nullable List<Cidr> ipv6Cidrs,
      @Nullable Integer mtuBytes,
      @Nullable HostConfiguration hosts) {}
}
