package io.gatehouse.control.fleet;

import io.gatehouse.control.decide.ReleaseVni;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RestingVni;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.control.sequencer.SystemChanges;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.Vni;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives VNIs of removed networks back once every DPU that carried one has confirmed its end.
 * Several control planes may try: the second is refused, and that is all. Called on one thread.
 */
public final class VniReaper {
  private static final Logger LOG = LoggerFactory.getLogger(VniReaper.class);
  private static final String ACTOR = "system/vni-reaper";

  private final Sequencer sequencer;
  private final ProgressBoard board;
  private final InstantSource clock;
  private final SystemChanges<Vni> changes;

  public VniReaper(Sequencer sequencer, ProgressBoard board, InstantSource clock) {
    this.sequencer = sequencer;
    this.board = board;
    this.clock = clock;
    this.changes = new SystemChanges<>(sequencer, LOG, "vni", "VNI not given back yet");
  }

  /** Looks once whether any resting VNI can be given back, and submits that. */
  public void look() {
    Image image = sequencer.image();
    for (RestingVni resting : image.restingVnis().values()) {
      Map<DpuName, Long> acked = new HashMap<>();
      boolean flushed = true;
      for (DpuName dpu : resting.dpus()) {
        acked.put(dpu, board.progress(dpu).applied());
        flushed &= image.dpu(dpu).isEmpty() || isFlushed(image, resting, dpu);
      }
      if (flushed) {
        changes.submit(
            resting.vni(),
            () -> new ReleaseVni(Request.internal(ACTOR, clock.instant()), resting.vni(), acked));
      }
    }
  }

  /** A DPU that nothing has concerned since is done when it has all that did concern it. */
  private boolean isFlushed(Image image, RestingVni resting, DpuName dpu) {
    long needed = Math.min(resting.revision(), image.desiredRevision(dpu));
    return board.progress(dpu).applied() >= needed;
  }
}
