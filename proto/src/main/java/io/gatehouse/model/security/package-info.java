/**
 * What a tenant allows its ports, and what an operator forbids them.
 *
 * <p>Input: checked values. Output: immutable records. Never: how a switch enforces it.
 */
@NullMarked
package io.gatehouse.model.security;

import org.jspecify.annotations.NullMarked;
