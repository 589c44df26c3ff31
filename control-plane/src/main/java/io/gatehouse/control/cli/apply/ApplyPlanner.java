package io.gatehouse.control.cli.apply;

import com.google.protobuf.Message;
import io.gatehouse.control.cli.resource.FieldSpec.Change;
import io.gatehouse.control.cli.resource.ResourceClient;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares what is declared with what is there. Reads only. */
public final class ApplyPlanner {
  private ApplyPlanner() {}

  /**
   * The steps, in the order of the declarations.
   *
   * @throws CliException with every field that cannot change and would have to
   */
  public static List<Step> plan(Session session, List<Declared> declared) {
    List<Step> steps = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Declared resource : declared) {
      Step step = step(new ResourceClient(session, resource.kind()), resource);
      steps.add(step);
      if (step.kind() == Step.Kind.UPDATE) {
        problems.addAll(impossible(step));
      }
    }
    if (!problems.isEmpty()) {
      throw new CliException(ExitCode.REFUSED, problems);
    }
    return steps;
  }

  private static Step step(ResourceClient client, Declared declared) {
    Optional<Message> before = client.find(declared.name());
    Message current = before.orElseGet(() -> declared.kind().named(declared.name()).build());
    List<FieldChange> changes =
        declared.fields().stream()
            .flatMap(f -> FieldChange.between(f, current, declared.resource()).stream())
            .toList();
    return new Step(declared, before, changes);
  }

  private static List<String> impossible(Step step) {
    return step.changes().stream()
        .filter(change -> change.field().change() == Change.NEVER)
        .map(
            change ->
                step.declared()
                    .place()
                    .problem(
                        change.field().path(),
                        change.before()
                            + " cannot become "
                            + change.after()
                            + ": it never changes"))
        .toList();
  }
}
