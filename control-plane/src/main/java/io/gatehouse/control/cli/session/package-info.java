/**
 * One run of the command: its streams, its options, its connection to a control plane, and how it
 * ends.
 *
 * <p>Input: the context file, requests. Output: answers, exit codes, lines on standard error.
 * Never: what the requests mean.
 */
@NullMarked
package io.gatehouse.control.cli.session;

import org.jspecify.annotations.NullMarked;
