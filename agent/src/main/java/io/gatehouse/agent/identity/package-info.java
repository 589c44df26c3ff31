/**
 * Who this DPU is and whom it trusts: certificate, roots, policy keys.
 *
 * <p>Input: the identity directory, a token, the control plane's answers. Output: files that are
 * replaced as a whole, and when to do so again. Never: a private key or a token in a message or
 * log; a key that leaves the DPU.
 */
@NullMarked
package io.gatehouse.agent.identity;

import org.jspecify.annotations.NullMarked;
