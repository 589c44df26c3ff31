package io.gatehouse.control.cli.mtu;

import io.gatehouse.control.cli.command.Arguments;
import io.gatehouse.control.cli.command.CommandBuilder;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.resource.NameForm;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.proto.v1.DpuMtu;
import io.gatehouse.proto.v1.ExplainMtuRequest;
import io.gatehouse.proto.v1.ExplainMtuResponse;
import io.gatehouse.proto.v1.ListDpuMtusRequest;
import io.gatehouse.proto.v1.ListDpuMtusResponse;
import io.gatehouse.proto.v1.MtuServiceGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse mtu}: explain, show, map, probe. */
public final class MtuCommands {
  private static final NameForm NETWORK = ResourceKinds.NETWORK.form();
  private static final NameForm DPU = ResourceKinds.DPU.form();

  private MtuCommands() {}

  public static CommandSpec spec() {
    return CommandBuilder.group(
            "mtu",
            "Show what fits through the underlay and why, and what the fabric really carries.")
        .sub(
            CommandBuilder.of(
                    "explain",
                    "Show how the MTU of a network comes about, layer by layer.",
                    MtuCommands::explain)
                .positional(NETWORK.shape(), "Such as acme/blue.")
                .build())
        .sub(
            CommandBuilder.of(
                    "show",
                    "Show the underlays of the fleet and what differs, or one with each layer.",
                    MtuCommands::show)
                .optionalPositional(DPU.shape(), "Such as dpu1; without: all DPUs.")
                .build())
        .sub(MtuMapCommand.spec())
        .sub(MtuProbeCommand.spec())
        .build();
  }

  private static ExitCode explain(Arguments arguments, Session session) {
    String name = arguments.parse(NETWORK.shape(), arguments.required(0), NETWORK::parse);
    ExplainMtuResponse answer =
        session.call(
            MtuServiceGrpc.getExplainMtuMethod(),
            ExplainMtuRequest.newBuilder().setName(name).build());
    switch (session.format()) {
      case JSON -> session.out().println(Messages.json(answer));
      case YAML -> session.out().print(Messages.yaml(answer));
      case TABLE -> session.out().print(MtuText.explanation(answer));
    }
    return ExitCode.OK;
  }

  private static ExitCode show(Arguments arguments, Session session) {
    Optional<String> only =
        arguments.optional(0).map(text -> arguments.parse(DPU.shape(), text, DPU::parse));
    List<DpuMtu> dpus = asked(session, only.orElse(""));
    switch (session.format()) {
      case JSON -> session.out().println(Messages.jsonArray(dpus));
      case YAML -> dpus.forEach(dpu -> session.out().print(Messages.yaml("DpuMtu", dpu)));
      case TABLE ->
          session
              .out()
              .print(only.isPresent() ? UnderlayText.one(dpus.get(0)) : UnderlayText.fleet(dpus));
    }
    return ExitCode.OK;
  }

  /** One DPU, or with an empty name all. */
  private static List<DpuMtu> asked(Session session, String dpu) {
    List<DpuMtu> dpus = new ArrayList<>();
    String token = "";
    do {
      ListDpuMtusResponse page =
          session.call(
              MtuServiceGrpc.getListDpuMtusMethod(),
              ListDpuMtusRequest.newBuilder().setPageToken(token).setDpu(dpu).build());
      dpus.addAll(page.getDpusList());
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    return dpus;
  }
}
