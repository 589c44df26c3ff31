/**
 * {@code gatehouse isolation}: has isolation proved, and shows the newest proofs.
 *
 * <p>Input: a command line. Output: a matrix of expected and found, leaks by name, an exit code.
 * Never: a proof of its own.
 */
@NullMarked
package io.gatehouse.control.cli.isolation;

import org.jspecify.annotations.NullMarked;
