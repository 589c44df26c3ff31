package io.gatehouse.agent.prove;

import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.agent.walk.Packet;

/**
 * A packet to be looked at.
 *
 * @param from who sends it
 * @param aim whom it is meant for; {@link Place.Unknown} for everybody or nobody
 */
public record Probe(PacketClass kind, Place from, Place aim, Packet packet) {}
