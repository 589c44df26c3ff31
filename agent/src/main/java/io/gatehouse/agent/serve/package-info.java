/**
 * Answers what hosts ask the agent: takes their packets off the switch, within each port's budget,
 * and sends back what {@code io.gatehouse.agent.dhcp} says.
 *
 * <p>Input: packets with the port that they came from, the newest plan. Output: packets to that
 * port, counts. Never: an answer to another port, what a packet says in a log, blocking of the
 * thread that hands packets over.
 */
@NullMarked
package io.gatehouse.agent.serve;

import org.jspecify.annotations.NullMarked;
