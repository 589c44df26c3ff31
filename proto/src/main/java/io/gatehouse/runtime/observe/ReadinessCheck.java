package io.gatehouse.runtime.observe;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One condition of readiness.
 *
 * @param name short and stable, such as {@code ovsdb}
 * @param problem says in one line why the program is not ready, or nothing; called from the
 *     endpoint's threads, must return at once
 */
public record ReadinessCheck(String name, Supplier<Optional<String>> problem) {}
