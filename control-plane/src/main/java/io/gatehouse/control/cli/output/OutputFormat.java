package io.gatehouse.control.cli.output;

/** The forms of output. */
public enum OutputFormat {
  /** For people: aligned, short names, relative times. */
  TABLE,
  /** Protobuf's JSON with the contract's own field names; lists as one array. */
  JSON,
  /** The same content, one document a resource, fit for {@code gatehouse apply}. */
  YAML
}
