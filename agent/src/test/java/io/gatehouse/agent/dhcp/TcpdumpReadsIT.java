package io.gatehouse.agent.dhcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.flow.Octets;
import io.gatehouse.agent.state.ServerIdentity;
import io.gatehouse.model.net.IpAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers as tcpdump understands them, checksums included. */
final class TcpdumpReadsIT {
  private static final HostTerms TERMS = Hosts.configured("10.0.0.1", "fd00::1");

  @TempDir private Path directory;

  private String read(Octets... questions) throws IOException, InterruptedException {
    List<Octets> frames = new ArrayList<>();
    for (Octets question : questions) {
      if (HostAnswers.answer(question, TERMS) instanceof Verdict.Answered answered) {
        frames.addAll(answered.frames());
      }
    }
    return text(frames);
  }

  private String text(List<Octets> frames) throws IOException, InterruptedException {
    Path file = directory.resolve("answers.pcap");
    Files.write(file, pcap(frames));
    Process process =
        new ProcessBuilder("tcpdump", "-e", "-n", "-vvv", "-r", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("text").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Files.readString(directory.resolve("text"));
  }

  private static byte[] pcap(List<Octets> frames) {
    int size = 24 + frames.stream().mapToInt(frame -> 16 + frame.size()).sum();
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0xa1b2c3d4).putShort((short) 2).putShort((short) 4).putLong(0);
    out.putInt(0xffff).putInt(1);
    for (Octets frame : frames) {
      out.putLong(0).putInt(frame.size()).putInt(frame.size()).put(frame.toBytes());
    }
    return out.array();
  }

  @Test
  void dhcpv4() throws Exception {
    String text =
        read(
            CapturedQuestions.DISCOVER_UDHCPC,
            Hosts.dhcpv4(3, Hosts.V4),
            Hosts.dhcpv4(3, Hosts.NONE, Hosts.option(50, 10, 0, 0, 9)));

    assertThat(text)
        .contains("DHCP-Message (53), length 1: Offer")
        .contains("DHCP-Message (53), length 1: ACK")
        .contains("DHCP-Message (53), length 1: NACK")
        .contains("Your-IP 10.0.0.1")
        .contains("Server-ID (54), length 4: " + ServerIdentity.IPV4)
        .contains("Lease-Time (51), length 4: 3600")
        .contains("RN (58), length 4: 1800")
        .contains("RB (59), length 4: 3150")
        .contains("Subnet-Mask (1), length 4: 255.255.255.0")
        .contains("MTU (26), length 2: 1450")
        .contains("Default-Gateway (3), length 4: 10.0.0.254")
        .contains("Domain-Name-Server (6), length 4: 10.0.0.53")
        .contains("(default:10.0.0.254),(172.16.0.0/12:10.0.0.253),(169.254.0.1/32:0.0.0.0)")
        .contains("[udp sum ok]")
        .doesNotContain("bad");
  }

  @Test
  void dhcpv6() throws Exception {
    assertThat(read(CapturedQuestions.SOLICIT_DHCLIENT))
        .contains("dhcp6 advertise")
        .contains("(IA_ADDR fd00::1 pltime:3600 vltime:3600)")
        .contains("T1:1800 T2:2880")
        .contains("(DNS-server fd00::53)")
        .contains("[udp sum ok]")
        .doesNotContain("bad");
  }

  @Test
  void routerAdvertisements() throws Exception {
    assertThat(read(CapturedQuestions.SOLICITATION_LINUX))
        .contains("[icmp6 sum ok]")
        .contains("Flags [managed, other stateful]")
        .contains("router lifetime 0s")
        .contains("router lifetime 3600s")
        .contains("mtu option (5), length 8 (1):  1450")
        .contains("fd00::/64, Flags [onlink]")
        .contains("rdnss option (25)")
        .contains("route info option (24), length 24 (3):  fd01::/48")
        .doesNotContain("bad");
  }

  @Test
  void f03TooLarge() throws Exception {
    List<Octets> frames = new ArrayList<>();
    for (int bytes : new int[] {1_451, 1_501, 9_000}) {
      for (Octets packet :
          List.of(
              MtuAnswersTest.udp(Hosts.V4, IpAddress.parse("10.0.0.2"), bytes),
              MtuAnswersTest.udp(Hosts.V6, IpAddress.parse("fd00::2"), bytes))) {
        if (MtuAnswers.answer(packet, TERMS, 1_450) instanceof Verdict.Answered answered) {
          frames.addAll(answered.frames());
        }
      }
    }
    assertThat(frames).hasSize(6);

    assertThat(text(frames))
        .contains("02:67:68:00:00:01 > 02:00:00:00:00:01, ethertype IPv4")
        .contains("10.0.0.2 > 10.0.0.1: ICMP 10.0.0.2 unreachable - need to frag (mtu 1450)")
        .contains("10.0.0.1.4000 > 10.0.0.2.4001: UDP, length 8972")
        .contains("fd00::2 > fd00::1: [icmp6 sum ok] ICMP6, packet too big, mtu 1450")
        .doesNotContain("bad")
        .doesNotContain("wrong");
  }
}
