package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.output.FieldList;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.resource.FieldText;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.proto.v1.ExplainPortRequest;
import io.gatehouse.proto.v1.ExplainPortResponse;
import io.gatehouse.proto.v1.Port;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.proto.v1.PortServiceGrpc;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse explain}: one port, and what its DPU runs for it now. */
public final class ExplainCommand {
  private ExplainCommand() {}

  public static CommandSpec spec() {
    String summary = "Show where a port is, its state, and the flows that its DPU runs for it now.";
    return CommandBuilder.of("explain", summary, ExplainCommand::run)
        .positional(ResourceKinds.PORT.form().shape(), "Such as acme/blue/web-1.")
        .build();
  }

  private static ExitCode run(Arguments arguments, Session session) {
    String shape = ResourceKinds.PORT.form().shape();
    String name = arguments.parse(shape, arguments.required(0), ResourceKinds.PORT.form()::parse);
    ExplainPortResponse answer =
        session.call(
            PortServiceGrpc.getExplainPortMethod(),
            ExplainPortRequest.newBuilder().setName(name).build());
    switch (session.format()) {
      case JSON -> session.out().println(Messages.json(answer));
      case YAML -> session.out().print(Messages.yaml(answer));
      case TABLE -> print(session.out(), answer);
    }
    if (!answer.hasObservation()) {
      String why = answer.getUnavailable();
      throw new CliException(
          ExitCode.UNAVAILABLE,
          "what the DPU runs is not known: " + (why.isEmpty() ? "no reason given" : why));
    }
    return ExitCode.OK;
  }

  private static void print(PrintStream out, ExplainPortResponse answer) {
    Port port = answer.getPort();
    FieldList where = new FieldList();
    where.add("port", ResourceKinds.PORT.form().shorten(port.getName()));
    where.add("network", shortNetwork(answer) + ", VNI " + answer.getVni());
    where.add("dpu", shortDpu(port) + ", function " + port.getFunction());
    if (answer.hasObservation()) {
      where.add("device", device(answer.getObservation()));
    }
    where.add("mac", port.getMacAddress());
    where.add("addresses", String.join(", ", port.getIpAddressesList()));
    where.add("admin state", FieldText.show(port.getAdminState().getValueDescriptor()));
    where.add("state", state(port));
    if (!port.getQuarantineReason().isEmpty()) {
      where.add("quarantined", port.getQuarantineReason());
    }
    out.print(where);
    section(out, "why it is not ready", answer.getObservation().getProblemsList());
    if (answer.hasObservation()) {
      out.print("\n" + FlowListing.of(answer.getObservation()));
    }
  }

  private static String shortNetwork(ExplainPortResponse answer) {
    return ResourceKinds.NETWORK.form().shorten(answer.getNetwork());
  }

  private static String shortDpu(Port port) {
    return ResourceKinds.DPU.form().shorten(port.getDpu());
  }

  private static String device(PortObservation observation) {
    if (observation.getDevice().isEmpty()) {
      return "none: the function was not found";
    }
    return observation.getOpenflowPort() == 0
        ? observation.getDevice() + ", not on the switch"
        : observation.getDevice() + ", OpenFlow port " + observation.getOpenflowPort();
  }

  private static String state(Port port) {
    String state = FieldText.show(port.getStatus().getState().getValueDescriptor());
    String reason = port.getStatus().getReason();
    return (state.isEmpty() ? "UNKNOWN" : state)
        + " at revision "
        + port.getStatus().getRevision()
        + (reason.isEmpty() ? "" : ": " + reason);
  }

  private static void section(PrintStream out, String title, List<String> lines) {
    if (!lines.isEmpty()) {
      out.println("\n" + title);
      lines.forEach(line -> out.println("  " + line));
    }
  }
}
