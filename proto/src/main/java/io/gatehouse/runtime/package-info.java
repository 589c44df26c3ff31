/**
 * What both programs share at their edges; the packages below hold settings, logs, TLS files and
 * the endpoint for those who watch.
 *
 * <p>Input: times and chance as arguments. Output: values. Never: tenants, policy, devices.
 */
@NullMarked
package io.gatehouse.runtime;

import org.jspecify.annotations.NullMarked;
