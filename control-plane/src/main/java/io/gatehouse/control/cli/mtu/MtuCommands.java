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
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse mtu}: explain, show, map, probe. */
public final class MtuCommands {
  private static final NameForm NETWORK = ResourceKinds.NETWORK.form();

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
                    "Show each DPU's underlay: declared, as read, and the networks it limits.",
                    MtuCommands::show)
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
    List<DpuMtu> dpus = new ArrayList<>();
    String token = "";
    do {
      ListDpuMtusResponse page =
          session.call(
              MtuServiceGrpc.getListDpuMtusMethod(),
              ListDpuMtusRequest.newBuilder().setPageToken(token).build());
      dpus.addAll(page.getDpusList());
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    switch (session.format()) {
      case JSON -> session.out().println(Messages.jsonArray(dpus));
      case YAML -> dpus.forEach(dpu -> session.out().print(Messages.yaml("DpuMtu", dpu)));
      case TABLE -> session.out().print(MtuText.fleet(dpus));
    }
    return ExitCode.OK;
  }
}
