package io.gatehouse.agent.prove;

import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.net.IpAddress;
import java.util.Optional;

/** Where a packet comes from, or arrives. */
public sealed interface Place {
  /** For people: a resource's name where there is one. */
  String text();

  /** The network that it belongs to, empty if none. */
  default Optional<NetworkName> network() {
    return Optional.empty();
  }

  /** A port of this DPU. */
  record Local(PortName port) implements Place {
    @Override
    public String text() {
      return port.toString();
    }

    @Override
    public Optional<NetworkName> network() {
      return Optional.of(port.network());
    }
  }

  /** The other end of a tunnel, inside one network. */
  record Tunnel(IpAddress vtep, int vni, Optional<NetworkName> in) implements Place {
    @Override
    public String text() {
      return "VTEP " + vtep + " VNI " + vni;
    }

    @Override
    public Optional<NetworkName> network() {
      return in;
    }
  }

  /** A port of the switch that no policy names. */
  record Unknown(String what) implements Place {
    @Override
    public String text() {
      return what;
    }
  }

  /** A controller: the agent itself. */
  record Controller() implements Place {
    @Override
    public String text() {
      return "the agent";
    }
  }
}
