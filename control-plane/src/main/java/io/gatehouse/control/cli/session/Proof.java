package io.gatehouse.control.cli.session;

import io.gatehouse.runtime.tls.TlsPaths;
import java.nio.file.Path;

/** How the caller shows who it is, and by whom it knows the control plane. */
public sealed interface Proof {
  /** By a client certificate. */
  record Certificate(TlsPaths paths) implements Proof {}

  /**
   * By a bearer token.
   *
   * @param ca certificates of the authorities that the control plane's must come from
   * @param tokenFile where whoever gets tokens puts the newest
   */
  record Bearer(Path ca, Path tokenFile) implements Proof {}
}
