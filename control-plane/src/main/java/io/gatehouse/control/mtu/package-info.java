/**
 * MTUs of networks: how they come about, and the second step of their changes.
 *
 * <p>Input: the image, what DPUs have reported. Output: explanations; commands that put an MTU in
 * force once every DPU has confirmed it. Never: a decision; a size that is not computed by {@code
 * io.gatehouse.model.mtu}.
 */
@NullMarked
package io.gatehouse.control.mtu;

import org.jspecify.annotations.NullMarked;
