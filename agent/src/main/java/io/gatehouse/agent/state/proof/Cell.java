package io.gatehouse.agent.state.proof;

/**
 * A cell of the matrix: packets of one class, between one tenant's ports and others.
 *
 * @param tenant of the sender; of the receiver where the sender is none; empty if neither is
 * @param relation of the two ends
 */
public record Cell(String tenant, PacketClass kind, Relation relation) implements Comparable<Cell> {
  /** What sender and receiver have in common. */
  public enum Relation {
    SAME_NETWORK,
    SAME_TENANT,
    OTHER_TENANT,
    OUTSIDE
  }

  /**
   * What was expected, and what was found.
   *
   * @param passed to arrive, and did
   * @param blocked not to arrive, and did not
   * @param leaks not to arrive, and did
   * @param lost to arrive, and did not
   */
  public record Counts(long passed, long blocked, long leaks, long lost) {
    public static final Counts NONE = new Counts(0, 0, 0, 0);

    public Counts plus(Counts other) {
      return new Counts(
          passed + other.passed, blocked + other.blocked, leaks + other.leaks, lost + other.lost);
    }
  }

  @Override
  public int compareTo(Cell other) {
    int byTenant = tenant.compareTo(other.tenant);
    if (byTenant != 0) {
      return byTenant;
    }
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : relation.compareTo(other.relation);
  }
}
