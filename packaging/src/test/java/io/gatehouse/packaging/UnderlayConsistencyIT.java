package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What carries the tunnels is read down to the switch, and what differs is said. */
@ExtendWith(SharedFleet.class)
final class UnderlayConsistencyIT {
  private static final String LAYERS =
      "(?s).*br-phy +has the address +1500.*br-phy +Open vSwitch +1500.*up0 +uplink +1500.*";

  private final Fleet fleet;
  private final Lab lab;
  private final List<Process> daemons = new ArrayList<>();

  UnderlayConsistencyIT(Fleet fleet) {
    this.fleet = fleet;
    this.lab = fleet.lab();
  }

  @AfterEach
  void asItWas() throws InterruptedException {
    for (Process daemon : daemons) {
      daemon.descendants().forEach(ProcessHandle::destroy);
      daemon.destroy();
      daemon.waitFor();
    }
    lab.gatehouse("dpu", "update", "dpu1", "--underlay-mtu", "1500");
  }

  @Test
  void layersAndSwitchAreComparedWithWhatIsDeclared() throws IOException {
    fleet.awaitHealthy();
    awaitShown("dpu1", LAYERS);
    assertThat(shown("dpu1")).doesNotContain("differs");

    lldpd("dpu1", "up0", socket("dpu1"));
    lldpd("fab1", "dpu", lab.directory().resolve("leaf.sock"));
    leafSays("configure system hostname leaf1");
    // Maximum frame size (IEEE 802.3 79.3.4): 1518. lldpd knows none by itself.
    leafSays("configure lldp custom-tlv add oui 00,12,0f subtype 4 oui-info 05,ee");
    Eventually.holds(
        "the switch is heard",
        () -> {
          leafSays("update");
          return lldpcli("dpu1", socket("dpu1"), "show neighbors details").contains("MFS");
        });
    // It asks once a minute, and when it starts.
    lab.restart(Lab.Daemon.AGENT, 1);
    awaitShown("dpu1", "(?s).*up0 +uplink +1500 +- +leaf1 .* 1518\\s.*");
    assertThat(shown("dpu1")).as("1518 is what 1500 needs").doesNotContain("differs");
    assertThat(alarm()).isZero();

    lab.gatehouse("dpu", "update", "dpu1", "--underlay-mtu", "1600");
    awaitShown("dpu1", "(?s).*differs.*");
    assertThat(shown("dpu1"))
        .contains("br-phy has 1500, declared is 1600")
        .contains("the uplink up0 has 1500, declared is 1600")
        .containsPattern(
            "the switch leaf1 takes frames of 1518 at port .* \\(up0\\), 1618 are needed");
    assertThat(lab.gatehouse("mtu", "show")).containsPattern("dpu1 +1600 +1500 +1518<1618 ");
    assertThat(alarm()).isEqualTo(1);
  }

  private double alarm() {
    return Metrics.ofControlPlane(lab).sum("gatehouse_dpus_layers_smaller");
  }

  private String shown(String dpu) {
    return lab.gatehouse("mtu", "show", dpu);
  }

  private void awaitShown(String dpu, String pattern) {
    Eventually.holds(
        "the underlay is " + pattern, () -> shown(dpu).matches(pattern), () -> shown(dpu));
  }

  private Path socket(String dpu) {
    return lab.directory().resolve(dpu).resolve("lldpd.sock");
  }

  private void leafSays(String command) {
    String unused = lldpcli("fab1", lab.directory().resolve("leaf.sock"), command);
  }

  private String lldpcli(String place, Path socket, String command) {
    List<String> words = new ArrayList<>(List.of("lldpcli", "-u", socket.toString()));
    words.addAll(List.of(command.split(" ", -1)));
    return lab.exec(place, words.toArray(String[]::new));
  }

  /** Returns when it answers. */
  private void lldpd(String place, String device, Path socket) throws IOException {
    daemons.add(
        new ProcessBuilder(
                "ip",
                "netns",
                "exec",
                lab.namespace(place).name(),
                "lldpd",
                "-d",
                "-u",
                socket.toString(),
                "-I",
                device)
            .redirectErrorStream(true)
            .redirectOutput(new File("/dev/null"))
            .start());
    Eventually.holds(
        "lldpd in " + place + " answers",
        () ->
            lab.tryRun("exec", place, "lldpcli", "-u", socket.toString(), "show", "chassis")
                    .status()
                == 0);
  }
}
