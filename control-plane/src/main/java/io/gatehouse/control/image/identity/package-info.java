/**
 * Who has which certificate, of which authority, and who may enrol: the part of the image that is
 * about identities.
 *
 * <p>Input: events. Output: the next state, and whether a certificate is accepted in it. Never:
 * keys, secrets of tokens, clocks, cryptography.
 */
@NullMarked
package io.gatehouse.control.image.identity;

import org.jspecify.annotations.NullMarked;
