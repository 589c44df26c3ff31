/**
 * Decides commands about authorities, certificates and tokens.
 *
 * <p>Input: an image and a command; what a command carries was checked for its form and, where it
 * is a certificate, signed already. Output: events, or a refusal with its reason. Never: keys,
 * secrets, clocks, chance.
 */
@NullMarked
package io.gatehouse.control.decide.identity;

import org.jspecify.annotations.NullMarked;
