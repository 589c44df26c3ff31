package io.gatehouse.agent;

import io.gatehouse.agent.dhcp.Verdict;
import io.gatehouse.agent.serve.AnswerMeter;
import io.gatehouse.agent.state.PuntKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What hosts ask and are told, as metrics; docs/operations.md says what each is for. */
final class HostServiceMetrics implements AnswerMeter {
  private final Map<Verdict.Kind, Counter> answers = new EnumMap<>(Verdict.Kind.class);
  private final Map<PuntKind, Map<Verdict.Reason, Counter>> drops = new EnumMap<>(PuntKind.class);
  private final Counter announcements;

  HostServiceMetrics(MeterRegistry registry) {
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      answers.put(kind, answers(kind).register(registry));
    }
    for (PuntKind kind : PuntKind.values()) {
      Map<Verdict.Reason, Counter> byReason = new EnumMap<>(Verdict.Reason.class);
      for (Verdict.Reason reason : Verdict.Reason.values()) {
        byReason.put(
            reason,
            drops(kind).tag("reason", reason.name().toLowerCase(Locale.ROOT)).register(registry));
      }
      drops.put(kind, byReason);
    }
    this.announcements =
        Counter.builder("gatehouse.agent.host.announcements")
            .description("Router advertisements that nobody had asked for")
            .register(registry);
  }

  private static Counter.Builder answers(Verdict.Kind kind) {
    return switch (kind) {
      case FRAGMENTATION_NEEDED -> tooBig("ipv4");
      case PACKET_TOO_BIG -> tooBig("ipv6");
      default ->
          Counter.builder("gatehouse.agent.host.answers")
              .description("Answers to hosts that asked for their configuration")
              .tag("kind", kind.name().toLowerCase(Locale.ROOT));
    };
  }

  private static Counter.Builder tooBig(String family) {
    return Counter.builder("gatehouse.agent.oversize.answers")
        .description("Hosts told that their packet was larger than its network carries")
        .tag("family", family);
  }

  private static Counter.Builder drops(PuntKind kind) {
    return switch (kind) {
      case HOST_QUESTION ->
          Counter.builder("gatehouse.agent.host.drops")
              .description("Questions of hosts that were not answered");
      case OVERSIZE ->
          Counter.builder("gatehouse.agent.oversize.drops")
              .description("Packets larger than their network carries that were not answered");
    };
  }

  @Override
  public void answered(Verdict.Kind kind) {
    Objects.requireNonNull(answers.get(kind)).increment();
  }

  @Override
  public void dropped(PuntKind kind, Verdict.Reason reason) {
    Objects.requireNonNull(Objects.requireNonNull(drops.get(kind)).get(reason)).increment();
  }

  @Override
  public void announced() {
    announcements.increment();
  }
}
