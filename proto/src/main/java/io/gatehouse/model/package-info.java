/**
 * Values that both sides share: addresses, names, resources, policy.
 *
 * <p>Input: plain Java. Output: immutable values that are valid if they exist. Never: gRPC, Netty,
 * clocks, threads, I/O.
 */
@NullMarked
package io.gatehouse.model;

import org.jspecify.annotations.NullMarked;
