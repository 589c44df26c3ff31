package io.gatehouse.control.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.model.name.TenantName;
import io.gatehouse.proto.v1.IsolationCell;
import io.gatehouse.proto.v1.IsolationFinding;
import io.gatehouse.proto.v1.IsolationProof;
import org.junit.jupiter.api.Test;

class TenantViewTest {
  private static final String OWN = "tenants/acme/networks/blue/ports/web";
  private static final String OTHER = "tenants/acme-two/networks/blue/ports/db";

  @Test
  void aTenantSeesItsOwnCellsAndFindingsAndNobodysName() {
    IsolationProof proof =
        IsolationProof.newBuilder()
            .setDpu("dpus/d1")
            .setEvidenceHash("ab")
            .addUnexercisedFlows("table=0")
            .setUnexercisedFlowCount(1)
            .addCells(IsolationCell.newBuilder().setTenant("tenants/acme").setLeakCount(1))
            .addCells(IsolationCell.newBuilder().setTenant("tenants/acme-two").setLeakCount(2))
            .addFindings(finding(OWN, OTHER))
            .addFindings(finding(OTHER, OTHER))
            .build();
    IsolationProof seen = TenantView.of(proof, TenantName.parse("tenants/acme"));
    assertThat(seen.toString()).doesNotContain("acme-two", "table=0", "10.0.0.1");
    assertThat(seen.getCellsList()).extracting(IsolationCell::getLeakCount).containsExactly(1L);
    assertThat(seen.getFindingsList())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.getFrom()).isEqualTo(OWN);
              assertThat(finding.getTo()).isEqualTo("another's port");
            });
    assertThat(seen.getEvidenceHash()).isEqualTo("ab");
  }

  private static IsolationFinding finding(String from, String to) {
    return IsolationFinding.newBuilder()
        .setLeak(true)
        .setFrom(from)
        .setTo(to)
        .setPacket("ip,ip_src=10.0.0.1")
        .addFlows("table=0,in_port=2")
        .setOwner(to)
        .build();
  }
}
