package io.gatehouse.agent;

import io.gatehouse.proto.v1.AgentServiceGrpc;
import io.gatehouse.proto.v1.ComponentStatus;
import io.gatehouse.proto.v1.ExplainLocalPortRequest;
import io.gatehouse.proto.v1.GetAgentStatusRequest;
import io.gatehouse.proto.v1.GetAgentStatusResponse;
import io.gatehouse.proto.v1.InstalledFlow;
import io.gatehouse.proto.v1.IsolationFinding;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.ListFlowsRequest;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.proto.v1.ProveIsolationRequest;
import io.gatehouse.runtime.log.LogFormat;
import io.gatehouse.runtime.log.LogSetup;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that ask a running agent through its unix socket. */
final class LocalCommands {
  private static final int EXIT_UNAVAILABLE = 69;
  private static final long LIMIT_SECONDS = 30;
  private static final long PROOF_SECONDS = 180;

  private LocalCommands() {}

  /** A command that asks one question. */
  @Command(mixinStandardHelpOptions = true)
  abstract static class Question implements Callable<Integer> {
    @Option(
        names = "--socket",
        paramLabel = "PATH",
        defaultValue = "${env:GATEHOUSE_AGENT_SOCKET:-/run/gatehouse/agent.sock}",
        description =
            "The agent's socket (default: $GATEHOUSE_AGENT_SOCKET, or /run/gatehouse/agent.sock).")
    private Path socket = Path.of("");

    abstract void ask(AgentServiceGrpc.AgentServiceBlockingStub agent);

    @Override
    public Integer call() {
      LogSetup.use(LogFormat.TEXT, Level.ERROR);
      MultiThreadIoEventLoopGroup loops =
          new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
      ManagedChannel channel =
          NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
              .channelType(EpollDomainSocketChannel.class)
              .eventLoopGroup(loops)
              .maxInboundMessageSize(Integer.MAX_VALUE)
              .usePlaintext()
              .build();
      try {
        ask(
            AgentServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(LIMIT_SECONDS, TimeUnit.SECONDS));
        return 0;
      } catch (StatusRuntimeException e) {
        System.err.println("gatehouse-agent: " + socket + ": " + e.getStatus().getDescription());
        return EXIT_UNAVAILABLE;
      } finally {
        channel.shutdownNow();
        Future<?> unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      }
    }
  }

  /** {@code gatehouse-agent status}. */
  @Command(name = "status", description = "Says what the agent holds and what it has read back.")
  static final class Status extends Question {
    @Override
    void ask(AgentServiceGrpc.AgentServiceBlockingStub agent) {
      GetAgentStatusResponse status =
          agent.getAgentStatus(GetAgentStatusRequest.getDefaultInstance());
      line("dpu", status.getDpu() + ", agent " + status.getAgentVersion());
      line(
          "control plane",
          status.getConnected() ? "connected" : "not connected: " + status.getDisconnectReason());
      line(
          "last message",
          status.getLastSyncAgeMillis() < 0
              ? "none yet"
              : status.getLastSyncAgeMillis() / 1_000 + " s ago");
      line(
          "policy",
          "revision "
              + status.getAppliedRevision()
              + " applied, "
              + status.getHeldRevision()
              + " held");
      line(
          "certificate",
          status.getCertificateExpireSeconds() == 0
              ? "none"
              : "valid until " + Instant.ofEpochSecond(status.getCertificateExpireSeconds()));
      if (!status.getIdentityProblem().isEmpty()) {
        line("identity", status.getIdentityProblem());
      }
      if (!status.getPolicyRefusal().isEmpty()) {
        line("policy refused", status.getPolicyRefusal());
      }
      line(
          "carries",
          status.getNetworkCount()
              + " networks, "
              + status.getLocalPortCount()
              + " ports here, "
              + status.getRemotePortCount()
              + " elsewhere, "
              + status.getFlowCount()
              + " flows");
      line(
          "written",
          status.getWriteCount() + " changes, " + status.getDriftRepairCount() + " drift repairs");
      status.getComponentsList().forEach(Status::component);
      status
          .getProblemsList()
          .forEach(problem -> line("problem", problem.getName() + ": " + problem.getReason()));
      status.getForeignObjectsList().forEach(object -> line("not ours", object));
    }

    private static void component(ComponentStatus component) {
      String part = component.getComponent().name().replace("COMPONENT_", "");
      String state = component.getState().name().replace("COMPONENT_STATE_", "");
      line(
          part.toLowerCase(java.util.Locale.ROOT),
          component.getDetail().isEmpty() ? state : state + ": " + component.getDetail());
    }

    private static void line(String key, String value) {
      System.out.printf("%-14s %s%n", key, value);
    }
  }

  /** {@code gatehouse-agent flows}. */
  @Command(name = "flows", description = "Lists the flows that the switch has now, by table.")
  static final class Flows extends Question {
    @Option(names = "--table", paramLabel = "N", description = "Only this table.")
    private @org.jspecify.annotations.Nullable Integer table;

    @Override
    void ask(AgentServiceGrpc.AgentServiceBlockingStub agent) {
      ListFlowsRequest.Builder request = ListFlowsRequest.newBuilder();
      if (table != null) {
        request.setTable(table);
      }
      String shown = "";
      for (InstalledFlow flow : agent.listFlows(request.build()).getFlowsList()) {
        String name = flow.getTable() + " " + flow.getTableName();
        if (!name.equals(shown)) {
          System.out.println("table " + name);
          shown = name;
        }
        System.out.printf(
            "  %s  [%d packets, for %s]%n",
            flow.getFlow(),
            flow.getPackets(),
            flow.getOwner().isEmpty() ? "nobody known" : flow.getOwner());
      }
    }
  }

  /** {@code gatehouse-agent explain}. */
  @Command(
      name = "explain",
      description = "Says what runs for one port, and what stands in its way.")
  static final class Explain extends Question {
    @Parameters(paramLabel = "PORT", description = "tenants/T/networks/N/ports/P")
    private String port = "";

    @Override
    void ask(AgentServiceGrpc.AgentServiceBlockingStub agent) {
      PortObservation observation =
          agent
              .explainLocalPort(ExplainLocalPortRequest.newBuilder().setPort(port).build())
              .getObservation();
      System.out.println("device       " + observation.getDevice());
      System.out.println("switch port  " + observation.getOpenflowPort());
      System.out.println("revision     " + observation.getRevision());
      String told = observation.getHostService();
      System.out.println("host asked   " + (told.isEmpty() ? "not since the start" : told));
      observation
          .getProblemsList()
          .forEach(problem -> System.out.println("problem      " + problem));
      observation.getFlowsList().forEach(flow -> System.out.println("  " + flow));
    }
  }

  /** {@code gatehouse-agent prove}. */
  @Command(
      name = "prove",
      description = "Proves now that this DPU's ports are isolated; ends with 1 if one is not.")
  static final class Prove extends Question {
    private static final int LEAK = 1;

    @Option(names = "--tenant", paramLabel = "T", description = "Only the ports of this tenant.")
    private String tenant = "";

    private boolean leaks;

    @Override
    void ask(AgentServiceGrpc.AgentServiceBlockingStub agent) {
      String scope = tenant.isEmpty() || tenant.contains("/") ? tenant : "tenants/" + tenant;
      IsolationProof proof =
          agent
              .withDeadlineAfter(PROOF_SECONDS, TimeUnit.SECONDS)
              .proveIsolation(ProveIsolationRequest.newBuilder().setScope(scope).build())
              .getProof();
      System.out.printf(
          "revision %d: %d packets walked, %d traced%s%n",
          proof.getRevision(),
          proof.getWalkedPacketCount(),
          proof.getTracedPacketCount(),
          proof.getComplete() ? "" : ", not complete " + proof.getTraceProblem());
      System.out.println("evidence " + proof.getEvidenceHash());
      proof.getFindingsList().forEach(Prove::show);
      leaks = proof.getCellsList().stream().anyMatch(cell -> cell.getLeakCount() > 0);
    }

    @Override
    public Integer call() {
      int status = super.call();
      return status == 0 && leaks ? LEAK : status;
    }

    private static void show(IsolationFinding finding) {
      System.out.printf(
          "%s %s: %s to %s (%s)%n",
          finding.getLeak() ? "leak" : "lost",
          finding.getPacketClass().name().replace("PACKET_CLASS_", ""),
          finding.getFrom(),
          finding.getTo(),
          finding.getMethod().name().replace("ISOLATION_METHOD_", ""));
      finding.getFlowsList().stream().limit(1).forEach(flow -> System.out.println("  " + flow));
    }
  }
}
