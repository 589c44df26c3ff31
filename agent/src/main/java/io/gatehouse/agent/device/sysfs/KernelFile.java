package io.gatehouse.agent.device.sysfs;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Short text files of sysfs and procfs: one line, at most 256 bytes. */
final class KernelFile {
  private static final int MAX_BYTES = 256;

  private KernelFile() {}

  /**
   * The line without its end; empty if there is no such file. UNREACHABLE if it cannot be read,
   * PROTOCOL if it is longer than such files are.
   */
  static Optional<String> read(Path file) throws DeviceException {
    try (InputStream stream = Files.newInputStream(file)) {
      byte[] bytes = stream.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new DeviceException(Kind.PROTOCOL, file + " is longer than " + MAX_BYTES + " bytes");
      }
      return Optional.of(new String(bytes, StandardCharsets.UTF_8).strip());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new DeviceException(Kind.UNREACHABLE, "cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * The line of an attribute that a driver may not have: the kernel refuses to read it then
   * (EOPNOTSUPP), or because the device is going away (EINVAL, ENODEV). Empty in those cases and if
   * it is blank.
   */
  static Optional<String> readAttribute(Path file) throws DeviceException {
    try {
      return read(file).filter(text -> !text.isEmpty());
    } catch (DeviceException e) {
      boolean denied = e.getCause() instanceof AccessDeniedException;
      if (denied || e.kind() == Kind.PROTOCOL) {
        throw e;
      }
      return Optional.empty();
    }
  }
}
