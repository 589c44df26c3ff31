package io.gatehouse.control.fleet;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.proto.v1.ComponentState;
import io.gatehouse.proto.v1.ComponentStatus;
import io.gatehouse.proto.v1.GetFleetStatusResponse;
import io.gatehouse.proto.v1.Laggard;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Tells how far the policy is real, and who holds it up and why. */
public final class FleetStatus {
  private static final int MAX_LAGGARDS = 100;
  private static final int MAX_NETWORKS = 20;

  private final ProgressBoard board;
  private final DpuStatusStore store;

  public FleetStatus(ProgressBoard board, DpuStatusStore store) {
    this.board = board;
    this.store = store;
  }

  /** The state of a scope; empty if there is none. */
  public Optional<GetFleetStatusResponse> of(Scope scope) {
    return board.lowWater(scope).map(lowWater -> message(scope, lowWater));
  }

  private GetFleetStatusResponse message(Scope scope, LowWater lowWater) {
    Image image = board.image();
    GetFleetStatusResponse.Builder message =
        GetFleetStatusResponse.newBuilder()
            .setRevision(lowWater.revision())
            .setAppliedRevision(lowWater.applied())
            .setDpuCount(lowWater.dpuCount())
            .setCurrentDpuCount(lowWater.dpuCount() - lowWater.laggards().size());
    lowWater.laggards().stream()
        .limit(MAX_LAGGARDS)
        .forEach(dpu -> message.addLaggards(laggard(image, dpu)));
    count(scope, image, message);
    addLimited(networks(scope, image), message);
    return message.build();
  }

  private static Collection<Network> networks(Scope scope, Image image) {
    if (scope instanceof Scope.OfTenant of) {
      return image.networksOf(of.tenant()).values();
    }
    if (scope instanceof Scope.OfNetwork of) {
      return image.network(of.network()).stream().toList();
    }
    if (scope instanceof Scope.OfDpu of) {
      return image.portsOf(of.dpu()).keySet().stream()
          .map(PortName::network)
          .distinct()
          .flatMap(name -> image.network(name).stream())
          .toList();
    }
    return image.networks().values();
  }

  private static void addLimited(
      Collection<Network> networks, GetFleetStatusResponse.Builder message) {
    List<String> degraded = names(networks, Network::isDegraded);
    List<String> lowered = names(networks, Network::isLowered);
    message
        .setDegradedNetworkCount(degraded.size())
        .addAllDegradedNetworks(degraded.stream().limit(MAX_NETWORKS).toList())
        .setLoweredNetworkCount(lowered.size())
        .addAllLoweredNetworks(lowered.stream().limit(MAX_NETWORKS).toList());
  }

  private static List<String> names(Collection<Network> networks, Predicate<Network> which) {
    return networks.stream().filter(which).map(network -> network.name().toString()).toList();
  }

  private static void count(Scope scope, Image image, GetFleetStatusResponse.Builder message) {
    if (scope instanceof Scope.OfTenant of) {
      message
          .setTenantCount(1)
          .setNetworkCount(image.networksOf(of.tenant()).size())
          .setPortCount(image.portsOf(of.tenant()).size());
      return;
    }
    if (scope instanceof Scope.OfNetwork of) {
      message.setTenantCount(1).setNetworkCount(1).setPortCount(image.portsOf(of.network()).size());
      return;
    }
    if (scope instanceof Scope.OfDpu of) {
      var ports = image.portsOf(of.dpu()).keySet();
      message
          .setTenantCount(
              (int) ports.stream().map(port -> port.network().tenant()).distinct().count())
          .setNetworkCount((int) ports.stream().map(port -> port.network()).distinct().count())
          .setPortCount(ports.size());
      return;
    }
    message
        .setTenantCount(image.tenants().size())
        .setNetworkCount(image.networks().size())
        .setPortCount(image.ports().size());
  }

  private Laggard laggard(Image image, DpuName dpu) {
    return Laggard.newBuilder()
        .setDpu(dpu.toString())
        .setDesiredRevision(image.desiredRevision(dpu))
        .setAppliedRevision(board.progress(dpu).applied())
        .setConnected(store.isConnected(dpu))
        .setReason(reason(dpu))
        .build();
  }

  private String reason(DpuName dpu) {
    DpuState state = store.state(dpu);
    if (state.holder().replica().isEmpty()) {
      return "its agent has never connected";
    }
    if (!store.isConnected(dpu)) {
      return "its agent is not connected; last seen " + state.lastSeen();
    }
    return state.reported().getComponentsList().stream()
        .filter(component -> component.getState() != ComponentState.COMPONENT_STATE_OK)
        .findFirst()
        .map(FleetStatus::complaint)
        .orElse("it has not confirmed its newest policy yet");
  }

  private static String complaint(ComponentStatus component) {
    String part = component.getComponent().name().replace("COMPONENT_", "");
    return part + ": " + component.getDetail();
  }
}
