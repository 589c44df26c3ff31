package io.gatehouse.agent.state.path;

/** What probes have shown of a path. The worst of several paths has the highest place. */
public enum PathState {
  /** The largest packet that is needed arrives. */
  PROVEN,
  /** Nothing arrives, not the smallest probe either: path or partner is away. */
  UNREACHABLE,
  /** Not known yet: the first search goes on. */
  SEARCHING,
  /** Small packets arrive, those of the needed size do not. */
  BLACK_HOLE
}
