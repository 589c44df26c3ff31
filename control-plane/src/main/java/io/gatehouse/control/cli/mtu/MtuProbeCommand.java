package io.gatehouse.control.cli.mtu;

import io.gatehouse.control.cli.command.Arguments;
import io.gatehouse.control.cli.command.CommandBuilder;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.resource.NameForm;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.proto.v1.PathServiceGrpc;
import io.gatehouse.proto.v1.ProbePathRequest;
import io.gatehouse.proto.v1.ProbePathResponse;
import io.gatehouse.proto.v1.ProbedPath;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse mtu probe}. */
final class MtuProbeCommand {
  private static final String NETWORK = "--network";
  private static final NameForm DPU = ResourceKinds.DPU.form();
  private static final NameForm NETWORKS = ResourceKinds.NETWORK.form();

  /** More than agents and control plane take: to find a silent hop they need half of it. */
  private static final Duration LEAST = Duration.ofSeconds(60);

  private MtuProbeCommand() {}

  static CommandSpec spec() {
    return CommandBuilder.of(
            "probe",
            "Measure both directions between two DPUs now, and test the tunnels.",
            MtuProbeCommand::probe)
        .positional(DPU.shape(), "One end, such as dpu1.")
        .positional(DPU.shape(), "The other end.")
        .option(NETWORK, NETWORKS.shape(), "Test the tunnel of this network only.")
        .build();
  }

  private static ExitCode probe(Arguments arguments, Session session) {
    ProbePathRequest request =
        ProbePathRequest.newBuilder()
            .setFrom(arguments.parse(DPU.shape(), arguments.required(0), DPU::parse))
            .setTo(arguments.parse(DPU.shape(), arguments.required(1), DPU::parse))
            .setNetwork(arguments.parsed(NETWORK, NETWORKS::parse).orElse(""))
            .build();
    Duration limit = session.timeout().compareTo(LEAST) > 0 ? session.timeout() : LEAST;
    ProbePathResponse response =
        session.connection().call(PathServiceGrpc.getProbePathMethod(), request, limit);
    switch (session.format()) {
      case JSON -> session.out().println(Messages.json(response));
      case YAML -> session.out().print(Messages.yaml(response));
      case TABLE -> session.out().print(PathProbeText.of(response));
    }
    return exit(response.getPathsList());
  }

  private static ExitCode exit(List<ProbedPath> paths) {
    if (paths.stream().anyMatch(PathProbeText::isWrong)) {
      return ExitCode.BLACK_HOLE;
    }
    return paths.stream().allMatch(PathProbeText::isProven) ? ExitCode.OK : ExitCode.UNAVAILABLE;
  }
}
