package io.gatehouse.control.publish;

import static io.gatehouse.control.publish.SessionLab.D1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.rpc.BadRequest;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.ComponentStatus;
import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.Heartbeat;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathHop;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.PolicyRemoval;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.proto.v1.ResourceProblem;
import io.gatehouse.proto.v1.SyncRequest;
import io.gatehouse.proto.v1.TunnelTest;
import io.gatehouse.proto.v1.UnderlayPath;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.Collections;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is out of bounds ends the stream with INVALID_ARGUMENT and the path of the field. */
final class AgentMessageBoundsTest {
  private final SessionLab lab = new SessionLab();
  private final FakeStream stream = new FakeStream();
  private final FakeAgent agent = new FakeAgent(FakeAgent.Mode.STAGED);

  static Stream<Arguments> hellos() {
    return Stream.of(
        bad("hello.agent_version", h -> h.setAgentVersion("x".repeat(65))),
        bad("hello.boot_id", h -> h.setBootId("x".repeat(65))),
        bad("hello.held_revision", h -> h.setHeldRevision(-1)),
        bad("hello.inventory_hash.size", h -> h.setInventoryHash(ByteString.EMPTY)),
        bad("hello.vtep_address", h -> h.setVtepAddress("x".repeat(65))),
        bad("hello.underlay_mtu_bytes", h -> h.setUnderlayMtuBytes(65_536)),
        bad("hello.underlay_mtu_bytes", h -> h.setUnderlayMtuBytes(-1)),
        bad("hello.functions", h -> h.addAllFunctions(Collections.nCopies(1_025, "f"))),
        bad(
            "hello.functions[1]",
            h -> h.clearFunctions().addFunctions("f").addFunctions("x".repeat(65))));
  }

  @ParameterizedTest
  @MethodSource("hellos")
  void hello(String field, UnaryOperator<Hello.Builder> change) {
    lab.become("d1");
    Hello.Builder hello = agent.hello().getHello().toBuilder();
    SyncSession session = lab.open(D1, stream);
    session.received(SyncRequest.newBuilder().setHello(change.apply(hello)).build());
    assertRefused(field);
  }

  static Stream<Arguments> messages() {
    Ack ack = Ack.getDefaultInstance();
    ResourceProblem problem = ResourceProblem.getDefaultInstance();
    Inventory inventory = Inventory.getDefaultInstance();
    return Stream.of(
        Arguments.of("message", SyncRequest.getDefaultInstance()),
        Arguments.of("hello", new FakeAgent(FakeAgent.Mode.STAGED).hello()),
        of("ack.applied_revision", ack.toBuilder().setAppliedRevision(2)),
        of("ack.applied_revision", ack.toBuilder().setAppliedRevision(-1)),
        of("ack.held_revision", ack.toBuilder().setHeldRevision(2)),
        of("ack.problems", ack.toBuilder().addAllProblems(Collections.nCopies(1_001, problem))),
        of(
            "ack.problems[0].reason",
            ack.toBuilder().addProblems(problem.toBuilder().setReason("x".repeat(501)))),
        of(
            "ack.problems[0].name",
            ack.toBuilder().addProblems(problem.toBuilder().setName("x".repeat(201)))),
        of(
            "ack.components",
            ack.toBuilder()
                .addAllComponents(Collections.nCopies(17, ComponentStatus.getDefaultInstance()))),
        of(
            "ack.components[0].detail",
            ack.toBuilder().addComponents(ComponentStatus.newBuilder().setDetail("x".repeat(501)))),
        of(
            "ack.foreign_objects",
            ack.toBuilder().addAllForeignObjects(Collections.nCopies(101, "x"))),
        of("ack.underlay_mtu_bytes", ack.toBuilder().setUnderlayMtuBytes(65_536)),
        of("ack.apply_nanos", ack.toBuilder().setApplyNanos(-1)),
        Arguments.of(
            "heartbeat.applied_revision",
            SyncRequest.newBuilder()
                .setHeartbeat(Heartbeat.newBuilder().setAppliedRevision(2))
                .build()),
        of(
            "inventory.held",
            inventory.toBuilder()
                .addAllHeld(Collections.nCopies(20_001, PolicyRemoval.getDefaultInstance()))),
        of(
            "inventory.held[1].name",
            inventory.toBuilder()
                .addHeld(PolicyRemoval.newBuilder().setName("a"))
                .addHeld(PolicyRemoval.newBuilder().setName("a"))),
        of("inventory.held_revision", inventory.toBuilder().setHeldRevision(-1)),
        explain("flows", PortObservation.newBuilder().addFlows("x".repeat(4_001))),
        explain("openflow_port", PortObservation.newBuilder().setOpenflowPort(70_000)));
  }

  static Stream<Arguments> measurements() {
    return Stream.of(
        paths("paths[0].peer", UnderlayPath.newBuilder().setPeer("dpus/D 1").setStateValue(1), 1),
        paths("paths[0].state", path(), 1),
        paths("paths[0].state", path().setStateValue(5), 1),
        paths("paths[0].wanted_bytes", path().setStateValue(1).setWantedBytes(65_536), 1),
        paths("paths[0].proven_bytes", path().setStateValue(1).setProvenBytes(-1), 1),
        paths("paths[0].lost_bytes", path().setStateValue(1).setLostBytes(65_536), 1),
        paths("paths", path().setStateValue(1), 1_025),
        paths("paths[0].hop.distance", hop(PathHop.newBuilder().setDistance(256)), 1),
        paths("paths[0].hop.address", hop(PathHop.newBuilder().setAddress("1".repeat(65))), 1),
        paths("paths[0].hop.mtu_bytes", hop(PathHop.newBuilder().setMtuBytes(-1)), 1),
        paths("paths[0].hop.unknown", hop(PathHop.newBuilder().setUnknown("x".repeat(501))), 1),
        probed("path.state", PathAnswer.newBuilder().setPath(path())),
        probed("unavailable", PathAnswer.newBuilder().setUnavailable("x".repeat(501))),
        probed("tunnel_tests", answer(TunnelTest.newBuilder().setKindValue(1), 65)),
        probed("tunnel_tests[0].network", answer(TunnelTest.newBuilder().setNetwork("n"), 1)),
        probed("tunnel_tests[0].kind", answer(TunnelTest.newBuilder().setKindValue(5), 1)),
        probed("tunnel_tests[0].inner_bytes", answer(test().setInnerBytes(65_536), 1)),
        probed("tunnel_tests[0].sent_count", answer(test().setSentCount(1_001), 1)),
        probed("tunnel_tests[0].arrived_count", answer(test().setArrivedCount(9), 1)),
        probed("tunnel_tests[0].damaged_count", answer(test().setDamagedCount(-1), 1)));
  }

  private static UnderlayPath.Builder path() {
    return UnderlayPath.newBuilder().setPeer("dpus/d2");
  }

  private static UnderlayPath.Builder hop(PathHop.Builder hop) {
    return path().setStateValue(4).setHop(hop);
  }

  private static TunnelTest.Builder test() {
    return TunnelTest.newBuilder().setKindValue(1).setSentCount(8);
  }

  private static PathAnswer.Builder answer(TunnelTest.Builder test, int copies) {
    TunnelTest.Builder named =
        test.getNetwork().isEmpty() ? test.setNetwork("tenants/a/networks/n") : test;
    return PathAnswer.newBuilder().addAllTunnelTests(Collections.nCopies(copies, named.build()));
  }

  private static Arguments probed(String field, PathAnswer.Builder answer) {
    return Arguments.of(
        "path_answer." + field, SyncRequest.newBuilder().setPathAnswer(answer).build());
  }

  private static Arguments paths(String field, UnderlayPath.Builder path, int copies) {
    return Arguments.of(
        "path_report." + field,
        SyncRequest.newBuilder()
            .setPathReport(
                PathReport.newBuilder().addAllPaths(Collections.nCopies(copies, path.build())))
            .build());
  }

  @Test
  void aReportOfPathsWithinItsBoundsIsTaken() {
    SyncSession session = greeted();
    session.received(
        SyncRequest.newBuilder()
            .setPathReport(PathReport.newBuilder().addPaths(path().setStateValue(4)))
            .build());
    assertThat(lab.reports).contains("paths of d1 to 1");
    assertThat(stream.ended()).isFalse();
  }

  @ParameterizedTest
  @MethodSource({"messages", "measurements"})
  void messagesAfterHello(String field, SyncRequest message) {
    SyncSession session = greeted();
    session.received(message);
    assertRefused(field);
  }

  @Test
  void theFirstMessageIsHello() {
    lab.become("d1");
    lab.open(D1, stream).received(agent.ack());
    assertRefused("hello");
  }

  @Test
  void anInventoryOfManyMessagesIsBoundedAsAWhole() {
    SyncSession session = greeted();
    for (int part = 0; !stream.ended() && part < 10; part++) {
      Inventory.Builder inventory = Inventory.newBuilder();
      for (int i = 0; i < 20_000; i++) {
        inventory.addHeld(PolicyRemoval.newBuilder().setName(part + "/" + i));
      }
      session.received(SyncRequest.newBuilder().setInventory(inventory).build());
    }
    assertRefused("inventory.held");
  }

  @Test
  void moreMessagesThanTheRateEndTheStream() {
    SyncSession session = greeted();
    for (int i = 0; i < MessageRate.BURST && !stream.ended(); i++) {
      session.received(agent.ack());
    }
    assertRefused("message");
  }

  @Test
  void theRateAllowsWhatIsSpread() {
    SyncSession session = greeted();
    for (int i = 0; i < 3 * MessageRate.BURST; i++) {
      lab.nanos += 1_000_000;
      session.received(agent.ack());
    }
    assertThat(stream.ended()).isFalse();
  }

  private SyncSession greeted() {
    lab.become("d1");
    SyncSession session = lab.open(D1, stream);
    session.received(agent.hello());
    stream.takeAll().forEach(agent::received);
    return session;
  }

  private void assertRefused(String field) {
    assertThat(stream.endCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(stream.endText()).startsWith(field);
    com.google.rpc.Status status =
        StatusProto.fromThrowable(Objects.requireNonNull(stream.endReason()));
    assertThat(status).isNotNull();
    assertThat(Objects.requireNonNull(status).getDetails(0).is(BadRequest.class)).isTrue();
  }

  private static Arguments bad(String field, UnaryOperator<Hello.Builder> change) {
    return Arguments.of(field, change);
  }

  private static Arguments of(String field, Ack.Builder ack) {
    return Arguments.of(field, SyncRequest.newBuilder().setAck(ack).build());
  }

  private static Arguments of(String field, Inventory.Builder inventory) {
    return Arguments.of(field, SyncRequest.newBuilder().setInventory(inventory).build());
  }

  private static Arguments explain(String field, PortObservation.Builder observation) {
    return Arguments.of(
        "explain_answer.observation." + field,
        SyncRequest.newBuilder()
            .setExplainAnswer(ExplainAnswer.newBuilder().setObservation(observation))
            .build());
  }
}
