package io.gatehouse.control.decide;

import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.model.net.MacAddress;
import io.gatehouse.model.security.AddressPair;
import io.gatehouse.model.security.PortSecurity;
import io.gatehouse.model.security.RateLimits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Commands about a port. */
public sealed interface PortCommand extends Command {
  PortName name();

  @Override
  default String subject() {
    return name().toString();
  }

  /**
   * Makes a port.
   *
   * @param uid random; the incarnation of the port, and the source of its MAC address
   * @param functions what its DPU has reported
   */
  record CreatePort(
      Request request, PortName name, PortDraft draft, UUID uid, KnownFunctions functions)
      implements PortCommand {}

  /**
   * Changes a port; a new DPU or function moves it.
   *
   * @param etag that must be current; empty: whatever is there
   * @param functions what the DPU that it shall be on has reported
   */
  record UpdatePort(
      Request request, PortName name, PortPatch patch, String etag, KnownFunctions functions)
      implements PortCommand {}

  /**
   * Removes a port.
   *
   * @param etag that must be current; empty: whatever is there
   */
  record DeletePort(Request request, PortName name, String etag) implements PortCommand {}

  /**
   * What a new port shall be.
   *
   * @param mac empty: allocated
   * @param addresses empty: one allocated from each prefix of the network
   * @param security without groups: the tenant's default one, if there is one
   */
  record PortDraft(
      String displayName,
      DpuName dpu,
      String function,
      Optional<MacAddress> mac,
      List<IpAddress> addresses,
      boolean enabled,
      PortSecurity security,
      RateLimits limits) {
    public PortDraft {
      addresses = List.copyOf(addresses);
    }
  }

  /** New values; null leaves the old one. */
  record PortPatch(
      @Nullable String displayName,
      @Nullable DpuName dpu,
      @Nullable String function,
      @Nullable MacAddress mac,
      @Nullable List<IpAddress> addresses,
      @Nullable Boolean enabled,
      @Nullable List<SecurityGroupName> groups,
      @Nullable List<AddressPair> allowedPairs,
      @Nullable RateLimits limits) {}

  /**
   * Functions that DPUs have reported. A DPU that is absent has reported none yet: that is
   * "unknown", and refuses nothing.
   */
  record KnownFunctions(Map<DpuName, List<String>> byDpu) {
    public static final KnownFunctions NONE = new KnownFunctions(Map.of());

    public KnownFunctions {
      byDpu = Map.copyOf(byDpu);
    }

    /** What one DPU has reported. */
    public static KnownFunctions of(DpuName dpu, List<String> functions) {
      return new KnownFunctions(Map.of(dpu, List.copyOf(functions)));
    }

    /** What the DPU has reported; empty if nothing yet. */
    public Optional<List<String>> of(DpuName dpu) {
      return Optional.ofNullable(byDpu.get(dpu));
    }
  }
}
