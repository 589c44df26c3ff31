package io.gatehouse.runtime.log;

/** How an event is written. */
public enum LogFormat {
  /** One line for people, with {@code key=value} pairs at its end. */
  TEXT,
  /** One JSON object a line. */
  JSON
}
