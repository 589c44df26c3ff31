package io.gatehouse.control.cli.session;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * The world around the command.
 *
 * @param environment variables
 * @param home the person's directory
 * @param clock for times that tables show relative to now
 */
public record Terminal(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Path home,
    InstantSource clock) {}
