/**
 * Frames as tests write them, to the byte, and sockets that put them on a link and see what arrives
 * there.
 *
 * <p>Input: a namespace, a link, bytes. Output: frames on the link, and whether a marked one came.
 * Never: what Gatehouse does with them.
 */
@NullMarked
package io.gatehouse.packaging.packet;

import org.jspecify.annotations.NullMarked;
