package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.model.net.InvalidValueException;

/** Scopes of the fleet as people write them. */
final class FleetScope {
  static final String LABEL = "SCOPE";
  static final String HELP = "TENANT, TENANT/NETWORK or dpus/DPU; left out: the fleet.";

  private FleetScope() {}

  /** The full name; empty stays empty. */
  static String parse(String text) {
    if (text.isEmpty()) {
      return text;
    }
    if (text.startsWith("dpus/")) {
      return ResourceKinds.DPU.form().parse(text);
    }
    long parts = text.chars().filter(c -> c == '/').count() + 1;
    if (parts == 1 || (text.startsWith("tenants/") && parts == 2)) {
      return ResourceKinds.TENANT.form().parse(text);
    }
    if (parts == 2 || parts == 4) {
      return ResourceKinds.NETWORK.form().parse(text);
    }
    throw new InvalidValueException("scope", text, "is none of TENANT, TENANT/NETWORK, dpus/DPU");
  }
}
