/**
 * The key that signs policy, and its signatures.
 *
 * <p>Input: key files, a DPU's revision and inventory hash. Output: seals, public keys. Never: a
 * private key in a message or log; what a policy says.
 */
@NullMarked
package io.gatehouse.control.publish.seal;

import org.jspecify.annotations.NullMarked;
