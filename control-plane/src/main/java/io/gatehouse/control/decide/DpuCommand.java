package io.gatehouse.control.decide;

import io.gatehouse.model.FailureDomain;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.IpAddress;
import org.jspecify.annotations.Nullable;

/** Commands about a DPU. */
public sealed interface DpuCommand extends Command {
  DpuName name();

  @Override
  default String subject() {
    return name().toString();
  }

  /** Registers a DPU. */
  record CreateDpu(
      Request request,
      DpuName name,
      String displayName,
      IpAddress vtepAddress,
      int underlayMtuBytes,
      FailureDomain failureDomain)
      implements DpuCommand {}

  /**
   * Changes a DPU.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record UpdateDpu(Request request, DpuName name, DpuPatch patch, String etag)
      implements DpuCommand {}

  /**
   * Removes a DPU.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record DeleteDpu(Request request, DpuName name, String etag) implements DpuCommand {}

  /** New values; null leaves the old one. */
  record DpuPatch(
      @Nullable String displayName,
      @Nullable IpAddress vtepAddress,
      @Nullable Integer underlayMtuBytes,
      @Nullable FailureDomain failureDomain) {}
}
