package io.gatehouse.control.sequencer;

/**
 * Whether changes can be made.
 *
 * @param available false while the journal cannot be reached
 * @param revision newest one in the image
 * @param problem what is wrong; empty if nothing is
 */
public record SequencerHealth(boolean available, long revision, String problem) {}
