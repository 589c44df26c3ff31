package io.gatehouse.agent.state;

/**
 * Cookies of Gatehouse's flows: 16 bits say that the flow is ours, 48 bits say whom it serves.
 *
 * <p>The 48 bits are a hash of the owner's name, so they are the same after every restart, and the
 * flows of one owner can be read back by their exact cookie, for which the switch keeps an index.
 */
public final class Cookies {
  /** "GH" in the highest 16 bits. */
  public static final long MARK = 0x4748L << 48;

  public static final long MARK_MASK = 0xffffL << 48;

  private static final long OWNER_MASK = ~MARK_MASK;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private Cookies() {}

  /** The cookie of an owner: FNV-1a over the name's UTF-16 units, folded to 48 bits. */
  public static long of(String owner) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < owner.length(); i++) {
      hash = (hash ^ owner.charAt(i)) * FNV_PRIME;
    }
    return MARK | ((hash ^ hash >>> 48) & OWNER_MASK);
  }

  public static boolean isOurs(long cookie) {
    return (cookie & MARK_MASK) == MARK;
  }
}
