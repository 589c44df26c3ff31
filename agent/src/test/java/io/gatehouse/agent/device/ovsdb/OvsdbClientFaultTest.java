package io.gatehouse.agent.device.ovsdb;

import static io.gatehouse.agent.device.ovsdb.ClientFixture.failure;
import static io.gatehouse.agent.device.ovsdb.ClientFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.ovsdb.FakeOvsdbServer.Peer;
import io.gatehouse.agent.device.ovsdb.RecordingListener.Changed;
import io.gatehouse.agent.device.ovsdb.RecordingListener.Connected;
import io.gatehouse.agent.device.ovsdb.RecordingListener.Disconnected;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client does when its server is late, gone, or wrong. */
class OvsdbClientFaultTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Awaited in full where something must fail; elsewhere a loaded machine must do with it. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  private static final String BRIDGE_A = bridge("00000000-0000-0000-0000-00000000000a", "a");
  private static final String BRIDGE_B = bridge("00000000-0000-0000-0000-00000000000b", "b");
  private static final List<Operation> COMMENT = List.of(new Operation.Comment("x"));

  private FakeOvsdbServer server;
  private ClientFixture fixture;

  @BeforeEach
  void listen() throws IOException {
    server = new FakeOvsdbServer();
    fixture = new ClientFixture();
  }

  @AfterEach
  void close() throws IOException {
    fixture.close();
    server.close();
  }

  @Test
  void beforeTheFirstSnapshotNothingIsSentAndTheStateIsUnknown() throws Exception {
    OvsdbClient client = start(LONG, LONG);
    try (Peer peer = server.accept()) {
      peer.expect("set_db_change_aware");
      DeviceException refused = failure(client.transact(COMMENT));
      assertThat(refused.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(refused).hasMessageContaining("transact was not sent");
      assertThat(client.snapshot()).isEmpty();
    }
  }

  @Test
  void addressWithoutAServerIsTriedAgainAndAgain() throws Exception {
    Duration retry = Duration.ofMillis(20);
    fixture.start(
        OvsdbConfig.of(OvsdbAddress.parse("unix:/nonexistent/ghovs"), Map.of())
            .withTimes(new OvsdbConfig.Times(LONG, LONG, LONG, retry, retry)));
    for (int i = 0; i < 3; i++) {
      DeviceException cause = fixture.events.next(Disconnected.class).cause();
      assertThat(cause.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(cause).hasMessageStartingWith("unix:/nonexistent/ghovs: no connection");
    }
  }

  @Test
  void lateAnswerIsUnknownAndTheSessionGoesOn() throws Exception {
    OvsdbClient client = start(LONG, SHORT);
    try (Peer peer = server.acceptAndSync(BRIDGE_A)) {
      fixture.events.next(Connected.class);
      CompletableFuture<TransactionResult> done = client.transact(COMMENT);
      JsonNode request = peer.expect("transact");
      assertThat(failure(done).kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(failure(done)).hasMessageContaining("its outcome is unknown");
      peer.answer(request, "[{}]");
      peer.update(BRIDGE_B.replace("initial", "insert"));
      assertThat(fixture.events.next(Changed.class).snapshot().rows("Bridge")).hasSize(2);
    }
  }

  @Test
  void connectionCutAfterTheServerAppliedIsUnknownAndAFullSnapshotFollows() throws Exception {
    OvsdbClient client = start(LONG, LONG);
    Peer peer = server.acceptAndSync(BRIDGE_A);
    fixture.events.next(Connected.class);
    CompletableFuture<TransactionResult> done = client.transact(COMMENT);
    peer.expect("transact");
    peer.close();
    assertThat(failure(done).kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(failure(done)).hasMessageContaining("its outcome is unknown");
    fixture.events.next(Disconnected.class);
    assertThat(client.snapshot()).isEmpty();
    try (Peer again = server.acceptAndSync(BRIDGE_B)) {
      OvsdbSnapshot now = fixture.events.next(Connected.class).snapshot();
      assertThat(now.rows("Bridge")).hasSize(1);
      assertThat(now.rows("Bridge").iterator().next().string("name")).isEqualTo("b");
      assertThat(client.snapshot()).contains(now);
      client.close();
      assertThat(again.isClosedByClient()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "{]}",
        "{'id':99,'result':{},'error':null}",
        "{'id':'x','result':{},'error':null}",
        "{'id':null,'result':{},'error':null}",
        "{}",
        "{'id':null,'method':'update3','params':7}",
        "{'id':null,'method':'update3','params':['gatehouse']}",
        "{'id':null,'method':'update3','params':['gatehouse','x',{'Bridge':{'x':{'delete':null}}}]}",
        "{'id':null,'method':'update3','params':['gatehouse','x',{'Queue':{}}]}",
        "{'id':null,'method':'update','params':['gatehouse',{}]}",
        "{'id':1,'method':'steal','params':[]}",
      })
  void whatTheProtocolDoesNotAllowDropsTheConnection(String wrong) throws Exception {
    start(LONG, LONG);
    try (Peer peer = server.acceptAndSync(BRIDGE_A)) {
      fixture.events.next(Connected.class);
      peer.send(wrong);
      assertThat(fixture.events.next(Disconnected.class).cause().kind()).isEqualTo(Kind.PROTOCOL);
      assertThat(peer.isClosedByClient()).isTrue();
    }
    server.acceptAndSync(BRIDGE_B).close();
    fixture.events.next(Connected.class);
  }

  @Test
  void resultThatDoesNotFitDropsTheConnection() throws Exception {
    OvsdbClient client = start(LONG, LONG);
    try (Peer peer = server.acceptAndSync(BRIDGE_A)) {
      fixture.events.next(Connected.class);
      CompletableFuture<TransactionResult> done = client.transact(COMMENT);
      peer.answer(peer.expect("transact"), "7");
      assertThat(failure(done).kind()).isEqualTo(Kind.PROTOCOL);
      fixture.events.next(Disconnected.class);
    }
  }

  @Test
  void serverWithoutMonitorCondSinceIsAskedWithMonitorCond() throws Exception {
    start(LONG, LONG);
    try (Peer peer = server.accept()) {
      peer.refuse(peer.expect("set_db_change_aware"), "'unknown method'");
      peer.answer(peer.expect("get_schema"), Captured.schemaResult().toString());
      peer.refuse(peer.expect("monitor_cond_since"), "'unknown method'");
      peer.answer(peer.expect("monitor_cond"), BRIDGE_A);
      assertThat(fixture.events.next(Connected.class).snapshot().rows("Bridge")).hasSize(1);
      peer.send(
          "{'id':null,'method':'update2','params':['gatehouse',%s]}"
              .formatted(BRIDGE_B.replace("initial", "insert")));
      assertThat(fixture.events.next(Changed.class).snapshot().rows("Bridge")).hasSize(2);
    }
  }

  @Test
  void canceledMonitorStartsAgain() throws Exception {
    start(LONG, LONG);
    try (Peer peer = server.acceptAndSync(BRIDGE_A)) {
      fixture.events.next(Connected.class);
      peer.send("{'id':null,'method':'monitor_canceled','params':['gatehouse']}");
      DeviceException cause = fixture.events.next(Disconnected.class).cause();
      assertThat(cause.kind()).isEqualTo(Kind.UNREACHABLE);
    }
    server.acceptAndSync(BRIDGE_B).close();
    fixture.events.next(Connected.class);
  }

  @Test
  void echoIsAnswered() throws Exception {
    start(LONG, LONG);
    try (Peer peer = server.acceptAndSync(BRIDGE_A)) {
      peer.send("{'id':'echo','method':'echo','params':[1,'x']}");
      assertThat(peer.next())
          .isEqualTo(Captured.quoted("{'id':'echo','error':null,'result':[1,'x']}"));
    }
  }

  @Test
  void peerThatAsksForEchoesAndDoesNotReadIsDropped() throws Exception {

    fixture.start(
        config(LONG, LONG).withBounds(new OvsdbConfig.Bounds(8 << 20, 64, 10_000, 8, 64 << 10)));
    try (Peer peer = server.acceptAndSync(BRIDGE_A)) {
      fixture.events.next(Connected.class);
      String echo = "{'id':1,'method':'echo','params':['" + "x".repeat(7 << 20) + "']}";
      try {
        for (int i = 0; i < 20; i++) {
          peer.send(echo);
        }
      } catch (IOException e) {
        assertThat(e).as("the client hung up").isNotNull();
      }
      assertThat(fixture.events.next(Disconnected.class).cause())
          .hasMessageContaining("does not read them");
    }
  }

  @Test
  void silentServerIsProbedAndDropped() throws Exception {
    start(SHORT, LONG);
    try (Peer peer = server.acceptAndSync(BRIDGE_A)) {
      fixture.events.next(Connected.class);
      peer.answer(peer.expect("echo"), "[]");
      peer.expect("echo");
      DeviceException cause = fixture.events.next(Disconnected.class).cause();
      assertThat(cause.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(cause).hasMessageContaining("did not answer an echo");
    }
  }

  @Test
  void callsWithoutAnAnswerAreBounded() throws Exception {
    OvsdbConfig.Bounds two = new OvsdbConfig.Bounds(1 << 20, 64, 10_000, 2, 1 << 20);
    OvsdbClient client = fixture.start(config(LONG, LONG).withBounds(two));
    try (Peer peer = server.acceptAndSync(BRIDGE_A)) {
      fixture.events.next(Connected.class);
      CompletableFuture<TransactionResult> first = client.transact(COMMENT);
      CompletableFuture<TransactionResult> second = client.transact(COMMENT);
      DeviceException refused = failure(client.transact(COMMENT));
      assertThat(refused.kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(refused).hasMessageContaining("was not sent, 2 calls wait");
      peer.answer(peer.expect("transact"), "[{}]");
      get(first);
      CompletableFuture<TransactionResult> third = client.transact(COMMENT);
      peer.answer(peer.expect("transact"), "[{}]");
      peer.answer(peer.expect("transact"), "[{}]");
      get(second);
      get(third);
      List<Operation> large = List.of(new Operation.Comment("x".repeat(2 << 20)));
      assertThat(failure(client.transact(large)).kind()).isEqualTo(Kind.REJECTED);
    }
  }

  @Test
  void closeFailsWhatIsPendingAndTellsTheListenerNothing() throws Exception {
    OvsdbClient client = start(LONG, LONG);
    try (Peer peer = server.acceptAndSync(BRIDGE_A)) {
      fixture.events.next(Connected.class);
      CompletableFuture<TransactionResult> call = client.transact(COMMENT);
      CompletableFuture<OvsdbSnapshot> wait = client.await(now -> false, LONG, "never");
      peer.expect("transact");
      client.close();
      assertThat(failure(call).kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(failure(wait).kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(failure(client.transact(COMMENT)).kind()).isEqualTo(Kind.UNREACHABLE);
      assertThat(client.snapshot()).isEmpty();
      assertThat(fixture.events.isEmpty()).isTrue();
    }
  }

  @Test
  void waitOutlivesAReconnectAndEndsAtItsLimit() throws Exception {
    OvsdbClient client = start(LONG, LONG);
    CompletableFuture<OvsdbSnapshot> hasB =
        client.await(
            now -> now.table("Bridge").containsKey(new Uuid(0, 11)), LONG, "there is no b");
    server.acceptAndSync(BRIDGE_A).close();
    server.acceptAndSync(BRIDGE_B).close();
    assertThat(get(hasB).rows("Bridge")).hasSize(1);
    DeviceException late = failure(client.await(now -> false, SHORT, "b did not explode"));
    assertThat(late.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(late).hasMessageStartingWith("b did not explode");
  }

  private OvsdbClient start(Duration probe, Duration call) {
    return fixture.start(config(probe, call));
  }

  private OvsdbConfig config(Duration probe, Duration call) {
    Duration retry = Duration.ofMillis(20);
    return OvsdbConfig.of(server.address(), Map.of("Bridge", Set.of("name")))
        .withTimes(new OvsdbConfig.Times(LONG, probe, call, retry, retry));
  }

  private static String bridge(String uuid, String name) {
    return "{'Bridge':{'%s':{'initial':{'name':'%s'}}}}".formatted(uuid, name);
  }
}
