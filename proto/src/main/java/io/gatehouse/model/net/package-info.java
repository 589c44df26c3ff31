/**
 * Network values: addresses, prefixes, identifiers.
 *
 * <p>Input: text or bytes. Output: immutable values that are valid if they exist. Never: tenants,
 * name resolution, I/O.
 */
@NullMarked
package io.gatehouse.model.net;

import org.jspecify.annotations.NullMarked;
