package io.gatehouse.agent.probe;

import io.netty.buffer.ByteBuf;
import java.util.Optional;

/**
 * What a probe or its answer says, or a word on what came through a tunnel, at the start of a UDP
 * payload: 4 bytes "GHPM", version 1, kind, 2 bytes size of the whole IP packet, 8 bytes nonce. A
 * probe is filled up to its size with zeros; the others have only this.
 *
 * @param sizeBytes of the probe as an IP packet; of the packet in the tunnel
 * @param nonce not to be guessed by who has not seen the probe
 */
record ProbeMessage(Kind kind, int sizeBytes, long nonce) {
  static final int BYTES = 16;

  private static final int MAGIC = 0x4748_504d;
  private static final int VERSION = 1;

  /** What is said. */
  enum Kind {
    /** A probe of the path. */
    PROBE(1),
    /** It has arrived whole. */
    ANSWER(2),
    /** A packet has come through the tunnel, every byte as it was sent. */
    TUNNEL_INTACT(3),
    /** One has come otherwise. */
    TUNNEL_DAMAGED(4);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  /**
   * Writes the message, and zeros behind it.
   *
   * @param length of the payload, {@link #BYTES} or more
   */
  void write(ByteBuf out, int length) {
    out.writeInt(MAGIC)
        .writeByte(VERSION)
        .writeByte(kind.code)
        .writeShort(sizeBytes)
        .writeLong(nonce)
        .writeZero(length - BYTES);
  }

  /** Reads a payload; empty if it is none of ours. */
  static Optional<ProbeMessage> read(ByteBuf payload) {
    if (payload.readableBytes() < BYTES
        || payload.readInt() != MAGIC
        || payload.readByte() != VERSION) {
      return Optional.empty();
    }
    int code = payload.readByte();
    int size = payload.readUnsignedShort();
    long nonce = payload.readLong();
    for (Kind kind : Kind.values()) {
      if (kind.code == code) {
        return Optional.of(new ProbeMessage(kind, size, nonce));
      }
    }
    return Optional.empty();
  }
}
