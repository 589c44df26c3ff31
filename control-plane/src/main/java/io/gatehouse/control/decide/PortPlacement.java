package io.gatehouse.control.decide;

import io.gatehouse.control.decide.PortCommand.KnownFunctions;
import io.gatehouse.control.image.Image;
import io.gatehouse.model.Port;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.PortName;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Whether a function of a DPU can have a port. A function may be named with its PCI address or
 * without; without one it stands for any of that name.
 */
final class PortPlacement {
  private static final int NAMED = 32;

  private PortPlacement() {}

  static void check(
      Image image, DpuName dpu, String function, PortName port, KnownFunctions functions) {
    Refusals.existing(image.dpu(dpu), "dpu", dpu);
    checkKnown(functions.of(dpu), dpu, function);
    for (Port other : image.portsOf(dpu).values()) {
      if (!other.name().equals(port) && same(other.function(), function)) {
        boolean own = other.name().network().tenant().equals(port.network().tenant());
        throw Refusals.taken(
            "function",
            function
                + " of "
                + dpu
                + " is taken by "
                + (own ? other.name() : "a port of another tenant"));
      }
    }
  }

  private static void checkKnown(Optional<List<String>> known, DpuName dpu, String function) {
    if (known.isEmpty() || known.get().stream().anyMatch(has -> same(has, function))) {
      return;
    }
    String has = known.get().isEmpty() ? "none" : Refusals.first(new TreeSet<>(known.get()), NAMED);
    throw Refusals.precondition(
        "function", dpu + " has no function " + function + "; it has " + has);
  }

  private static boolean same(String one, String other) {
    if (one.indexOf('/') >= 0 && other.indexOf('/') >= 0) {
      return one.equals(other);
    }
    return physicalName(one).equals(physicalName(other));
  }

  private static String physicalName(String function) {
    return function.substring(function.lastIndexOf('/') + 1);
  }
}
