package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.testing.ControlPlaneProcess;
import io.gatehouse.control.testing.Eventually;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as a process. */
final class ControlPlaneMainIT {
  @TempDir Path directory = Path.of("");

  @Test
  void itBecomesReadyAndEndsOnSigterm() throws Exception {
    String url = "jdbc:sqlite:" + directory.resolve("journal.db");
    try (ControlPlaneProcess program =
        ControlPlaneProcess.start(directory, url, directory.resolve("pki"))) {
      Eventually.holds("it is ready", () -> program.status("/readyz") == 200);
      assertThat(program.status("/livez")).isEqualTo(200);
      program.process().destroy();
      assertThat(program.process().waitFor(40, TimeUnit.SECONDS)).isTrue();
      // 128 + 15: ended by the signal, after all was closed.
      assertThat(program.process().exitValue()).isEqualTo(143);
      assertThat(program.log()).contains("stopping").doesNotContain("WARN");
    }
  }
}
