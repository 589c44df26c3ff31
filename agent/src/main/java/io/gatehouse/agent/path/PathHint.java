package io.gatehouse.agent.path;

/**
 * What the search that ended last has found, on whichever path: where many paths lead through the
 * hop that has become smaller, the others need one round instead of several. For one thread.
 */
final class PathHint {
  private int carriedBytes;

  void found(int bytes) {
    carriedBytes = bytes;
  }

  /** 0 if no search has ended yet. */
  int carriedBytes() {
    return carriedBytes;
  }
}
