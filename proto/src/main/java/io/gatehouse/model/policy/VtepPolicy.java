package io.gatehouse.model.policy;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;

/** The underlay address of a DPU's tunnel end point (VTEP). */
public record VtepPolicy(DpuName name, IpAddress address) implements PolicyResource {
  @Override
  public String key() {
    return name.toString();
  }
}
