package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The sizes that are computed for VXLAN in ESP are those on the wire: a real kernel's ESP between
 * two namespaces, captured packets read by tcpdump. The kernel is a user-mode Linux, because that
 * of the machine may have no ESP; it is started once for all cases.
 */
final class EspOnTheWireIT {
  private static final int SMALL_BYTES = 700;

  /** Once its packet is there nothing is on its way; the script knows the size. */
  private static final EspPath LAST = new EspPath(200, 1_500, EspPath.all().get(0).esp());

  private static final int LAST_BYTES = 528;

  private static final int IPV6_BYTES = 40;

  /** So much less than the largest: within its block and in the one before, of 4 and of 16. */
  private static final int[] LESS = {0, 1, 3, 4, 15, 16};

  private static final Pattern SENT = Pattern.compile("sent: 10\\.9\\.(\\d+)\\.2 (\\d+) (\\d+)");

  /** Sizes by path: of what came over the underlay, and of what came out of its VXLAN device. */
  private static final Pattern RECEIVED =
      Pattern.compile(
          "(?m)^\\S+ (up|v)\\d+ +In +IP6? \\((?:.*, length (\\d+)|.*payload length: (\\d+))\\)"
              + "\\s+(?:172\\.31\\.|fd07:|10\\.9\\.)(\\d+)[.:]");

  private static final Map<Integer, List<Integer>> OUTER_BYTES = new HashMap<>();
  private static final Map<Integer, List<Integer>> INNER_BYTES = new HashMap<>();

  /** The path MTU by the kernel's own count, once it has answered a packet that was too large. */
  private static final Map<Integer, Integer> TOLD_BYTES = new HashMap<>();

  static List<EspPath> paths() {
    return EspPath.all();
  }

  @BeforeAll
  static void sendAll(@TempDir Path directory) throws IOException {
    StringBuilder packets = new StringBuilder();
    for (EspPath path : EspPath.all()) {
      for (int bytes : sizes(path)) {
        packets.append(line(path, bytes));
      }
      // The first is answered by the kernel, the second is not even sent.
      packets.append(line(path, path.largestInnerBytes() + 1).repeat(2));
    }
    packets.append(line(LAST, LAST_BYTES));
    Files.writeString(directory.resolve("packets"), packets);
    for (int side = 1; side <= 2; side++) {
      Files.writeString(directory.resolve("side" + side), commands(side));
    }
    String output = userModeLinux(directory);
    assertThat(output).contains("end of what was received");
    read(output);
  }

  private static String line(EspPath path, int bytes) {
    return "10.9.%d.2 %d\n".formatted(path.number(), bytes);
  }

  private static List<Integer> sizes(EspPath path) {
    List<Integer> sizes = new ArrayList<>(List.of(SMALL_BYTES));
    IntStream.of(LESS).forEach(less -> sizes.add(path.largestInnerBytes() - less));
    return sizes;
  }

  private static String commands(int side) {
    return Stream.concat(EspPath.all().stream(), Stream.of(LAST))
        .map(path -> path.commands(side))
        .collect(Collectors.joining());
  }

  /** Without the terminals of old and the compressed swap, which take most of its start. */
  private static String userModeLinux(Path directory) {
    return CommandResult.of(
            Map.of(),
            "timeout",
            "300",
            "linux.uml",
            "mem=256M",
            "root=/dev/root",
            "rootfstype=hostfs",
            "rootflags=/",
            "ro",
            "quiet",
            "pty.legacy_count=0",
            "zswap.enabled=0",
            "cryptomgr.notests=1",
            "uml_dir=" + directory,
            "con=null",
            "con0=null,fd:1",
            "init=" + Path.of("src/test/resources/esp-on-the-wire").toAbsolutePath(),
            "--",
            directory.toString())
        .output();
  }

  private static void read(String output) {
    Matcher sent = SENT.matcher(output);
    while (sent.find()) {
      TOLD_BYTES.put(Integer.valueOf(sent.group(1)), Integer.valueOf(sent.group(3)));
    }
    Matcher received = RECEIVED.matcher(output);
    while (received.find()) {
      String v4 = received.group(2);
      int bytes =
          v4 != null ? Integer.parseInt(v4) : Integer.parseInt(received.group(3)) + IPV6_BYTES;
      (received.group(1).equals("up") ? OUTER_BYTES : INNER_BYTES)
          .computeIfAbsent(Integer.valueOf(received.group(4)), number -> new ArrayList<>())
          .add(bytes);
    }
  }

  @ParameterizedTest
  @MethodSource("paths")
  void everyPacketHasTheComputedSizeAndTheLargestIsExact(EspPath path) {
    List<Integer> sent = sizes(path);
    List<Integer> computed = sent.stream().map(path.stack()::neededUnderlayBytes).toList();
    // One byte more than the largest has not arrived, neither whole nor in pieces.
    assertThat(INNER_BYTES.get(path.number())).isEqualTo(sent);
    assertThat(OUTER_BYTES.get(path.number())).isEqualTo(computed);
    assertThat(TOLD_BYTES.get(path.number())).isEqualTo(path.largestInnerBytes());
  }
}
