/**
 * How a DPU's agent or an operator's command gets a certificate, keeps it fresh and keeps it on
 * disk. The key is made here and never leaves the machine.
 *
 * <p>Input: a token as it was printed, or an own certificate; the control plane's answers, which
 * are checked before anything is kept. Output: {@code identity.pem} and {@code roots.pem}. Never: a
 * token or a key in a log or an error; a token sent to a server that is not proved yet.
 */
@NullMarked
package io.gatehouse.runtime.identity;

import org.jspecify.annotations.NullMarked;
