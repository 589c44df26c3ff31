package io.gatehouse.agent.verify;

import io.gatehouse.agent.state.Policy;
import io.gatehouse.agent.state.proof.Subject;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.NetworkPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** The ports whose isolation a change may have touched. */
final class ChangedPorts {
  /** Above this many a proof of everything costs no more. */
  private static final int MAX = 64;

  private ChangedPorts() {}

  /**
   * Compares two subjects.
   *
   * @return empty for "all of them"
   */
  static Set<PortName> between(Subject before, Subject after) {
    Policy old = before.policy();
    Policy now = after.policy();
    boolean everything =
        !old.groups().equals(now.groups())
            || !old.vteps().equals(now.vteps())
            || !old.peerings().equals(now.peerings())
            || !before.facts().equals(after.facts())
            || !before.plan().problems().equals(after.plan().problems());
    if (everything) {
      return Set.of();
    }
    Set<PortName> changed = new HashSet<>();
    for (LocalPortPolicy port : now.localPorts().values()) {
      if (!port.equals(old.localPorts().get(port.name())) || isMoved(port.name(), old, now)) {
        changed.add(port.name());
      }
    }
    for (RemotePortPolicy port : now.remotePorts().values()) {
      if (!port.equals(old.remotePorts().get(port.name())) || isMoved(port.name(), old, now)) {
        changed.add(port.name());
      }
    }
    return changed.size() > MAX ? Set.of() : changed;
  }

  private static boolean isMoved(PortName port, Policy old, Policy now) {
    NetworkPolicy network = now.networks().get(port.network());
    return !Objects.equals(network, old.networks().get(port.network()));
  }
}
