package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.model.mtu.EncapsulationStack;
import io.gatehouse.model.mtu.VxlanEncapsulation;
import io.gatehouse.model.net.IpAddress.Family;
import io.gatehouse.packaging.packet.PacketSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The sizes that are computed are those on the wire: the kernel's VXLAN between two namespaces,
 * captured packets read by tcpdump.
 */
final class MtuOnTheWireIT {
  private static final List<String> SIDES = List.of("gh-mtu-1", "gh-mtu-2");
  private static final int UNDERLAY = 1_500;
  private static final int PING_HEADERS = 28;
  private static final Pattern V4 = Pattern.compile("proto UDP \\(17\\), length (\\d+)\\)");
  private static final Pattern V6 = Pattern.compile("UDP \\(17\\) payload length: (\\d+)\\)");
  private static final int IPV6_BYTES = 40;

  @TempDir Path directory;

  @BeforeEach
  void namespaces() {
    removeNamespaces();
    SIDES.forEach(side -> run("ip", "netns", "add", side));
    String mtu = Integer.toString(UNDERLAY);
    run(
        "ip",
        "link",
        "add",
        "up0",
        "netns",
        SIDES.get(0),
        "mtu",
        mtu,
        "type",
        "veth",
        "peer",
        "name",
        "up0",
        "netns",
        SIDES.get(1));
    inside(1, "ip", "link", "set", "dev", "up0", "mtu", mtu);
  }

  @AfterEach
  void removeNamespaces() {
    for (String side : SIDES) {
      if (Files.exists(Path.of("/run/netns", side))) {
        run("ip", "netns", "del", side);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theLargestPacketFillsTheUnderlayAndOneMoreByteDoesNotPass(Family family) throws Exception {
    EncapsulationStack stack = EncapsulationStack.vxlan(family);
    int largest = stack.largestInnerBytes(UNDERLAY);
    tunnels(family);
    assertThat(sentSize(family, () -> reached(largest))).isEqualTo(UNDERLAY);
    assertThat(sentSize(family, () -> reached(largest - 1))).isEqualTo(UNDERLAY - 1);
    assertThat(sentSize(family, () -> reached(700))).isEqualTo(stack.neededUnderlayBytes(700));
    assertThat(ping(largest + 1).status()).as("one byte more").isNotZero();
  }

  @ParameterizedTest
  @CsvSource({"V4,1", "V6,1", "V4,2", "V6,2"})
  void aTagOfTheInnerFrameTakesItsBytes(Family family, int tags) throws Exception {
    EncapsulationStack stack =
        new EncapsulationStack(List.of(new VxlanEncapsulation(family, tags)));
    byte[] frame = taggedFrame(tags, stack.largestInnerBytes(UNDERLAY));
    tunnels(family);
    try (PacketSocket socket = PacketSocket.open(new NetworkNamespace(SIDES.get(0)))) {
      assertThat(sentSize(family, () -> socket.send(frame))).isEqualTo(UNDERLAY);
    }
  }

  /** An Ethernet frame with so many tags of VLAN 7 around so many bytes. */
  private static byte[] taggedFrame(int tags, int bytes) {
    ByteBuffer frame = ByteBuffer.allocate(14 + 4 * tags + bytes);
    frame.put(new byte[] {2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 8});
    for (int tag = 0; tag < tags; tag++) {
      frame.putShort((short) 0x8100).putShort((short) 7);
    }
    frame.putShort((short) 0x88b5);
    return frame.array();
  }

  /** VXLAN between the namespaces, with the hosts' packets on devices named eth0. */
  private void tunnels(Family family) {
    for (int side = 0; side < SIDES.size(); side++) {
      inside(side, "ip", "link", "set", "dev", "up0", "up");
      String own = underlay(family, side);
      String prefix = family == Family.V4 ? "/24" : "/64";
      inside(side, "ip", "addr", "add", own + prefix, "dev", "up0", "nodad");
      inside(
          side,
          "ip",
          "link",
          "add",
          "eth0",
          "type",
          "vxlan",
          "id",
          "7",
          "dstport",
          "4789",
          "local",
          own,
          "remote",
          underlay(family, 1 - side),
          "df",
          "set",
          "udp6zerocsumtx",
          "udp6zerocsumrx");
      inside(side, "ip", "link", "set", "dev", "eth0", "mtu", "1500", "up");
      inside(side, "ip", "addr", "add", "10.9.0." + (side + 1) + "/24", "dev", "eth0");
    }
  }

  private static String underlay(Family family, int side) {
    return (family == Family.V4 ? "172.31.7." : "fd07::") + (side + 1);
  }

  /** The size of the outer IP packet that carries what is sent, by tcpdump at the other end. */
  private int sentSize(Family family, Runnable sender) throws Exception {
    Path output = Files.createTempFile(directory, "capture", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(
            "ip",
            "netns",
            "exec",
            SIDES.get(1),
            "timeout",
            "60",
            "tcpdump",
            "-l",
            "-n",
            "-v",
            "-i",
            "up0",
            "-c",
            "1",
            "udp dst port 4789 and greater 600");
    Process tcpdump = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      Eventually.holds("tcpdump listens", () -> text(output).contains("listening on"));
      sender.run();
      assertThat(tcpdump.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      tcpdump.destroy();
    }
    Matcher matcher = (family == Family.V4 ? V4 : V6).matcher(text(output));
    assertThat(matcher.find()).as(text(output)).isTrue();
    int length = Integer.parseInt(matcher.group(1));
    return family == Family.V4 ? length : length + IPV6_BYTES;
  }

  private static void reached(int innerBytes) {
    assertThat(ping(innerBytes).status()).as("ping of %d bytes", innerBytes).isZero();
  }

  private static CommandResult ping(int innerBytes) {
    String payload = Integer.toString(innerBytes - PING_HEADERS);
    return CommandResult.of(
        Map.of(),
        "ip",
        "netns",
        "exec",
        SIDES.get(0),
        "ping",
        "-c",
        "3",
        "-i",
        "0.2",
        "-W",
        "1",
        "-M",
        "do",
        "-s",
        payload,
        "10.9.0.2");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  private static void inside(int side, String... command) {
    run(CommandLines.join(List.of("ip", "netns", "exec", SIDES.get(side)), command));
  }

  private static void run(String... command) {
    CommandResult.of(Map.of(), command).expectSuccess();
  }
}
