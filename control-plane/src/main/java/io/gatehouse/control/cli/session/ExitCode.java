package io.gatehouse.control.cli.session;

/** What the process says when it ends. Scripts depend on the numbers: they never change. */
public enum ExitCode {
  OK(0, "done"),
  OTHER(1, "an error without a code of its own"),
  USAGE(2, "wrong usage, or the context or its certificates cannot be used"),
  NOT_FOUND(3, "not found"),
  REFUSED(4, "invalid, exists already, or does not fit the state of things"),
  DENIED(5, "not authenticated, or not allowed"),
  UNAVAILABLE(6, "the control plane or the DPU cannot be reached"),
  TIMEOUT(7, "not done in time"),
  HAS_CHANGES(8, "apply --dry-run: there is something to do"),
  LEAK(9, "isolation verify: packets arrive where they must not"),
  BLACK_HOLE(10, "mtu map, mtu probe: a path carries less than its networks need");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  public int number() {
    return number;
  }

  /** For people, in a few words. */
  public String meaning() {
    return meaning;
  }
}
