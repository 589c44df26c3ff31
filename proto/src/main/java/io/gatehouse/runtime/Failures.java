package io.gatehouse.runtime;

import java.util.concurrent.CompletionException;

/** What has failed, when a future tells of it. */
public final class Failures {
  private Failures() {}

  /** The failure itself: a future wraps it when another one depends on it. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
