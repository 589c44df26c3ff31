package io.gatehouse.control.api;

import static io.gatehouse.wire.FieldReader.read;

import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Network;
import io.gatehouse.model.Operator;
import io.gatehouse.model.Peering;
import io.gatehouse.model.Port;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.OperatorName;
import io.gatehouse.model.name.PeeringName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.model.security.SecurityGroup;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The owner of what is listed; "-" in place of an id stands for all (AIP-159). */
public final class Parent {
  private static final String FIELD = "parent";
  private static final String ANY = "-";

  private Parent() {}

  /** The networks below {@code tenants/{tenant}}. */
  public static NavigableMap<NetworkName, Network> networks(Image image, String parent) {
    if (parent.equals("tenants/" + ANY)) {
      return image.networks();
    }
    TenantName tenant = read(FIELD, parent, TenantName::parse);
    existing(image.tenant(tenant), parent);
    return image.networksOf(tenant);
  }

  /** The security groups below {@code tenants/{tenant}}. */
  public static NavigableMap<SecurityGroupName, SecurityGroup> securityGroups(
      Image image, String parent) {
    if (parent.equals("tenants/" + ANY)) {
      return image.securityGroups();
    }
    TenantName tenant = read(FIELD, parent, TenantName::parse);
    existing(image.tenant(tenant), parent);
    return image.securityGroupsOf(tenant);
  }

  /** The fleet's operators for an empty parent, else those below {@code tenants/{tenant}}. */
  public static NavigableMap<OperatorName, Operator> operators(Image image, String parent) {
    if (parent.isEmpty()) {
      return image.fleetOperators();
    }
    if (parent.equals("tenants/" + ANY)) {
      int fleet = image.fleetOperators().size();
      return fleet == 0
          ? image.operators()
          : image.operators().tailMap(image.fleetOperators().lastKey(), false);
    }
    TenantName tenant = read(FIELD, parent, TenantName::parse);
    existing(image.tenant(tenant), parent);
    return image.operatorsOf(tenant);
  }

  /** The ports below {@code tenants/{tenant}/networks/{network}}, and some around them. */
  public static NavigableMap<PortName, Port> ports(Image image, String parent) {
    return below(image, parent, image.ports(), image::portsOf, image::portsOf);
  }

  /** The peerings below {@code tenants/{tenant}/networks/{network}}, and some around them. */
  public static NavigableMap<PeeringName, Peering> peerings(Image image, String parent) {
    return below(image, parent, image.peerings(), image::peeringsOf, image::peeringsOf);
  }

  /** The networks of which the ports or peerings are meant. */
  public static Predicate<NetworkName> meant(String parent) {
    String[] parts = parts(parent);
    if (!parts[1].equals(ANY) || parts[3].equals(ANY)) {
      return network -> true;
    }
    read(FIELD, parts[3], id -> new NetworkName(new TenantName("any"), id));
    return network -> network.network().equals(parts[3]);
  }

  private static <M> M below(
      Image image,
      String parent,
      M all,
      Function<TenantName, ? extends M> ofTenant,
      Function<NetworkName, ? extends M> ofNetwork) {
    String[] parts = parts(parent);
    if (parts[1].equals(ANY)) {
      return all;
    }
    TenantName tenant = read(FIELD, parts[1], TenantName::new);
    existing(image.tenant(tenant), tenant.toString());
    if (parts[3].equals(ANY)) {
      return ofTenant.apply(tenant);
    }
    NetworkName network = read(FIELD, parts[3], id -> new NetworkName(tenant, id));
    existing(image.network(network), parent);
    return ofNetwork.apply(network);
  }

  private static String[] parts(String parent) {
    String[] parts = parent.split("/", -1);
    if (parts.length != 4 || !parts[0].equals("tenants") || !parts[2].equals("networks")) {
      throw new InvalidValueException(
          FIELD, parent, "is not of the form tenants/{tenant}/networks/{network}");
    }
    return parts;
  }

  private static void existing(Optional<?> found, String name) {
    if (found.isEmpty()) {
      throw new RefusedException(RefusedException.Kind.NOT_FOUND, FIELD, name + " does not exist");
    }
  }
}
