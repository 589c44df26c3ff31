/**
 * The endpoint for those who watch a program: metrics, liveness, readiness.
 *
 * <p>Input: a meter registry, named checks, requests from the same machine. Output: text. Never:
 * any change; tenants' names; a listener that other machines reach.
 */
@NullMarked
package io.gatehouse.runtime.observe;

import org.jspecify.annotations.NullMarked;
