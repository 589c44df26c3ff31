package io.gatehouse.agent.device.sysfs;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.nio.file.Path;
import java.util.UUID;

/** The kernel's id of the running boot (random(4)): another one after each start of the system. */
public final class BootId {
  /** Where the kernel says it. */
  public static final Path DEFAULT_FILE = Path.of("/proc/sys/kernel/random/boot_id");

  private BootId() {}

  /** UNREACHABLE if the file is not there, PROTOCOL if it holds no UUID. */
  public static UUID read(Path file) throws DeviceException {
    String text =
        KernelFile.read(file)
            .orElseThrow(() -> new DeviceException(Kind.UNREACHABLE, file + " is not there"));
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new DeviceException(Kind.PROTOCOL, file + " does not hold a UUID: " + text, e);
    }
  }
}
