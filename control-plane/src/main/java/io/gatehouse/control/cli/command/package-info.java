/**
 * The commands.
 *
 * <p>Input: arguments, answers of the control plane. Output: lines and exit codes. Never: rules
 * that the control plane decides; questions to the person.
 */
@NullMarked
package io.gatehouse.control.cli.command;

import org.jspecify.annotations.NullMarked;
