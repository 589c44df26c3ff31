package io.gatehouse.model;

import io.gatehouse.model.net.Limits;

/** What fails together with a DPU; each part is free text of at most 64 characters. */
public record FailureDomain(String site, String row, String rack) {
  public static final FailureDomain UNKNOWN = new FailureDomain("", "", "");

  private static final int MAX_LENGTH = 64;

  public FailureDomain {
    Limits.text("failure_domain.site", site, 0, MAX_LENGTH);
    Limits.text("failure_domain.row", row, 0, MAX_LENGTH);
    Limits.text("failure_domain.rack", rack, 0, MAX_LENGTH);
  }
}
