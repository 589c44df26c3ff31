/** Tests of what is made of what was read. */
@NullMarked
package io.gatehouse.agent.observe;

import org.jspecify.annotations.NullMarked;
