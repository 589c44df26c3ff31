package io.gatehouse.agent.device.sysfs;

import io.gatehouse.agent.device.DeviceException;
import java.nio.file.Path;

/** The serial number that the maker of the machine has put into its firmware (DMI). */
public final class MachineSerial {
  /** Where the kernel says it; for root only. */
  public static final Path DEFAULT_FILE = Path.of("/sys/class/dmi/id/product_serial");

  private static final int MAX_LENGTH = 64;

  private MachineSerial() {}

  /** The number, cut to 64 characters; empty if the firmware tells none or it cannot be read. */
  public static String read(Path file) {
    try {
      String serial = KernelFile.readAttribute(file).orElse("");
      return serial.substring(0, Math.min(serial.length(), MAX_LENGTH));
    } catch (DeviceException e) {
      return "";
    }
  }
}
