package io.gatehouse.control.cli.isolation;

import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.Table;
import io.gatehouse.proto.v1.IsolationCell;
import io.gatehouse.proto.v1.IsolationFinding;
import io.gatehouse.proto.v1.IsolationProof;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Proofs for people, in 80 columns but for the names and flows of what is wrong. */
final class ProofText {
  private static final List<String> HEADER =
      List.of("PACKETS", "BETWEEN", "PASSED", "BLOCKED", "LEAKS", "LOST");
  private static final int SHOWN_FLOWS = 3;

  private ProofText() {}

  /** One line: what was looked at. */
  static String summary(IsolationProof proof) {
    return "%s: revision %d, %s, %d packets walked, %d traced%s"
        .formatted(
            proof.getDpu(),
            proof.getRevision(),
            Messages.instant(proof.getProveTime()),
            proof.getWalkedPacketCount(),
            proof.getTracedPacketCount(),
            proof.getComplete() ? "" : ", not complete");
  }

  /** What was expected against what was found, whatever the tenant. */
  static String matrix(List<IsolationProof> proofs) {
    Map<List<Integer>, long[]> rows =
        new TreeMap<>((one, other) -> Arrays.compare(ints(one), ints(other)));
    for (IsolationProof proof : proofs) {
      for (IsolationCell cell : proof.getCellsList()) {
        long[] sums =
            rows.computeIfAbsent(
                List.of(cell.getPacketClassValue(), cell.getRelationValue()), key -> new long[4]);
        sums[0] += cell.getPassedCount();
        sums[1] += cell.getBlockedCount();
        sums[2] += cell.getLeakCount();
        sums[3] += cell.getLostCount();
      }
    }
    Table table = new Table(HEADER);
    rows.forEach(
        (key, sums) ->
            table.row(
                List.of(
                    kind(key.get(0)),
                    relation(key.get(1)),
                    number(sums[0]),
                    number(sums[1]),
                    number(sums[2]),
                    number(sums[3]))));
    return table.toString();
  }

  /** What is wrong, with the flows, the guilty ones first. */
  static String finding(IsolationFinding finding) {
    StringBuilder text = new StringBuilder();
    boolean repaired = finding.getMethod().name().endsWith("REPAIRED");
    text.append(finding.getLeak() ? "leak" : "lost")
        .append(repaired ? " (repaired)" : "")
        .append(", ")
        .append(kind(finding.getPacketClassValue()))
        .append(", ")
        .append(
            finding.getMethod().name().replace("ISOLATION_METHOD_", "").toLowerCase(Locale.ROOT))
        .append("\n  from ")
        .append(plain(finding.getFrom()))
        .append("\n  to   ")
        .append(plain(finding.getTo()))
        .append('\n');
    finding.getFlowsList().stream()
        .limit(SHOWN_FLOWS)
        .forEach(flow -> text.append("  flow ").append(plain(flow)).append('\n'));
    return text.toString();
  }

  static long leaks(IsolationProof proof) {
    return proof.getCellsList().stream().mapToLong(IsolationCell::getLeakCount).sum();
  }

  private static int[] ints(List<Integer> key) {
    return key.stream().mapToInt(Integer::intValue).toArray();
  }

  private static String kind(int number) {
    var value = io.gatehouse.proto.v1.PacketClass.forNumber(number);
    return value == null ? "?" : value.name().replace("PACKET_CLASS_", "");
  }

  private static String relation(int number) {
    var value = io.gatehouse.proto.v1.IsolationRelation.forNumber(number);
    return value == null ? "?" : value.name().replace("ISOLATION_RELATION_", "");
  }

  private static String number(long count) {
    return count == 0 ? "" : Long.toString(count);
  }

  /** What a server sent cannot steer the terminal. */
  private static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }
}
