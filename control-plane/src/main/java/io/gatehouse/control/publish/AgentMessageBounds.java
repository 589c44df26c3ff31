package io.gatehouse.control.publish;

import static io.gatehouse.control.publish.bounds.FieldBounds.count;
import static io.gatehouse.control.publish.bounds.FieldBounds.range;
import static io.gatehouse.control.publish.bounds.FieldBounds.text;
import static io.gatehouse.control.publish.bounds.FieldBounds.texts;

import io.gatehouse.control.publish.bounds.UnderlayBounds;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.Ack;
import io.gatehouse.proto.v1.ComponentStatus;
import io.gatehouse.proto.v1.ExplainAnswer;
import io.gatehouse.proto.v1.Heartbeat;
import io.gatehouse.proto.v1.Hello;
import io.gatehouse.proto.v1.Inventory;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationFinding;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.PathAnswer;
import io.gatehouse.proto.v1.PathHop;
import io.gatehouse.proto.v1.PathReport;
import io.gatehouse.proto.v1.PathState;
import io.gatehouse.proto.v1.PolicyRemoval;
import io.gatehouse.proto.v1.PortObservation;
import io.gatehouse.proto.v1.ResourceProblem;
import io.gatehouse.proto.v1.TunnelTest;
import io.gatehouse.proto.v1.TunnelTestKind;
import io.gatehouse.proto.v1.UnderlayPath;
import io.gatehouse.wire.FieldReader;

/**
 * The bounds of what an agent may send, as sync.proto states them. Pure.
 *
 * <p>Every method throws {@link InvalidValueException} with the path of the field.
 */
final class AgentMessageBounds {
  static final int MAX_FUNCTIONS = 1_024;
  static final int MAX_PROBLEMS = 1_000;
  static final int MAX_FOREIGN_OBJECTS = 100;
  static final int MAX_INVENTORY_MESSAGE = 20_000;

  private static final int MAX_COMPONENTS = 16;
  private static final int MAX_VERSION_LENGTH = 64;
  private static final int MAX_NAME_LENGTH = 200;
  private static final int MAX_REASON_LENGTH = 500;
  private static final int MAX_ADDRESS_LENGTH = 64;
  private static final int MAX_MTU_BYTES = 65_535;
  private static final int HASH_BYTES = 32;
  private static final int MAX_FLOWS = 2_000;
  private static final int MAX_FLOW_LENGTH = 4_000;
  private static final int MAX_PATHS = 1_024;
  private static final int MAX_HOPS = 255;
  private static final int MAX_TUNNEL_TESTS = 64;
  private static final int MAX_TUNNEL_PACKETS = 1_000;

  /** The end of the year 9999, beyond which a time has no text in JSON. */
  private static final long MAX_SECONDS = 253_402_300_799L;

  private static final int MAX_NANOS = 999_999_999;
  private static final int MAX_CELLS = 4_200;
  private static final int MAX_FINDINGS = 100;
  private static final int MAX_FINDING_FLOWS = 20;
  private static final int MAX_OPENFLOW_PORT = 65_279;

  private AgentMessageBounds() {}

  static void check(Hello hello) {
    text("hello.agent_version", hello.getAgentVersion(), MAX_VERSION_LENGTH);
    text("hello.boot_id", hello.getBootId(), MAX_VERSION_LENGTH);
    range("hello.held_revision", hello.getHeldRevision(), 0, Long.MAX_VALUE);
    range("hello.inventory_hash.size", hello.getInventoryHash().size(), HASH_BYTES, HASH_BYTES);
    text("hello.vtep_address", hello.getVtepAddress(), MAX_ADDRESS_LENGTH);
    int mtu = hello.getUnderlayMtuBytes();
    range("hello.underlay_mtu_bytes", Integer.toUnsignedLong(mtu), 0, MAX_MTU_BYTES);
    texts("hello.functions", hello.getFunctionsList(), MAX_FUNCTIONS, MAX_VERSION_LENGTH);
  }

  /**
   * @param ceiling newest revision that the agent can know of
   */
  static void check(Ack ack, long ceiling) {
    range("ack.applied_revision", ack.getAppliedRevision(), 0, ceiling);
    range("ack.held_revision", ack.getHeldRevision(), 0, ceiling);
    count("ack.problems", ack.getProblemsCount(), MAX_PROBLEMS);
    for (int i = 0; i < ack.getProblemsCount(); i++) {
      ResourceProblem problem = ack.getProblems(i);
      text("ack.problems[" + i + "].name", problem.getName(), MAX_NAME_LENGTH);
      text("ack.problems[" + i + "].reason", problem.getReason(), MAX_REASON_LENGTH);
    }
    count("ack.components", ack.getComponentsCount(), MAX_COMPONENTS);
    for (int i = 0; i < ack.getComponentsCount(); i++) {
      ComponentStatus component = ack.getComponents(i);
      text("ack.components[" + i + "].detail", component.getDetail(), MAX_REASON_LENGTH);
    }
    texts(
        "ack.foreign_objects", ack.getForeignObjectsList(), MAX_FOREIGN_OBJECTS, MAX_REASON_LENGTH);
    int mtu = ack.getUnderlayMtuBytes();
    range("ack.underlay_mtu_bytes", Integer.toUnsignedLong(mtu), 0, MAX_MTU_BYTES);
    range("ack.apply_nanos", ack.getApplyNanos(), 0, Long.MAX_VALUE);
    UnderlayBounds.check(ack.getUnderlay());
  }

  /**
   * @param ceiling newest revision that the agent can know of
   */
  static void check(Heartbeat heartbeat, long ceiling) {
    range("heartbeat.applied_revision", heartbeat.getAppliedRevision(), 0, ceiling);
    range("heartbeat.sequence", heartbeat.getSequence(), 0, Long.MAX_VALUE);
  }

  static void check(Inventory inventory) {
    range("inventory.held_revision", inventory.getHeldRevision(), 0, Long.MAX_VALUE);
    count("inventory.held", inventory.getHeldCount(), MAX_INVENTORY_MESSAGE);
    for (int i = 0; i < inventory.getHeldCount(); i++) {
      PolicyRemoval held = inventory.getHeld(i);
      text("inventory.held[" + i + "].name", held.getName(), MAX_NAME_LENGTH);
    }
  }

  static void check(ExplainAnswer answer) {
    PortObservation observation = answer.getObservation();
    text("explain_answer.observation.device", observation.getDevice(), MAX_NAME_LENGTH);
    range(
        "explain_answer.observation.openflow_port",
        Integer.toUnsignedLong(observation.getOpenflowPort()),
        0,
        MAX_OPENFLOW_PORT);
    texts(
        "explain_answer.observation.flows", observation.getFlowsList(), MAX_FLOWS, MAX_FLOW_LENGTH);
    texts(
        "explain_answer.observation.problems",
        observation.getProblemsList(),
        MAX_PROBLEMS,
        MAX_REASON_LENGTH);
  }

  static void check(IsolationAnswer answer) {
    text("isolation_answer.unavailable", answer.getUnavailable(), MAX_REASON_LENGTH);
    IsolationProof proof = answer.getProof();
    String path = "isolation_answer.proof.";
    text(path + "trace_problem", proof.getTraceProblem(), MAX_REASON_LENGTH);
    text(path + "evidence_hash", proof.getEvidenceHash(), MAX_VERSION_LENGTH);
    texts(
        path + "unexercised_flows",
        proof.getUnexercisedFlowsList(),
        MAX_FINDING_FLOWS,
        MAX_REASON_LENGTH);
    count(path + "cells", proof.getCellsCount(), MAX_CELLS);
    proof.getCellsList().forEach(c -> text(path + "cells.tenant", c.getTenant(), MAX_NAME_LENGTH));
    count(path + "findings", proof.getFindingsCount(), MAX_FINDINGS);
    for (int i = 0; i < proof.getFindingsCount(); i++) {
      check(path + "findings[" + i + "].", proof.getFindings(i));
    }
  }

  static void check(PathReport report) {
    count("path_report.paths", report.getPathsCount(), MAX_PATHS);
    for (int i = 0; i < report.getPathsCount(); i++) {
      check("path_report.paths[" + i + "].", report.getPaths(i));
    }
  }

  static void check(PathAnswer answer) {
    text("path_answer.unavailable", answer.getUnavailable(), MAX_REASON_LENGTH);
    if (answer.hasPath()) {
      check("path_answer.path.", answer.getPath());
    }
    count("path_answer.tunnel_tests", answer.getTunnelTestsCount(), MAX_TUNNEL_TESTS);
    for (int i = 0; i < answer.getTunnelTestsCount(); i++) {
      check("path_answer.tunnel_tests[" + i + "].", answer.getTunnelTests(i));
    }
  }

  private static void check(String path, UnderlayPath found) {
    FieldReader.read(path + "peer", found.getPeer(), DpuName::parse);
    range(path + "state", found.getStateValue(), 1, PathState.PATH_STATE_BLACK_HOLE_VALUE);
    range(path + "wanted_bytes", found.getWantedBytes(), 0, MAX_MTU_BYTES);
    range(path + "proven_bytes", found.getProvenBytes(), 0, MAX_MTU_BYTES);
    range(path + "lost_bytes", found.getLostBytes(), 0, MAX_MTU_BYTES);
    range(path + "since_time.seconds", found.getSinceTime().getSeconds(), 0, MAX_SECONDS);
    range(path + "since_time.nanos", found.getSinceTime().getNanos(), 0, MAX_NANOS);
    PathHop hop = found.getHop();
    range(path + "hop.distance", hop.getDistance(), 0, MAX_HOPS);
    text(path + "hop.address", hop.getAddress(), MAX_ADDRESS_LENGTH);
    range(path + "hop.mtu_bytes", hop.getMtuBytes(), 0, MAX_MTU_BYTES);
    text(path + "hop.unknown", hop.getUnknown(), MAX_REASON_LENGTH);
  }

  private static void check(String path, TunnelTest test) {
    FieldReader.read(path + "network", test.getNetwork(), NetworkName::parse);
    range(path + "kind", test.getKindValue(), 1, TunnelTestKind.TUNNEL_TEST_KIND_TCP_IPV6_VALUE);
    range(path + "inner_bytes", test.getInnerBytes(), 0, MAX_MTU_BYTES);
    range(path + "sent_count", test.getSentCount(), 0, MAX_TUNNEL_PACKETS);
    range(path + "arrived_count", test.getArrivedCount(), 0, test.getSentCount());
    range(path + "damaged_count", test.getDamagedCount(), 0, test.getSentCount());
  }

  private static void check(String path, IsolationFinding finding) {
    text(path + "from", finding.getFrom(), MAX_REASON_LENGTH);
    text(path + "to", finding.getTo(), MAX_REASON_LENGTH);
    text(path + "packet", finding.getPacket(), MAX_REASON_LENGTH);
    text(path + "owner", finding.getOwner(), MAX_REASON_LENGTH);
    texts(path + "flows", finding.getFlowsList(), MAX_FINDING_FLOWS, MAX_REASON_LENGTH);
  }
}
