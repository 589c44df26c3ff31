package io.gatehouse.control.sequencer;

import io.gatehouse.control.image.Entry;
import io.gatehouse.control.image.Image;

/**
 * An entry that the journal holds.
 *
 * @param before the image without it
 * @param after the image with it
 */
public record Committed(Entry entry, Image before, Image after) {}
