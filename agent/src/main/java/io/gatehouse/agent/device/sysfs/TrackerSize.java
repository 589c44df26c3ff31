package io.gatehouse.agent.device.sysfs;

import io.gatehouse.agent.device.DeviceException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * How many connections the kernel's connection tracker takes in all ({@code nf_conntrack_max},
 * Documentation/networking/nf_conntrack-sysctl.rst). Safe for several threads.
 */
public final class TrackerSize {
  /** Where the kernel keeps the number. */
  public static final Path DEFAULT_FILE = Path.of("/proc/sys/net/netfilter/nf_conntrack_max");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,12}");

  private final Path file;

  /**
   * @param file such as {@link #DEFAULT_FILE}
   */
  public TrackerSize(Path file) {
    this.file = file;
  }

  /** The number; empty while the kernel has no tracker, or says something else. */
  public OptionalLong connections() throws DeviceException {
    return KernelFile.read(file).filter(text -> NUMBER.matcher(text).matches()).stream()
        .mapToLong(Long::parseLong)
        .findFirst();
  }
}
