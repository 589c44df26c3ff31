package io.gatehouse.agent;

import io.gatehouse.agent.dhcp.Verdict;
import io.gatehouse.agent.serve.AnswerMeter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What hosts ask and are told, as metrics; docs/operations.md says what each is for. */
final class HostServiceMetrics implements AnswerMeter {
  private final Map<Verdict.Kind, Counter> answers = new EnumMap<>(Verdict.Kind.class);
  private final Map<Verdict.Reason, Counter> drops = new EnumMap<>(Verdict.Reason.class);
  private final Counter announcements;

  HostServiceMetrics(MeterRegistry registry) {
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      answers.put(
          kind,
          Counter.builder("gatehouse.agent.host.answers")
              .description("Answers to hosts that asked for their configuration")
              .tag("kind", kind.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    for (Verdict.Reason reason : Verdict.Reason.values()) {
      drops.put(
          reason,
          Counter.builder("gatehouse.agent.host.drops")
              .description("Questions of hosts that were not answered")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    this.announcements =
        Counter.builder("gatehouse.agent.host.announcements")
            .description("Router advertisements that nobody had asked for")
            .register(registry);
  }

  @Override
  public void answered(Verdict.Kind kind) {
    Objects.requireNonNull(answers.get(kind)).increment();
  }

  @Override
  public void dropped(Verdict.Reason reason) {
    Objects.requireNonNull(drops.get(reason)).increment();
  }

  @Override
  public void announced() {
    announcements.increment();
  }
}
