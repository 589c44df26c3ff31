package io.gatehouse.control.cli.session;

import com.google.protobuf.util.Durations;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.GetFleetStatusResponse;
import io.gatehouse.proto.v1.Laggard;
import io.gatehouse.proto.v1.WaitForRevisionRequest;
import io.gatehouse.proto.v1.WaitForRevisionResponse;
import io.gatehouse.runtime.config.DurationText;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Waits until a revision is real. It asks in slices of a few seconds, so that it can say on
 * standard error how far things are.
 */
public final class RevisionWait {
  private static final Duration SLICE = Duration.ofSeconds(3);
  private static final Duration MARGIN = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int SHOWN_LAGGARDS = 10;

  private final Connection connection;
  private final PrintStream progress;

  public RevisionWait(Connection connection, PrintStream progress) {
    this.connection = connection;
    this.progress = progress;
  }

  /**
   * Waits.
   *
   * @param revision 0 for the newest
   * @param scope resource name, or empty for the fleet
   * @return the state when it was reached
   * @throws CliException with {@link ExitCode#TIMEOUT} and the laggards if it was not
   */
  public GetFleetStatusResponse await(long revision, String scope, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    String told = "";
    while (true) {
      Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      long asked = System.nanoTime();
      Duration slice = left.compareTo(SLICE) < 0 ? left : SLICE;
      WaitForRevisionResponse answer = ask(revision, scope, slice);
      if (answer.getReached()) {
        return answer.getStatus();
      }
      long now = System.nanoTime();
      if (now >= end) {
        throw new CliException(ExitCode.TIMEOUT, timeout(revision, limit, answer.getStatus()));
      }
      String summary = summary(revision, answer.getStatus());
      if (!summary.equals(told)) {
        progress.println(summary);
        told = summary;
      }
      // A server that answers at once must not be asked without a pause.
      Pause.of(Duration.ofNanos(Math.min(PAUSE.toNanos() - (now - asked), end - now)));
    }
  }

  /** A DPU that is behind, in one line. */
  public static String line(Laggard laggard) {
    return laggard.getDpu()
        + " is at "
        + laggard.getAppliedRevision()
        + " of "
        + laggard.getDesiredRevision()
        + (laggard.getConnected() ? "" : ", not connected")
        + (laggard.getReason().isEmpty() ? "" : ": " + laggard.getReason());
  }

  private WaitForRevisionResponse ask(long revision, String scope, Duration slice) {
    WaitForRevisionRequest request =
        WaitForRevisionRequest.newBuilder()
            .setRevision(revision)
            .setScope(scope)
            .setTimeout(Durations.fromMillis(Math.max(1, slice.toMillis())))
            .build();
    return connection.call(
        FleetServiceGrpc.getWaitForRevisionMethod(), request, slice.plus(MARGIN));
  }

  private static String summary(long revision, GetFleetStatusResponse status) {
    long target = revision == 0 ? status.getRevision() : revision;
    String first = status.getLaggardsCount() == 0 ? "" : "; behind: " + line(status.getLaggards(0));
    return "waiting for revision "
        + target
        + ": "
        + status.getCurrentDpuCount()
        + " of "
        + status.getDpuCount()
        + " DPUs are current"
        + first;
  }

  private static List<String> timeout(
      long revision, Duration limit, GetFleetStatusResponse status) {
    List<String> lines = new ArrayList<>();
    long target = revision == 0 ? status.getRevision() : revision;
    int behind = status.getDpuCount() - status.getCurrentDpuCount();
    lines.add(
        "revision "
            + target
            + " is not applied after "
            + DurationText.format(limit)
            + ": "
            + behind
            + " of "
            + status.getDpuCount()
            + " DPUs are behind");
    status.getLaggardsList().stream()
        .limit(SHOWN_LAGGARDS)
        .map(RevisionWait::line)
        .forEach(lines::add);
    return lines;
  }
}
