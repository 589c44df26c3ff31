package io.gatehouse.control.decide.identity;

import io.gatehouse.control.image.Image;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.name.TenantName;

/** Whether there is such a DPU or operator, so that it may have a certificate. */
public final class Existence {
  private Existence() {}

  /** Whether the identity exists in the image. */
  public static boolean of(IdentityName identity, Image image) {
    return switch (identity.kind()) {
      case DPU -> image.dpu(new DpuName(identity.id())).isPresent();
      case OPERATOR -> true;
      case TENANT_OPERATOR -> image.tenant(new TenantName(identity.tenant())).isPresent();
    };
  }
}
