/**
 * The commands about identities: login, tokens, certificates, authorities.
 *
 * <p>Input: the command line, tokens. Output: calls, files that only their owner may read, lines
 * for people. Never: a token in an error; a key that leaves the machine.
 */
@NullMarked
package io.gatehouse.control.cli.identity;

import org.jspecify.annotations.NullMarked;
