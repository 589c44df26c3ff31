/**
 * What lldpd knows of the neighbours on the links.
 *
 * <p>Input: the program lldpcli. Output: neighbours. Never: a shell; a setting of lldpd.
 */
@NullMarked
package io.gatehouse.agent.device.lldp;

import org.jspecify.annotations.NullMarked;
