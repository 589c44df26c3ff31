package io.gatehouse.agent.plan;

import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.AddressPair;
import io.gatehouse.model.security.PortSecurity;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The address pairs of a network's ports together: which addresses have to be asked for, and who
 * may be behind a MAC address that is no port's own.
 */
record AddressPairs(SortedSet<Cidr> addresses, SortedMap<MacAddress, Holders> macs) {
  private static final Comparator<Cidr> BY_ADDRESS =
      Comparator.comparing(Cidr::address).thenComparing(Cidr::prefixLength);

  /** Who may use a MAC address: ports of this DPU by their OpenFlow numbers, and other DPUs. */
  record Holders(SortedSet<Integer> localPorts, SortedSet<IpAddress> vteps) {}

  /** Pairs in the making. */
  static AddressPairs collecting() {
    return new AddressPairs(new TreeSet<>(BY_ADDRESS), new TreeMap<>());
  }

  void addLocal(PortSecurity security, int openFlowPort) {
    security.allowedPairs().forEach(pair -> holders(pair).localPorts().add(openFlowPort));
  }

  void addRemote(PortSecurity security, IpAddress vtep) {
    security.allowedPairs().forEach(pair -> holders(pair).vteps().add(vtep));
  }

  /** The holders of a pair's own MAC address; a list that nobody reads if it is the port's. */
  private Holders holders(AddressPair pair) {
    addresses.add(pair.addresses());
    Holders fresh = new Holders(new TreeSet<>(), new TreeSet<>());
    return pair.mac().map(mac -> macs.computeIfAbsent(mac, key -> fresh)).orElse(fresh);
  }
}
