package io.gatehouse.control.cli.command;

import com.google.protobuf.Message;
import io.gatehouse.control.cli.resource.FieldPath;
import io.gatehouse.control.cli.resource.ResourceClient;
import io.gatehouse.control.cli.resource.ResourceKind;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.Session;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What to wait for after a change: the smallest scopes that hold every DPU that it concerns. The
 * whole fleet would do, too, and one DPU that is away would then hold up every wait.
 */
final class ChangeScopes {
  private final Session session;

  ChangeScopes(Session session) {
    this.session = session;
  }

  /** Of a created or updated resource; {@code before} is there for an update. */
  Set<String> changed(ResourceKind kind, String name, Optional<Message> before) {
    Set<String> scopes = new LinkedHashSet<>();
    if (kind.equals(ResourceKinds.PORT)) {
      scopes.add(parentOf(name));
      // The DPU that loses the port may be in the network's scope no more.
      before.ifPresent(port -> scopes.add((String) FieldPath.get(port, "dpu")));
      return scopes;
    }
    if (kind.equals(ResourceKinds.OPERATOR)) {
      // No DPU is told of it: it counts from the next call on.
      return scopes;
    }
    if (kind.equals(ResourceKinds.SECURITY_GROUP)) {
      // The DPUs with ports that have it are among the tenant's.
      scopes.add(parentOf(name));
      return scopes;
    }
    if (kind.equals(ResourceKinds.PEERING)) {
      // The peer's DPUs are no business of a tenant's: nothing passes unless both sides let it.
      scopes.add(parentOf(name));
      return scopes;
    }
    scopes.add(name);
    if (kind.equals(ResourceKinds.DPU) && before.isPresent()) {
      // Its tunnel's address and MTU are also its neighbours' business.
      scopes.addAll(networksOn(name));
    }
    return scopes;
  }

  /** Of a deleted one. Tenants and DPUs own nothing when they go, so nobody has to apply that. */
  Set<String> deleted(ResourceKind kind, String name, Optional<Message> before) {
    if (kind.equals(ResourceKinds.PORT) || kind.equals(ResourceKinds.PEERING)) {
      return changed(kind, name, before);
    }
    return kind.equals(ResourceKinds.NETWORK) ? Set.of(parentOf(name)) : Set.of();
  }

  private Set<String> networksOn(String dpu) {
    Set<String> networks = new LinkedHashSet<>();
    String everywhere = ResourceKinds.PORT.form().parent("");
    for (Message port :
        new ResourceClient(session, ResourceKinds.PORT).list(everywhere, "dpu = \"" + dpu + "\"")) {
      networks.add(parentOf(ResourceKinds.PORT.nameOf(port)));
    }
    return networks;
  }

  private static String parentOf(String name) {
    String withoutId = name.substring(0, name.lastIndexOf('/'));
    return withoutId.substring(0, withoutId.lastIndexOf('/'));
  }
}
