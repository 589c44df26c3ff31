/**
 * What carries the tunnels, layer by layer. Values only.
 *
 * <p>Input: what observers have read. Never: a device; a judgement.
 */
@NullMarked
package io.gatehouse.agent.state.underlay;

import org.jspecify.annotations.NullMarked;
