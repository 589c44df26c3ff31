package io.gatehouse.model;

import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Limits;
import java.time.Instant;

/**
 * A customer of the cloud.
 *
 * @param suspended true closes all its ports and keeps everything else
 * @param createdAt by the control plane's clock
 * @param updatedAt by the control plane's clock
 */
public record Tenant(
    TenantName name,
    String displayName,
    TenantQuota quota,
    boolean suspended,
    Instant createdAt,
    Instant updatedAt) {
  public Tenant {
    Limits.displayName("display_name", displayName);
  }
}
