/**
 * End-to-end tests: the programs, real Open vSwitch and real packets, in a lab of network
 * namespaces.
 *
 * <p>Input: {@code packaging/lab} and the built class path. Output: verdicts about what tenants'
 * packets did. Never: a look inside the programs; what a test knows, an operator can see.
 */
@NullMarked
package io.gatehouse.packaging;

import org.jspecify.annotations.NullMarked;
