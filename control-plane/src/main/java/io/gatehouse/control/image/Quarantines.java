package io.gatehouse.control.image;

import io.gatehouse.control.image.Event.QuarantineReleased;
import io.gatehouse.control.image.Event.QuarantineSet;
import io.gatehouse.model.Port;
import io.gatehouse.model.security.Quarantine;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.model.security.StandingQuarantine;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.TreePMap;

/** What is cut off now. */
record Quarantines(TreePMap<QuarantineTarget, StandingQuarantine> byTarget) {
  static final Quarantines EMPTY = new Quarantines(TreePMap.empty());

  Quarantines with(Event event) {
    if (event instanceof QuarantineSet set) {
      return new Quarantines(byTarget.plus(set.quarantine().target(), set.quarantine()));
    }
    if (event instanceof QuarantineReleased released) {
      return new Quarantines(byTarget.minus(released.target()));
    }
    return this;
  }

  /** What cuts the port off: its own quarantine, its tenant's and its DPU's, all that there are. */
  Optional<Quarantine> of(Port port) {
    if (byTarget.isEmpty()) {
      return Optional.empty();
    }
    return Stream.of(
            new QuarantineTarget.OfPort(port.name()),
            new QuarantineTarget.OfTenant(port.name().network().tenant()),
            new QuarantineTarget.OfDpu(port.dpu()))
        .map(byTarget::get)
        .filter(Objects::nonNull)
        .map(StandingQuarantine::quarantine)
        .reduce(Quarantine::and);
  }
}
