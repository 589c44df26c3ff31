/** Tests of the agents' streams, and the fleet and the agent that they use. */
@NullMarked
package io.gatehouse.control.publish.seal;

import org.jspecify.annotations.NullMarked;
