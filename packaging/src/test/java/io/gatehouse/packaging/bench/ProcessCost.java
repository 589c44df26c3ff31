package io.gatehouse.packaging.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a process of the lab has used, from proc(5). */
// Lines of /proc have no empty fields at their ends.
@SuppressWarnings("StringSplitter")
final class ProcessCost {
  private static final int MILLIS_PER_TICK = 10;
  private static final int UTIME = 11;
  private static final int STIME = 12;
  private static final int START = 19;

  private final Path proc;

  /** The process whose pid file this is. */
  ProcessCost(Path pidFile) {
    String pid = read(pidFile).split("\\s+")[0];
    this.proc = Path.of("/proc", pid);
  }

  long cpuMillis() {
    return (ticks(UTIME) + ticks(STIME)) * MILLIS_PER_TICK;
  }

  long ageMillis() {
    double uptimeSeconds = Double.parseDouble(read(Path.of("/proc/uptime")).split(" ")[0]);
    return Math.round(uptimeSeconds * 1_000) - ticks(START) * MILLIS_PER_TICK;
  }

  /** A field of its "stat", counted from the process's state as 0. */
  private long ticks(int field) {
    String stat = read(proc.resolve("stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[field]);
  }

  long residentMegabytes() {
    return read(proc.resolve("status"))
            .lines()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .sum()
        / 1024;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
