package io.gatehouse.agent;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.openflow.OpenFlowClient;
import io.gatehouse.agent.device.openflow.OpenFlowListener;
import io.gatehouse.agent.device.openflow.codec.FlowChange;
import io.gatehouse.agent.device.openflow.codec.PacketIn;
import io.gatehouse.agent.device.openflow.codec.PortDescription;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.path.tunnel.TunnelTestRun;
import io.gatehouse.agent.reconcile.Reconciler;
import io.gatehouse.agent.serve.AnswerDesk;
import io.gatehouse.agent.serve.HostDirectory;
import io.gatehouse.agent.state.ProbeIdentity;
import io.gatehouse.agent.state.PuntKind;
import io.gatehouse.model.net.IpAddress;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What hosts are told, on a connection to the bridge of its own: packets of hosts are never in the
 * way of those who reconcile.
 */
final class HostServices implements AutoCloseable {
  private static final int MTU_BITS = 0xffff;
  private static final Octets TUNNEL_TEST = Octets.of(ProbeIdentity.PUNT_CODE);

  private final Supplier<Reconciler.View> view;
  private final OpenFlowClient packets;
  private final AnswerDesk desk;
  private volatile TunnelEnd tunnelEnd = (from, frame) -> {};

  /** Takes what another agent has sent through a tunnel to this one. */
  interface TunnelEnd {
    /**
     * Takes a frame; must not block.
     *
     * @param from the VTEP that has sent it
     */
    void arrived(IpAddress from, Octets frame);
  }

  /** Made from one view; the next packet after a round of the loop makes it anew. */
  private volatile Known known = new Known(Reconciler.View.NOTHING, HostDirectory.EMPTY);

  private record Known(Reconciler.View view, HostDirectory directory) {}

  HostServices(SwitchConnection ovs, Supplier<Reconciler.View> view, MeterRegistry registry) {
    this.view = view;
    this.packets = ovs.packets(new Listener());
    this.desk =
        new AnswerDesk(
            this::directory,
            packets::packetOut,
            new HostServiceMetrics(registry),
            System::nanoTime);
  }

  void start() {
    desk.start();
    packets.start();
  }

  /** Who takes tests of tunnels; before {@link #start}. */
  void tunnelTestsTo(TunnelEnd end) {
    tunnelEnd = end;
  }

  /** Puts a frame into the tunnel to another DPU, as if a host had sent it; may lose it. */
  void sendThroughTunnel(TunnelTestRun.Sending sending) {
    view.get()
        .facts()
        .tunnelPort()
        .ifPresent(
            port ->
                packets.packetOut(
                    List.of(
                        Actions.setTunId(sending.vni().value()),
                        Actions.setTunDst(sending.vtep()),
                        Actions.output(port)),
                    sending.frame()));
  }

  /** What a port was told last. */
  Optional<String> lastTold(String port) {
    return desk.lastTold(port);
  }

  @Override
  public void close() {
    packets.close();
    desk.close();
  }

  @SuppressWarnings(
      "ReferenceEquality") // each round has a view of its own; to compare plans costs more
  private HostDirectory directory() {
    Reconciler.View now = view.get();
    Known last = known;
    if (last.view() != now) {
      HostDirectory directory =
          now.plan()
              .map(plan -> HostDirectory.of(plan, now.policy(), now.facts()))
              .orElse(HostDirectory.EMPTY);
      last = new Known(now, directory);
      known = last;
    }
    return last.directory();
  }

  /** The connection's reports of itself are those of the reconciler's own, which tells them. */
  private final class Listener implements OpenFlowListener {
    @Override
    public void connected(long datapathId) {
      desk.announceAgain();
    }

    @Override
    public void disconnected(DeviceException cause) {}

    @Override
    public void flowsChanged(List<FlowChange> changes) {}

    @Override
    public void flowsUnknown() {}

    @Override
    public void portChanged(PortDescription.Reason reason, PortDescription port) {}

    @Override
    public void packetArrived(PacketIn packet) {
      if (packet.userdata().equals(TUNNEL_TEST)) {
        packet.tunnelSource().ifPresent(from -> tunnelEnd.arrived(from, packet.packet()));
        return;
      }
      int mtuBytes = (int) packet.register(PuntKind.MTU_REGISTER) & MTU_BITS;
      desk.ask(
          new AnswerDesk.Handed(packet.inPort(), packet.userdata(), mtuBytes, packet.packet()));
    }
  }
}
