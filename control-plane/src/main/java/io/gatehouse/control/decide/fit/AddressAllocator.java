package io.gatehouse.control.decide.fit;

import io.gatehouse.control.decide.Refusals;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.RefusedException.Kind;
import io.gatehouse.control.image.NetworkMembers;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Gives and checks the MAC and IP addresses of a network's ports. */
public final class AddressAllocator {
  private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000L;
  private static final long MAC_BITS = 0xfcff_ffff_ffffL;

  private final Network network;
  private final NetworkMembers members;

  public AddressAllocator(Network network, NetworkMembers members) {
    this.network = network;
    this.members = members;
  }

  /** A locally administered unicast address (IEEE 802c) from the bits of a uid. */
  public MacAddress allocateMac(UUID uid) {
    long bits = uid.getLeastSignificantBits() ^ uid.getMostSignificantBits();
    for (int attempt = 0; attempt <= members.macs().size(); attempt++) {
      long candidate = ((bits + attempt) & MAC_BITS) | LOCALLY_ADMINISTERED;
      MacAddress mac = new MacAddress(candidate);
      if (members.portWith(mac).isEmpty()) {
        return mac;
      }
    }
    throw new RefusedException(Kind.RESOURCE_EXHAUSTED, "mac_address", "no address is free");
  }

  public MacAddress checkMac(MacAddress mac, PortName port) {
    Optional<PortName> owner = members.portWith(mac);
    if (owner.isPresent() && !owner.get().equals(port)) {
      throw Refusals.taken("mac_address", mac + " is taken by " + owner.get());
    }
    return mac;
  }

  /** The lowest free address of each prefix. */
  public List<IpAddress> allocateAddresses() {
    List<IpAddress> addresses = new ArrayList<>();
    for (Cidr cidr : network.cidrs()) {
      addresses.add(lowestFree(cidr));
    }
    return addresses;
  }

  public List<IpAddress> checkAddresses(List<IpAddress> addresses, PortName port) {
    for (int i = 0; i < addresses.size(); i++) {
      checkAddress("ip_addresses[" + i + "]", addresses.get(i), port);
    }
    return addresses;
  }

  private void checkAddress(String field, IpAddress address, PortName port) {
    String problem = problemOf(address, network.cidrs());
    if (!problem.isEmpty()) {
      throw new InvalidValueException(field, address, problem);
    }
    Optional<PortName> owner = members.portWith(address);
    if (owner.isPresent() && !owner.get().equals(port)) {
      throw Refusals.taken(field, address + " is taken by " + owner.get());
    }
  }

  /** Why a host cannot have the address in a network of these prefixes; empty if it can. */
  public static String problemOf(IpAddress address, List<Cidr> cidrs) {
    Optional<Cidr> home = cidrs.stream().filter(cidr -> cidr.contains(address)).findFirst();
    if (home.isEmpty()) {
      List<String> prefixes = cidrs.stream().map(Objects::toString).toList();
      return "is outside " + String.join(" and ", prefixes);
    }
    if (address.equals(home.get().address())) {
      return address.isV4()
          ? "is the network address of " + home.get()
          : "is the subnet-router anycast address of " + home.get();
    }
    if (address.isV4() && address.equals(home.get().last())) {
      return "is the broadcast address of " + home.get();
    }
    return "";
  }

  /**
   * The first gap among the taken addresses. The i-th taken address, from 1, has an offset of at
   * least i, and of exactly i where there is no gap up to it: so the gap is found by halving.
   */
  private IpAddress lowestFree(Cidr cidr) {
    var taken = members.addresses().subMap(cidr.at(1), true, cidr.last(), true);
    long low = 1;
    long high = taken.size() + 1L;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (taken.headMap(cidr.at(middle), true).size() < middle) {
        high = middle;
        continue;
      }
      low = middle + 1;
    }
    boolean behind = BigInteger.valueOf(low).compareTo(cidr.size()) >= 0;
    if (behind || !problemOf(cidr.at(low), network.cidrs()).isEmpty()) {
      throw exhausted(cidr);
    }
    return cidr.at(low);
  }

  private RefusedException exhausted(Cidr cidr) {
    return new RefusedException(
        Kind.RESOURCE_EXHAUSTED,
        "ip_addresses",
        "no address of " + cidr + " in " + network.name() + " is free");
  }
}
