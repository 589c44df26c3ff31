package io.gatehouse.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.packaging.Lab.Daemon;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the command line is refused, and how it is told. */
@ExtendWith(SharedFleet.class)
final class AdmissionIT {
  private static final int REFUSED = 4;

  private final Lab lab;

  AdmissionIT(Fleet fleet) {
    this.lab = fleet.lab();
  }

  @Test
  void f32FunctionOrMacIsNotGivenTwice() {
    assertThat(refused(create("twice", "--function", "pf0vf0", "--ip", "10.0.0.31")))
        .contains("function", "pf0vf0 of dpus/dpu1 is taken by", "acme-1");
    assertThat(refused(create("twice", "--function", "pf0vf1", "--ip", "10.0.0.31")))
        .contains("taken by a port of another tenant")
        .doesNotContain("globex");
    assertThat(refused(create("twice", "--function", "pf0vf2", "--mac", Fleet.mac(2))))
        .contains("mac_address", Fleet.mac(2), "acme-2");
    assertThat(refused(create("twice", "--function", "pf0vf2", "--ip", "10.0.0.2")))
        .contains("10.0.0.2", "acme-2");
  }

  @Test
  void f47FunctionMustBeThere() {
    assertThat(refused(create("none", "--function", "pf0vf9")))
        .contains("dpus/dpu1 has no function pf0vf9", "pf0vf0", "pf0vf3");
  }

  @Test
  void vniRestsUntilEveryDpuHasFlushedIt() {
    lab.gatehouse("network", "create", "acme/rest", "--ipv4", "10.8.0.0/24", "--vni", "777000");
    lab.gatehouse(
        "port", "create", "acme/rest/rest", "--dpu", "dpu1", "--function", "pf0vf3", "--wait");
    lab.stop(Daemon.AGENT, 1);
    try {
      lab.gatehouse("port", "delete", "acme/rest/rest");
      lab.gatehouse("network", "delete", "acme/rest");
      assertThat(refused(again())).contains("777000", "rests", "dpus/dpu1");
    } finally {
      lab.start(Daemon.AGENT, 1);
    }
    Eventually.holds(
        "the VNI is free once DPU 1 has confirmed", () -> lab.tryRun(again()).status() == 0);
    lab.gatehouse("network", "delete", "globex/again");
  }

  private static String[] again() {
    return new String[] {
      "gatehouse", "network", "create", "globex/again", "--ipv4", "10.9.0.0/24", "--vni", "777000"
    };
  }

  private static String[] create(String name, String... fields) {
    return CommandLines.join(
        List.of("gatehouse", "port", "create", "acme/train/" + name, "--dpu", "dpu1"), fields);
  }

  private String refused(String... command) {
    CommandResult result = lab.tryRun(command);
    assertThat(result.status()).as(result.output()).isEqualTo(REFUSED);
    return result.output();
  }
}
