/**
 * {@code gatehouse audit}: what was done and what was refused.
 *
 * <p>Input: arguments, a connection, an exported file. Output: events, verdicts, files. Never: the
 * control plane's own code, so that an export is checked by a second implementation of the rule.
 */
@NullMarked
package io.gatehouse.control.cli.audit;

import org.jspecify.annotations.NullMarked;
