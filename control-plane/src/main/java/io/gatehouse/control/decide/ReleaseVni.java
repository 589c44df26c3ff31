package io.gatehouse.control.decide;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.Vni;
import java.util.Map;

/**
 * Ends the rest of a VNI. Right only when every DPU that carried it has confirmed its end or is
 * gone.
 *
 * @param acked newest revision that each DPU has applied and read back; absent: none is known
 */
public record ReleaseVni(Request request, Vni vni, Map<DpuName, Long> acked) implements Command {
  public ReleaseVni {
    acked = Map.copyOf(acked);
  }

  @Override
  public String subject() {
    return "vnis/" + vni;
  }
}
