package io.gatehouse.agent.report;

import com.google.protobuf.Timestamp;
import io.gatehouse.agent.state.proof.Cell;
import io.gatehouse.agent.state.proof.Finding;
import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.proto.v1.IsolationAnswer;
import io.gatehouse.proto.v1.IsolationCell;
import io.gatehouse.proto.v1.IsolationFinding;
import io.gatehouse.proto.v1.IsolationMethod;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.IsolationRelation;

/** Proofs in the words of the contract, within its bounds. */
public final class ProofReporter {
  private static final int MAX_TEXT = 500;

  private ProofReporter() {}

  public static IsolationProof proof(DpuName dpu, Proof proof) {
    IsolationProof.Builder message =
        IsolationProof.newBuilder()
            .setDpu(dpu.toString())
            .setRevision(proof.revision())
            .setProveTime(Timestamp.newBuilder().setSeconds(proof.at().getEpochSecond()))
            .setWalkedPacketCount(proof.reach().walked())
            .setTracedPacketCount(proof.reach().traced())
            .setComplete(proof.reach().complete())
            .setTraceProblem(AckReporter.cut(proof.reach().traceProblem()))
            .setUnexercisedFlowCount(proof.reach().unexercisedFlows())
            .setEvidenceHash(proof.evidence());
    proof.unexercised().forEach(flow -> message.addUnexercisedFlows(cut(flow)));
    proof.cells().forEach((cell, counts) -> message.addCells(cell(cell, counts)));
    proof.findings().forEach(finding -> message.addFindings(finding(finding)));
    return message.build();
  }

  /** The newest proof, unasked. */
  public static IsolationAnswer unasked(DpuName dpu, Proof proof) {
    return IsolationAnswer.newBuilder().setProof(proof(dpu, proof)).build();
  }

  private static IsolationCell cell(Cell cell, Cell.Counts counts) {
    return IsolationCell.newBuilder()
        .setTenant(cell.tenant())
        .setPacketClass(kind(cell.kind()))
        .setRelation(IsolationRelation.valueOf("ISOLATION_RELATION_" + cell.relation().name()))
        .setPassedCount(counts.passed())
        .setBlockedCount(counts.blocked())
        .setLeakCount(counts.leaks())
        .setLostCount(counts.lost())
        .build();
  }

  private static IsolationFinding finding(Finding finding) {
    IsolationFinding.Builder message =
        IsolationFinding.newBuilder()
            .setLeak(finding.leak())
            .setPacketClass(kind(finding.kind()))
            .setMethod(IsolationMethod.valueOf("ISOLATION_METHOD_" + finding.method().name()))
            .setFrom(cut(finding.from()))
            .setTo(cut(finding.to()))
            .setPacket(cut(finding.packet()))
            .setOwner(cut(finding.owner()));
    finding.flows().forEach(flow -> message.addFlows(cut(flow)));
    return message.build();
  }

  private static io.gatehouse.proto.v1.PacketClass kind(PacketClass kind) {
    return io.gatehouse.proto.v1.PacketClass.valueOf("PACKET_CLASS_" + kind.name());
  }

  private static String cut(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 1) + "…";
  }
}
