package io.gatehouse.control.cli.mtu;

import io.gatehouse.control.cli.command.Arguments;
import io.gatehouse.control.cli.command.CommandBuilder;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.proto.v1.DpuPaths;
import io.gatehouse.proto.v1.ListPathsRequest;
import io.gatehouse.proto.v1.ListPathsResponse;
import io.gatehouse.proto.v1.PathServiceGrpc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse mtu map}. */
final class MtuMapCommand {
  private static final String DPU = "--dpu";
  private static final String HTML = "--html";

  private MtuMapCommand() {}

  static CommandSpec spec() {
    return CommandBuilder.of(
            "map", "Show what each path between DPUs carries, as measured.", MtuMapCommand::map)
        .option(DPU, "DPU", "Only the paths away from this DPU.")
        .option(HTML, "FILE", "Write the map as a page, too.")
        .build();
  }

  private static ExitCode map(Arguments arguments, Session session) {
    Optional<String> dpu = arguments.parsed(DPU, ResourceKinds.DPU.form()::parse);
    List<DpuPaths> dpus = dpus(session, dpu.orElse("dpus/-"));
    PathMap map = new PathMap(dpus);
    arguments.text(HTML).ifPresent(file -> write(file, map, session));
    switch (session.format()) {
      case JSON -> session.out().println(Messages.jsonArray(dpus));
      case YAML -> dpus.forEach(paths -> session.out().print(Messages.yaml("DpuPaths", paths)));
      case TABLE -> print(map, session);
    }
    return map.problems().isEmpty() ? ExitCode.OK : ExitCode.BLACK_HOLE;
  }

  private static List<DpuPaths> dpus(Session session, String parent) {
    List<DpuPaths> dpus = new ArrayList<>();
    String token = "";
    do {
      ListPathsResponse page =
          session.call(
              PathServiceGrpc.getListPathsMethod(),
              ListPathsRequest.newBuilder().setParent(parent).setPageToken(token).build());
      dpus.addAll(page.getDpusList());
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    return dpus;
  }

  private static void print(PathMap map, Session session) {
    if (map.names().isEmpty()) {
      session.out().println("No two DPUs share a network, so that there is no path to measure.");
      return;
    }
    PathMap shown = map.names().size() > PathMap.MAX_COLUMNS ? map.unproven() : map;
    if (shown.names().size() > PathMap.MAX_COLUMNS) {
      session.out().println(map.names().size() + " DPUs: too many for a table; see " + HTML);
    } else if (shown.names().isEmpty()) {
      session.out().println("All paths of " + map.names().size() + " DPUs are proven.");
    } else {
      boolean colored = Ansi.AUTO.enabled();
      session.out().print(PathMapText.matrix(shown, colored));
    }
    map.problems().forEach(session.out()::println);
  }

  private static void write(String file, PathMap map, Session session) {
    String title = map.names().size() + " DPUs at " + session.terminal().clock().instant();
    try {
      Files.writeString(Path.of(file), PathMapText.page(map, title));
    } catch (IOException e) {
      throw new CliException(ExitCode.USAGE, HTML + " " + file + ": " + e.getMessage());
    }
  }
}
