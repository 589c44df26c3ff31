package io.gatehouse.control.image;

import io.gatehouse.model.Port;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.AddressPair;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.pcollections.TreePMap;

/**
 * What the ports of one network occupy.
 *
 * @param portsByDpu how many of its ports each DPU has, 1 or more
 * @param macs which port has which MAC address
 * @param addresses which port has which IP address
 * @param pairs what ports may use besides; only of those that have some
 */
public record NetworkMembers(
    TreePMap<DpuName, Integer> portsByDpu,
    TreePMap<MacAddress, PortName> macs,
    TreePMap<IpAddress, PortName> addresses,
    TreePMap<PortName, List<AddressPair>> pairs) {
  public static final NetworkMembers NONE =
      new NetworkMembers(TreePMap.empty(), TreePMap.empty(), TreePMap.empty(), TreePMap.empty());

  /** The DPUs with a port of the network, in name order. */
  public Set<DpuName> dpus() {
    return portsByDpu.keySet();
  }

  public Optional<PortName> portWith(MacAddress mac) {
    return Optional.ofNullable(macs.get(mac));
  }

  public Optional<PortName> portWith(IpAddress address) {
    return Optional.ofNullable(addresses.get(address));
  }

  NetworkMembers plus(Port port) {
    TreePMap<IpAddress, PortName> nextAddresses = addresses;
    for (IpAddress address : port.addresses()) {
      nextAddresses = nextAddresses.plus(address, port.name());
    }
    int count = portsByDpu.getOrDefault(port.dpu(), 0);
    List<AddressPair> allowed = port.security().allowedPairs();
    return new NetworkMembers(
        portsByDpu.plus(port.dpu(), count + 1),
        macs.plus(port.mac(), port.name()),
        nextAddresses,
        allowed.isEmpty() ? pairs : pairs.plus(port.name(), allowed));
  }

  NetworkMembers minus(Port port) {
    TreePMap<IpAddress, PortName> nextAddresses = addresses;
    for (IpAddress address : port.addresses()) {
      nextAddresses = nextAddresses.minus(address);
    }
    int count = portsByDpu.getOrDefault(port.dpu(), 0);
    return new NetworkMembers(
        count > 1 ? portsByDpu.plus(port.dpu(), count - 1) : portsByDpu.minus(port.dpu()),
        macs.minus(port.mac()),
        nextAddresses,
        pairs.minus(port.name()));
  }
}
