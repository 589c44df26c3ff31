/** Tests of the OVSDB client, and the server process that other tests use as well. */
@NullMarked
package io.gatehouse.agent.device.ovsdb;

import org.jspecify.annotations.NullMarked;
