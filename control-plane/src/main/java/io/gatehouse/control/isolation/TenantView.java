package io.gatehouse.control.isolation;

import io.gatehouse.model.name.TenantName;
import io.gatehouse.proto.v1.IsolationCell;
import io.gatehouse.proto.v1.IsolationFinding;
import io.gatehouse.proto.v1.IsolationProof;
import java.util.List;

/** A proof as one tenant may see it: its own cells, and nothing that names others. Pure. */
final class TenantView {
  private static final String OTHER = "another's port";

  private TenantView() {}

  static IsolationProof of(IsolationProof proof, TenantName tenant) {
    String own = tenant.toString();
    List<IsolationCell> cells =
        proof.getCellsList().stream().filter(cell -> cell.getTenant().equals(own)).toList();
    List<IsolationFinding> findings =
        proof.getFindingsList().stream()
            .filter(one -> isOf(one.getFrom(), own) || isOf(one.getTo(), own))
            .map(one -> shown(one, own))
            .toList();
    return proof.toBuilder()
        .clearCells()
        .addAllCells(cells)
        .clearFindings()
        .addAllFindings(findings)
        .clearUnexercisedFlows()
        .clearUnexercisedFlowCount()
        .build();
  }

  /** Flows and packets name the addresses of DPUs and of others. */
  private static IsolationFinding shown(IsolationFinding finding, String own) {
    return finding.toBuilder()
        .setFrom(isOf(finding.getFrom(), own) ? finding.getFrom() : OTHER)
        .setTo(isOf(finding.getTo(), own) ? finding.getTo() : OTHER)
        .clearFlows()
        .clearPacket()
        .setOwner(isOf(finding.getOwner(), own) ? finding.getOwner() : "")
        .build();
  }

  private static boolean isOf(String name, String tenant) {
    return name.startsWith(tenant + "/");
  }
}
