package io.gatehouse.control.mtu;

import io.gatehouse.control.decide.NetworkCommand.SettleMtu;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.fit.MtuChange;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.control.sequencer.SystemChanges;
import io.gatehouse.model.Network;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.name.NetworkName;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends changes of MTUs once every DPU of the network has confirmed the first step. Several control
 * planes may try: the second is refused, and that is all. Called on one thread.
 */
public final class MtuSettler {
  private static final Logger LOG = LoggerFactory.getLogger(MtuSettler.class);
  private static final String ACTOR = "system/mtu-settler";

  private final Sequencer sequencer;
  private final ReportedMtus reported;
  private final InstantSource clock;
  private final SystemChanges<NetworkName> changes;
  private @Nullable Map<NetworkName, Network> seen;
  private volatile List<NetworkName> changing = List.of();

  public MtuSettler(Sequencer sequencer, ReportedMtus reported, InstantSource clock) {
    this.sequencer = sequencer;
    this.reported = reported;
    this.clock = clock;
    this.changes = new SystemChanges<>(sequencer, LOG, "network", "MTU not in force yet");
  }

  /** Looks once whether a change can end, and submits that. */
  public void look() {
    Image image = sequencer.image();
    if (image.networks() != seen) {
      // A map that never changes: the same one has the same networks in it.
      seen = image.networks();
      changing =
          image.networks().values().stream()
              .filter(Network::isMtuChanging)
              .map(Network::name)
              .toList();
    }
    for (NetworkName name : changing) {
      image.network(name).ifPresent(network -> look(image, network));
    }
  }

  /** Networks whose MTU changes and waits for DPUs. Any thread. */
  public int changingCount() {
    return changing.size();
  }

  private void look(Image image, Network network) {
    boolean behind =
        image.dpusOf(network.name()).stream()
            .anyMatch(dpu -> reported.of(dpu).applied() < image.mtuRevision(network.name(), dpu));
    if (behind) {
      return;
    }
    Map<DpuName, MtuChange.Facts> facts = new HashMap<>();
    image.dpusOf(network.name()).forEach(dpu -> facts.put(dpu, reported.of(dpu)));
    Optional<MtuChange> change = MtuChange.of(image, network, facts);
    boolean ready = change.isPresent() && change.get().waitsFor().isEmpty();
    if (ready) {
      changes.submit(
          network.name(),
          () -> new SettleMtu(Request.internal(ACTOR, clock.instant()), network.name(), facts));
    }
  }
}
