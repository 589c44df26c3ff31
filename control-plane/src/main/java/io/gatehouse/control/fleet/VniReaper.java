package io.gatehouse.control.fleet;

import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.ReleaseVni;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.RestingVni;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.model.name.DpuName;
import io.gatehouse.model.net.Vni;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
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
  private final Set<Vni> underWay = ConcurrentHashMap.newKeySet();

  public VniReaper(Sequencer sequencer, ProgressBoard board, InstantSource clock) {
    this.sequencer = sequencer;
    this.board = board;
    this.clock = clock;
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
      if (flushed && underWay.add(resting.vni())) {
        release(resting, acked);
      }
    }
  }

  /** A DPU that nothing has concerned since is done when it has all that did concern it. */
  private boolean isFlushed(Image image, RestingVni resting, DpuName dpu) {
    long needed = Math.min(resting.revision(), image.desiredRevision(dpu));
    return board.progress(dpu).applied() >= needed;
  }

  private void release(RestingVni resting, Map<DpuName, Long> acked) {
    ReleaseVni command =
        new ReleaseVni(Request.internal(ACTOR, clock.instant()), resting.vni(), acked);
    CompletableFuture<?> unused =
        sequencer
            .submit(command)
            .whenComplete((committed, failure) -> done(resting.vni(), failure));
  }

  private void done(Vni vni, @Nullable Throwable failure) {
    underWay.remove(vni);
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause != null && !(cause instanceof RefusedException)) {
      LOG.atDebug().addKeyValue("vni", vni).setCause(cause).log("VNI not given back yet");
    }
  }
}
