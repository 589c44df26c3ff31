/**
 * The gRPC services of tenants, networks, ports and DPUs, thin: a request becomes a command or a
 * look into the image, an answer becomes a message.
 *
 * <p>Input: requests, checked field by field. Output: responses, or a status with the path of the
 * field that is to blame. Never: a rule of the domain, which is {@code decide}'s; storage; threads.
 */
@NullMarked
package io.gatehouse.control.api;

import org.jspecify.annotations.NullMarked;
