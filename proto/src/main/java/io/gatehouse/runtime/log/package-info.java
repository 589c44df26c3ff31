/**
 * Logs on standard error, set up by code.
 *
 * <p>Input: events of SLF4J and of java.util.logging. Output: one line an event. Never: files,
 * rotation, configuration found on the class path.
 */
@NullMarked
package io.gatehouse.runtime.log;

import org.jspecify.annotations.NullMarked;
