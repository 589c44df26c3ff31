/**
 * The {@code gatehouse} command. It depends on the contract and on nothing else of the control
 * plane: {@code output} and {@code session} lie lowest, {@code resource} tells the kinds, {@code
 * apply} makes declared resources so, {@code command} has the commands.
 *
 * <p>Input: a command line. Output: an exit code that scripts can depend on. Never: questions,
 * state on disk.
 */
@NullMarked
package io.gatehouse.control.cli;

import org.jspecify.annotations.NullMarked;
