package io.gatehouse.control.image;

import java.time.Instant;
import java.util.List;

/**
 * One accepted change: one row of the journal, one revision.
 *
 * @param revision position in the journal, from 1, without gaps
 * @param time by the control plane's clock
 * @param actor who asked, such as {@code operators/admin}
 * @param requestId the caller's request id; empty if there was none
 * @param requestHash of the request that the id stands for
 * @param subject name of the resource that the request was about
 * @param events what happened, in order; never empty
 */
public record Entry(
    long revision,
    Instant time,
    String actor,
    String requestId,
    RequestHash requestHash,
    String subject,
    List<Event> events) {
  public Entry {
    events = List.copyOf(events);
    if (events.isEmpty()) {
      throw new IllegalArgumentException("revision " + revision + " has no event");
    }
  }
}
