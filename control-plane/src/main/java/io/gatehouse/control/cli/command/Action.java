package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;

/** What a command does. */
@FunctionalInterface
public interface Action {
  /**
   * Does it.
   *
   * @throws RuntimeException for {@link io.gatehouse.control.cli.session.Failure} to explain
   */
  ExitCode run(Arguments arguments, Session session);
}
