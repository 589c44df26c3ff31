/**
 * The services of identities: enrolment, renewal, recovery, revocation, authorities; and what acts
 * on live connections when an identity is revoked.
 *
 * <p>Input: requests and commits. Output: certificates, tokens, refusals. Never: a rule of who may
 * have what, which is {@code decide}'s; a token in a log or an answer twice.
 */
@NullMarked
package io.gatehouse.control.identity;

import org.jspecify.annotations.NullMarked;
