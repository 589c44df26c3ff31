package io.gatehouse.packaging;

import static io.gatehouse.packaging.Fleet.mac;
import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.model.net.MacAddress;
import io.gatehouse.packaging.packet.Frames;
import io.gatehouse.packaging.packet.Frames.Ends;
import io.gatehouse.packaging.packet.Mark;
import io.gatehouse.packaging.packet.PacketSocket;
import io.gatehouse.packaging.packet.VxlanSender;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What no tenant may say and no stranger may send, as frames made to the byte. After the bad ones a
 * good one takes the same way: when it has arrived, so would they.
 */
@ExtendWith(SharedFleet.class)
final class SourceGuardIT {
  private static final Ends TRUE_ENDS = Ends.of(mac(1), mac(2));
  private static final int NOBODYS_VNI = 16_000_000;

  private final Fleet fleet;

  SourceGuardIT(Fleet fleet) {
    this.fleet = fleet;
  }

  @Test
  void f26SpoofedSourcesDie() throws Exception {
    Map<Mark, byte[]> bad = new LinkedHashMap<>();
    add(bad, "MAC", mark -> Frames.udp(Ends.of(mac(66), mac(2)), "10.0.0.1", "10.0.0.2", mark));
    add(bad, "IPv4", mark -> Frames.udp(TRUE_ENDS, "10.0.0.3", "10.0.0.2", mark));
    add(bad, "IPv6", mark -> Frames.udp(TRUE_ENDS, "fd00:0:0:1::3", "fd00:0:0:1::2", mark));
    MacAddress own = MacAddress.parse(mac(1));
    add(bad, "ARP address", mark -> Frames.arpReply(TRUE_ENDS, own, "10.0.0.3", mark));
    MacAddress other = MacAddress.parse(mac(66));
    add(bad, "ARP MAC", mark -> Frames.arpReply(TRUE_ENDS, other, "10.0.0.1", mark));
    noneArrives("acme-1", bad, List.of("acme-2"));
  }

  @Test
  void f27TenantsAreNoRoutersAndNoDhcpServers() throws Exception {
    Map<Mark, byte[]> bad = new LinkedHashMap<>();
    MacAddress own = MacAddress.parse(mac(1));
    add(bad, "RA", mark -> Frames.routerAdvertisement(own, mark));
    add(bad, "DHCP", mark -> Frames.dhcpOffer(TRUE_ENDS, "10.0.0.1", "10.0.0.2", mark));
    noneArrives("acme-1", bad, List.of("acme-2", "acme-3", "globex-1"));
  }

  @Test
  void unknownUnicastIsNotFlooded() throws Exception {
    Map<Mark, byte[]> bad = new LinkedHashMap<>();
    add(
        bad,
        "unknown target",
        mark -> Frames.udp(Ends.of(mac(1), mac(77)), "10.0.0.1", "10.0.0.77", mark));
    noneArrives("acme-1", bad, List.of("acme-2", "acme-3", "globex-1", "globex-2"));
  }

  @Test
  void f28PortWithoutIpv6SpeaksNone() throws Exception {
    TenantHost host =
        new TenantHost(
            "v4only", 1, "pf0vf2", mac(23), List.of("10.0.0.23/24", "fd00:0:0:1::23/64"));
    fleet.lab().addHost(host);
    TenantHost said = new TenantHost("v4only", 1, "pf0vf2", mac(23), List.of("10.0.0.23/24"));
    String name = fleet.operator().create(Fleet.port(said)).getName();
    try (PacketSocket sender = fleet.tap("v4only");
        PacketSocket receiver = fleet.tap("acme-2")) {
      Ends ends = Ends.of(mac(23), mac(2));
      Mark bad = Mark.of("IPv6");
      sender.send(Frames.udp(ends, "fd00:0:0:1::23", "fd00:0:0:1::2", bad));
      Mark good = Mark.of("IPv4");
      byte[] frame = Frames.udp(ends, "10.0.0.23", "10.0.0.2", good);
      receiver.await(good, () -> sender.send(frame), Eventually.LIMIT);
      assertThat(receiver.count(bad)).isZero();
    } finally {
      fleet.operator().deletePort(name);
      fleet.lab().removeHost("v4only");
    }
  }

  @Test
  void tunnelPacketsCountFromKnownVtepsInTheirNetworksOnly() throws Exception {
    int vni = fleet.vni(Fleet.ACME_NETWORK);
    Ends ends = Ends.of(mac(2), mac(1));
    Mark stranger = Mark.of("unknown VTEP");
    Mark foreign = Mark.of("nobody's VNI");
    Mark good = Mark.of("DPU 2's VTEP");
    try (VxlanSender fabric = new VxlanSender(fleet.lab().namespace("fabric"), "172.16.1.1");
        VxlanSender dpu = new VxlanSender(fleet.lab().namespace("dpu2"), "172.16.1.1");
        PacketSocket receiver = fleet.tap("acme-1")) {
      byte[] fromStranger = Frames.udp(ends, "10.0.0.2", "10.0.0.1", stranger);
      fabric.send(vni, fromStranger);
      dpu.send(NOBODYS_VNI, Frames.udp(ends, "10.0.0.2", "10.0.0.1", foreign));
      byte[] frame = Frames.udp(ends, "10.0.0.2", "10.0.0.1", good);
      receiver.await(
          good,
          () -> {
            fabric.send(vni, fromStranger);
            dpu.send(vni, frame);
          },
          Eventually.LIMIT);
      assertThat(receiver.count(stranger)).isZero();
      assertThat(receiver.count(foreign)).isZero();
    }
  }

  private interface Making {
    byte[] frame(Mark mark);
  }

  private static void add(Map<Mark, byte[]> frames, String name, Making making) {
    Mark mark = Mark.of(name);
    frames.put(mark, making.frame(mark));
  }

  private void noneArrives(String from, Map<Mark, byte[]> bad, List<String> hosts)
      throws InterruptedException {
    for (String host : hosts) {
      try (PacketSocket sender = fleet.tap(from);
          PacketSocket receiver = fleet.tap(host);
          PacketSocket peer = fleet.tap("acme-2")) {
        bad.values().forEach(sender::send);
        Mark good = Mark.of("true");
        byte[] frame = Frames.udp(TRUE_ENDS, "10.0.0.1", "10.0.0.2", good);
        peer.await(good, () -> sender.send(frame), Eventually.LIMIT);
        for (Mark mark : bad.keySet()) {
          assertThat(receiver.count(mark)).as("%s at %s", mark, host).isZero();
        }
      }
    }
  }
}
