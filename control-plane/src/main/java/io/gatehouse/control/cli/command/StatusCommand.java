package io.gatehouse.control.cli.command;

import com.google.protobuf.Message;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.Table;
import io.gatehouse.control.cli.resource.Column;
import io.gatehouse.control.cli.resource.FieldPath;
import io.gatehouse.control.cli.resource.FieldText;
import io.gatehouse.control.cli.resource.ResourceClient;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.proto.v1.FleetServiceGrpc;
import io.gatehouse.proto.v1.GetFleetStatusRequest;
import io.gatehouse.proto.v1.GetFleetStatusResponse;
import io.gatehouse.proto.v1.Laggard;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse status}: how far the policy is real, and what each DPU runs. */
public final class StatusCommand {
  private static final List<String> HEADER =
      List.of("DPU", "CONNECTED", "DESIRED", "APPLIED", "NOT OK", "PROBLEMS", "LAST SEEN");

  private StatusCommand() {}

  public static CommandSpec spec() {
    String summary = "Show how far the policy is real, by what the DPUs have read back.";
    return CommandBuilder.of("status", summary, StatusCommand::run)
        .optionalPositional(FleetScope.LABEL, FleetScope.HELP)
        .build();
  }

  private static ExitCode run(Arguments arguments, Session session) {
    String text = arguments.optional(0).orElse("");
    String scope = arguments.parse(FleetScope.LABEL, text, FleetScope::parse);
    GetFleetStatusResponse status =
        session.call(
            FleetServiceGrpc.getGetFleetStatusMethod(),
            GetFleetStatusRequest.newBuilder().setScope(scope).build());
    List<Message> dpus = dpus(session, scope);
    switch (session.format()) {
      case JSON ->
          session
              .out()
              .println(
                  "{\"status\": "
                      + Messages.json(status)
                      + ",\n\"dpus\": "
                      + Messages.jsonArray(dpus)
                      + "}");
      case YAML -> {
        session.out().print(Messages.yaml("FleetStatus", status));
        dpus.forEach(dpu -> session.out().print(Messages.yaml("Dpu", dpu)));
      }
      case TABLE -> print(session, status, dpus);
    }
    return ExitCode.OK;
  }

  /** The DPUs of the scope; those of a tenant are the ones that carry its ports. */
  private static List<Message> dpus(Session session, String scope) {
    ResourceClient dpus = new ResourceClient(session, ResourceKinds.DPU);
    if (scope.startsWith("dpus/")) {
      return List.of(dpus.get(scope));
    }
    List<Message> all = dpus.list("", "");
    if (scope.isEmpty()) {
      return all;
    }
    String parent = ResourceKinds.PORT.form().parent(scope);
    Set<Object> carriers =
        new ResourceClient(session, ResourceKinds.PORT)
            .list(parent, "").stream()
                .map(port -> FieldPath.get(port, "dpu"))
                .collect(Collectors.toSet());
    return all.stream().filter(dpu -> carriers.contains(ResourceKinds.DPU.nameOf(dpu))).toList();
  }

  private static void print(Session session, GetFleetStatusResponse status, List<Message> dpus) {
    session.out().println(summary(status));
    session
        .out()
        .println(
            "tenants %d, networks %d, ports %d"
                .formatted(
                    status.getTenantCount(), status.getNetworkCount(), status.getPortCount()));
    limited(
        session, "degraded", status.getDegradedNetworkCount(), status.getDegradedNetworksList());
    limited(session, "lowered", status.getLoweredNetworkCount(), status.getLoweredNetworksList());
    if (!dpus.isEmpty()) {
      Table table = new Table(HEADER);
      dpus.forEach(dpu -> table.row(row(dpu, session)));
      session.out().print("\n" + table);
    }
    if (status.getLaggardsCount() > 0) {
      Table table = new Table(List.of("BEHIND", "APPLIED", "DESIRED", "REASON"));
      status.getLaggardsList().forEach(laggard -> table.row(row(laggard)));
      session.out().print("\n" + table);
    }
  }

  /** A line that is there only when there is something to see. */
  private static void limited(Session session, String what, int count, List<String> names) {
    if (count > 0) {
      String shown =
          names.stream()
              .map(ResourceKinds.NETWORK.form()::shorten)
              .collect(Collectors.joining(", "));
      String more = count > names.size() ? " and " + (count - names.size()) + " more" : "";
      session.out().println(what + " by paths: " + shown + more);
    }
  }

  private static String summary(GetFleetStatusResponse status) {
    return "revision %d, applied everywhere up to %d; %d of %d DPUs are current"
        .formatted(
            status.getRevision(),
            status.getAppliedRevision(),
            status.getCurrentDpuCount(),
            status.getDpuCount());
  }

  private static List<String> row(Message dpu, Session session) {
    List<String> row = new ArrayList<>(List.of(ResourceKinds.DPU.shortNameOf(dpu)));
    for (String path :
        List.of("status.connected", "status.desired_revision", "status.applied_revision")) {
      Object value = FieldPath.get(dpu, path);
      row.add(value instanceof Boolean ? FieldText.show(value) : value.toString());
    }
    row.add(notOk(dpu));
    int problems = ((List<?>) FieldPath.get(dpu, "status.problems")).size();
    row.add(problems == 0 ? "" : Integer.toString(problems));
    row.add(Column.ago("", "status.last_seen_time").cell().apply(dpu, session.now()));
    return row;
  }

  private static String notOk(Message dpu) {
    List<String> parts = new ArrayList<>();
    for (Object element : (List<?>) FieldPath.get(dpu, "status.components")) {
      Message part = (Message) element;
      String state = FieldText.show(FieldPath.get(part, "state"));
      if (!state.equals("OK")) {
        String name = FieldText.show(FieldPath.get(part, "component"));
        String detail = (String) FieldPath.get(part, "detail");
        String known = state.isEmpty() ? "UNKNOWN" : state;
        parts.add(name + " " + known + (detail.isEmpty() ? "" : " (" + detail + ")"));
      }
    }
    return String.join(", ", parts);
  }

  private static List<String> row(Laggard laggard) {
    return List.of(
        ResourceKinds.DPU.form().shorten(laggard.getDpu()),
        Long.toString(laggard.getAppliedRevision()),
        Long.toString(laggard.getDesiredRevision()),
        laggard.getReason().isEmpty() && !laggard.getConnected()
            ? "not connected"
            : laggard.getReason());
  }
}
