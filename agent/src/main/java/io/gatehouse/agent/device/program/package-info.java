/** Programs of the machine that are asked something, such as lldpcli and traceroute. */
@org.jspecify.annotations.NullMarked
package io.gatehouse.agent.device.program;
