package io.gatehouse.control.cli.command;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.gatehouse.control.cli.apply.FieldChange;
import io.gatehouse.control.cli.apply.Step;
import java.util.List;

/** What {@code apply} did, or would do, for programs. */
final class ApplyReport {
  private ApplyReport() {}

  /**
   * The report.
   *
   * @param steps those that were done, or would be, in order
   * @param revision newest journal revision that holds a change; 0 if nothing was changed
   */
  static Struct of(List<Step> steps, long revision) {
    ListValue.Builder list = ListValue.newBuilder();
    steps.forEach(step -> list.addValues(Value.newBuilder().setStructValue(step(step))));
    return Struct.newBuilder()
        // A string, as protobuf's JSON writes every 64-bit integer.
        .putFields("revision", text(Long.toString(revision)))
        .putFields("steps", Value.newBuilder().setListValue(list).build())
        .build();
  }

  private static Struct step(Step step) {
    ListValue.Builder changes = ListValue.newBuilder();
    step.changes()
        .forEach(change -> changes.addValues(Value.newBuilder().setStructValue(change(change))));
    return Struct.newBuilder()
        .putFields("action", text(step.kind().name()))
        .putFields("kind", text(step.declared().kind().word()))
        .putFields("name", text(step.declared().name()))
        .putFields("changes", Value.newBuilder().setListValue(changes).build())
        .build();
  }

  private static Struct change(FieldChange change) {
    return Struct.newBuilder()
        .putFields("field", text(change.field().path()))
        .putFields("before", text(change.before()))
        .putFields("after", text(change.after()))
        .build();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }
}
