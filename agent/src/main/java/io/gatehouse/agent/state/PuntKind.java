package io.gatehouse.agent.state;

import java.util.Arrays;
import java.util.Optional;

/** Why a flow sends a packet to the agent; comes back with the packet. */
public enum PuntKind {
  /** A host asks for its configuration. */
  HOST_QUESTION(1),
  /** A host's packet is larger than its network carries. */
  OVERSIZE(2);

  /** The register that says what an {@link #OVERSIZE} packet exceeds, in its low 16 bits. */
  public static final int MTU_REGISTER = 5;

  private final byte code;

  PuntKind(int code) {
    this.code = (byte) code;
  }

  public byte code() {
    return code;
  }

  /** The kind of a packet's userdata, empty for that of another program. */
  public static Optional<PuntKind> of(byte[] userdata) {
    return Arrays.stream(values())
        .filter(kind -> userdata.length == 1 && userdata[0] == kind.code)
        .findFirst();
  }
}
