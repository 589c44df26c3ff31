package io.gatehouse.control.cli.mtu;

import io.gatehouse.control.cli.output.FieldList;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.Table;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.ExplainMtuResponse;
import io.gatehouse.proto.v1.MtuBudgetLine;
import io.gatehouse.proto.v1.PathEffect;
import io.gatehouse.proto.v1.PathLimit;
import java.util.List;

/** MTUs for people. */
final class MtuText {
  private static final String LINE = "%7s  %s%n";

  private MtuText() {}

  /** A network: the numbers, the budget, the DPUs, what is to be known. */
  static String explanation(ExplainMtuResponse answer) {
    FieldList fields = new FieldList();
    fields.add("network", ResourceKinds.NETWORK.form().shorten(answer.getName()));
    fields.add("mtu", inForce(answer));
    fields.add("needs", answer.getNeededUnderlayMtuBytes() + " on the underlay");
    fields.add("limited by", limit(answer));
    if (answer.hasPathLimit()) {
      fields.add("paths", paths(answer.getPathLimit()));
    }
    fields.add("rdma", rdma(answer.getRdmaMtuBytes()));
    StringBuilder text = new StringBuilder(fields.toString());
    text.append('\n').append(budget(answer));
    if (answer.getDpusCount() > 0) {
      Table table = new Table(List.of("DPU", "DECLARED", "REPORTED", "DIFFERS", "FITS"));
      answer
          .getDpusList()
          .forEach(
              dpu ->
                  table.row(
                      List.of(
                          shortDpu(dpu.getDpu()),
                          Integer.toString(dpu.getDeclaredUnderlayMtuBytes()),
                          number(dpu.getReportedUnderlayMtuBytes()),
                          differs(dpu),
                          Integer.toString(dpu.getLargestMtuBytes()))));
      text.append('\n').append(table);
    }
    section(text, "warnings", answer.getWarningsList());
    section(text, "a change waits", answer.getWaitsForList());
    return text.toString();
  }

  private static String inForce(ExplainMtuResponse answer) {
    int asked = answer.getMtuBytes();
    String text =
        answer.getEffectiveMtuBytes()
            + " in force, asked for: "
            + (asked == 0 ? "the largest that fits" : Integer.toString(asked));
    int receive = answer.getReceiveMtuBytes();
    return receive == 0 ? text : text + "; changing, DPUs take " + receive + " meanwhile";
  }

  private static String limit(ExplainMtuResponse answer) {
    String underlay = "an underlay of " + answer.getLimitingUnderlayMtuBytes();
    return answer.getLimitingDpu().isEmpty()
        ? underlay
        : shortDpu(answer.getLimitingDpu()) + ", " + underlay;
  }

  private static String paths(PathLimit limit) {
    String pair = shortDpu(limit.getFromDpu()) + " -> " + shortDpu(limit.getToDpu());
    String carries = pair + " carries " + limit.getLargestMtuBytes();
    String since = " since " + Messages.instant(limit.getSinceTime());
    return limit.getEffect() == PathEffect.PATH_EFFECT_LOWERED
        ? "lowered: " + carries + since + "; " + limit.getUnlimitedMtuBytes() + " without that"
        : "degraded: " + carries + since + "; larger packets vanish there";
  }

  private static String rdma(int bytes) {
    return bytes == 0 ? "does not fit" : bytes + " bytes of payload";
  }

  private static String budget(ExplainMtuResponse answer) {
    StringBuilder text = new StringBuilder();
    text.append(LINE.formatted(answer.getLimitingUnderlayMtuBytes(), "underlay"));
    for (MtuBudgetLine line : answer.getBudgetList()) {
      text.append(LINE.formatted("-" + line.getBytes(), plain(line.getWhat())));
    }
    return text.append(LINE.formatted(answer.getLargestMtuBytes(), "largest that fits")).toString();
  }

  private static String differs(DpuMtu dpu) {
    return switch (dpu.getAgreement()) {
      case UNDERLAY_AGREEMENT_EQUAL -> "";
      case UNDERLAY_AGREEMENT_LESS -> "less than declared";
      case UNDERLAY_AGREEMENT_MORE -> "more than declared";
      default -> "not known";
    };
  }

  static void section(StringBuilder text, String title, List<String> lines) {
    if (!lines.isEmpty()) {
      text.append('\n').append(title).append('\n');
      lines.forEach(line -> text.append("  ").append(plain(line)).append('\n'));
    }
  }

  static String shortDpu(String name) {
    return ResourceKinds.DPU.form().shorten(name);
  }

  static String number(int value) {
    return value == 0 ? "" : Integer.toString(value);
  }

  /** What a server sent cannot steer the terminal. */
  static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }
}
