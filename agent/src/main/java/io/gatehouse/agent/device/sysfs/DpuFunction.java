package io.gatehouse.agent.device.sysfs;

import java.util.Optional;

/**
 * A function of a DPU and the network device that stands for it now.
 *
 * @param name physical port name such as {@code pf0vf3}, or the device's own name where that is
 *     allowed
 * @param pciAddress such as {@code 0000:03:00.0}, if the device sits on PCI
 * @param switchId hexadecimal id of the switch that the function belongs to, if the driver says
 * @param device name of the network device, which may change at any boot
 */
public record DpuFunction(
    String name, Optional<String> pciAddress, Optional<String> switchId, String device) {
  private static final char SEPARATOR = '/';

  /** True if a text such as {@code pf0vf3} or {@code 0000:03:00.0/pf0vf3} means this function. */
  public boolean matches(String function) {
    int separator = function.lastIndexOf(SEPARATOR);
    if (separator < 0) {
      return name.equals(function);
    }
    return name.equals(function.substring(separator + 1))
        && pciAddress.filter(function.substring(0, separator)::equalsIgnoreCase).isPresent();
  }

  /** As exact as it can be said: with the PCI address if there is one. */
  public String text() {
    return pciAddress.map(pci -> pci + SEPARATOR + name).orElse(name);
  }
}
