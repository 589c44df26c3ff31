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
import io.gatehouse.model.security.AddressPair;
import io.gatehouse.model.security.PortSecurity;
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
  private final AllowedPairs pairs;

  public AddressAllocator(Network network, NetworkMembers members) {
    this.network = network;
    this.members = members;
    this.pairs = new AllowedPairs(network.cidrs(), members);
  }

  /** A locally administered unicast address (IEEE 802c) from the bits of a uid. */
  public MacAddress allocateMac(UUID uid, PortName port) {
    long bits = uid.getLeastSignificantBits() ^ uid.getMostSignificantBits();
    for (int attempt = 0;
        attempt <= members.macs().size() + members.pairs().size() * PortSecurity.MAX_PAIRS;
        attempt++) {
      long candidate = ((bits + attempt) & MAC_BITS) | LOCALLY_ADMINISTERED;
      MacAddress mac = new MacAddress(candidate);
      if (members.portWith(mac).isEmpty() && pairs.userOf(mac, port).isEmpty()) {
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
    pairs.userOf(mac, port).ifPresent(user -> refuseAllowed("mac_address", mac, user));
    return mac;
  }

  /**
   * The lowest free address of each prefix.
   *
   * @param own pairs of the port itself: they are for others to share
   */
  public List<IpAddress> allocateAddresses(List<AddressPair> own) {
    List<Cidr> reserved = pairs.reserved(own);
    List<IpAddress> addresses = new ArrayList<>();
    for (Cidr cidr : network.cidrs()) {
      addresses.add(lowestFree(cidr, reserved));
    }
    return addresses;
  }

  public void checkPairs(List<AddressPair> asked, PortName port) {
    pairs.check(asked, port);
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
    pairs.userOf(address, port).ifPresent(user -> refuseAllowed(field, address, user));
  }

  private static void refuseAllowed(String field, Object address, PortName user) {
    throw Refusals.taken(field, address + " is among the allowed address pairs of " + user);
  }

  /** Why a port cannot have the pair in a network of these prefixes; empty if it can. */
  public static String problemOf(AddressPair pair, List<Cidr> cidrs) {
    return AllowedPairs.problemOf(pair, cidrs);
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
   * The lowest address that no port has and that is not reserved. Prefixes hold each other or do
   * not touch: in their order each one is passed once.
   */
  private IpAddress lowestFree(Cidr cidr, List<Cidr> reserved) {
    long offset = lowestFree(cidr, 1);
    for (Cidr range : reserved) {
      if (range.contains(cidr.at(offset))) {
        BigInteger behind =
            range.last().toBigInteger().subtract(cidr.address().toBigInteger()).add(BigInteger.ONE);
        if (behind.bitLength() >= Long.SIZE) {
          throw exhausted(cidr);
        }
        offset = lowestFree(cidr, behind.longValue());
      }
    }
    return cidr.at(offset);
  }

  /**
   * The first gap among the taken addresses, from an offset. The i-th taken address from there,
   * counted from 0, is at least i behind it, and exactly i where there is no gap up to it: so the
   * gap is found by halving.
   */
  private long lowestFree(Cidr cidr, long from) {
    if (BigInteger.valueOf(from).compareTo(cidr.size()) >= 0) {
      throw exhausted(cidr);
    }
    var taken = members.addresses().subMap(cidr.at(from), true, cidr.last(), true);
    long low = from;
    long high = from + taken.size();
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (taken.headMap(cidr.at(middle), true).size() <= middle - from) {
        high = middle;
        continue;
      }
      low = middle + 1;
    }
    boolean behind = BigInteger.valueOf(low).compareTo(cidr.size()) >= 0;
    if (behind || !problemOf(cidr.at(low), network.cidrs()).isEmpty()) {
      throw exhausted(cidr);
    }
    return low;
  }

  private RefusedException exhausted(Cidr cidr) {
    return new RefusedException(
        Kind.RESOURCE_EXHAUSTED,
        "ip_addresses",
        "no address of " + cidr + " in " + network.name() + " is free");
  }
}
