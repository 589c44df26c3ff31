package io.gatehouse.agent.device.sysfs;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.LinkName;
import io.gatehouse.model.net.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Switches IPv6 of a device off and on in the kernel's own stack ({@code disable_ipv6},
 * Documentation/networking/ip-sysctl.rst). Where the kernel has no IPv6 at all it counts as off.
 * Acts in the network namespace of the calling thread; safe for several threads.
 */
public final class IfaceSysctl {
  /** Where the kernel keeps the IPv6 settings of devices. */
  public static final Path DEFAULT_FOLDER = Path.of("/proc/sys/net/ipv6/conf");

  /** Folders there that are no devices. */
  private static final Set<String> NOT_DEVICES = Set.of("all", "default");

  private final Path folder;

  /**
   * @param folder such as {@link #DEFAULT_FOLDER}
   */
  public IfaceSysctl(Path folder) {
    this.folder = folder;
  }

  /** Whether IPv6 is on or off for a device. */
  public enum Ipv6 {
    ON("0"),
    OFF("1");

    private final String disabled;

    Ipv6(String disabled) {
      this.disabled = disabled;
    }
  }

  /** REJECTED if there is no such device. */
  public Ipv6 ipv6(String device) throws DeviceException {
    Path file = file(device);
    if (!Files.isDirectory(folder)) {
      return Ipv6.OFF;
    }
    String text = KernelFile.read(file).orElseThrow(() -> absent(device, null));
    return text.equals(Ipv6.ON.disabled) ? Ipv6.ON : Ipv6.OFF;
  }

  /** Idempotent; REJECTED if there is no such device, or no IPv6 to switch on. */
  public void setIpv6(String device, Ipv6 state) throws DeviceException {
    Path file = file(device);
    if (!Files.isDirectory(folder) && state == Ipv6.OFF) {
      return;
    }
    try {
      Files.writeString(file, state.disabled, StandardOpenOption.WRITE);
    } catch (NoSuchFileException e) {
      throw absent(device, e);
    } catch (IOException e) {
      throw new DeviceException(Kind.REJECTED, "cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private Path file(String device) {
    if (NOT_DEVICES.contains(LinkName.checked(device))) {
      throw new InvalidValueException("device", device, "means more than one device");
    }
    return folder.resolve(device).resolve("disable_ipv6");
  }

  private static DeviceException absent(String device, @Nullable Exception cause) {
    return new DeviceException(
        Kind.REJECTED, "device " + device + " is not there, or has no IPv6 settings", cause);
  }
}
