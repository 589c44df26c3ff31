package io.gatehouse.agent.report;

import io.gatehouse.agent.state.Health;
import io.gatehouse.agent.state.Problem;
import io.gatehouse.agent.state.underlay.UnderlayStack;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.Component;
import io.gatehouse.proto.v1.ComponentState;
import io.gatehouse.proto.v1.ComponentStatus;
import io.gatehouse.proto.v1.ResourceProblem;
import io.gatehouse.proto.v1.ResourceState;
import java.util.List;
import java.util.Optional;

/** Health as messages. */
public final class AckReporter {
  private static final int MAX_PROBLEMS = 1_000;
  private static final int MAX_TEXT = 500;
  private static final int MAX_NAME = 200;

  private AckReporter() {}

  /**
   * An ack.
   *
   * @param underlay what carries the tunnels, if it has been looked at
   */
  static Ack ack(Health health, Optional<UnderlayStack> underlay) {
    Ack.Builder ack = ack(health).toBuilder();
    underlay.ifPresent(stack -> ack.setUnderlay(UnderlayReporter.observation(stack)));
    return ack.build();
  }

  static Ack ack(Health health) {
    return Ack.newBuilder()
        .setAppliedRevision(health.appliedRevision())
        .setHeldRevision(health.heldRevision())
        .addAllProblems(problems(health))
        .addAllComponents(components(health))
        .addAllForeignObjects(health.foreign().stream().map(text -> cut(text)).toList())
        .setUnderlayMtuBytes(health.underlayMtuBytes())
        .setApplyNanos(health.applyNanos())
        .build();
  }

  public static List<ResourceProblem> problems(Health health) {
    return health.problems().stream().limit(MAX_PROBLEMS).map(AckReporter::problem).toList();
  }

  public static List<ComponentStatus> components(Health health) {
    return health.components().stream().map(AckReporter::component).toList();
  }

  private static ResourceProblem problem(Problem problem) {
    ResourceState state =
        switch (problem.kind()) {
          case PENDING -> ResourceState.RESOURCE_STATE_PENDING;
          case REJECTED -> ResourceState.RESOURCE_STATE_REJECTED;
        };
    return ResourceProblem.newBuilder()
        // A name that cannot be read is somebody's text: one bad resource must not cost the report.
        .setName(cut(problem.resource(), MAX_NAME))
        .setState(state)
        .setReason(cut(problem.reason()))
        .build();
  }

  private static ComponentStatus component(Health.Component component) {
    Component part =
        switch (component.part()) {
          case OVSDB -> Component.COMPONENT_OVSDB;
          case OPENFLOW -> Component.COMPONENT_OPENFLOW;
          case TUNNELS -> Component.COMPONENT_TUNNELS;
          case GUARD -> Component.COMPONENT_GUARD;
        };
    ComponentState state =
        switch (component.state()) {
          case UNKNOWN -> ComponentState.COMPONENT_STATE_UNSPECIFIED;
          case OK -> ComponentState.COMPONENT_STATE_OK;
          case DEGRADED -> ComponentState.COMPONENT_STATE_DEGRADED;
          case FAILED -> ComponentState.COMPONENT_STATE_FAILED;
        };
    return ComponentStatus.newBuilder()
        .setComponent(part)
        .setState(state)
        .setDetail(cut(component.detail()))
        .build();
  }

  /** The text, or as much of it as a message may carry. */
  static String cut(String text) {
    return cut(text, MAX_TEXT);
  }

  static String cut(String text, int limit) {
    return text.length() <= limit ? text : text.substring(0, limit - 1) + "…";
  }
}
