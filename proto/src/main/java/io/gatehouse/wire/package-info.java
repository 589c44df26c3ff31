/**
 * Between the contract and the model: the only place where the two meet.
 *
 * <p>Input: protobuf messages from a peer, or values. Output: values, or messages; a message that
 * makes no valid value is refused with the path of the field, the value and the reason. Never: a
 * decision.
 */
@NullMarked
package io.gatehouse.wire;

import org.jspecify.annotations.NullMarked;
