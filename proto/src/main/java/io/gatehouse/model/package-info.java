/**
 * What operators and tenants own: tenants, networks, ports, DPUs.
 *
 * <p>Input: checked values. Output: immutable records that are valid if they exist. Never: gRPC,
 * Netty, clocks, threads, I/O.
 */
@NullMarked
package io.gatehouse.model;

import org.jspecify.annotations.NullMarked;
