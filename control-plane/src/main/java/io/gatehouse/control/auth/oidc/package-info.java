/**
 * Bearer tokens of OpenID Connect issuers.
 *
 * <p>Input: a token, and the issuer's public keys from a file or an https URL. Output: the caller
 * that it stands for, or a refusal. Never: a token in a message or a log; a symmetric key; an
 * algorithm that the token alone has chosen.
 */
@NullMarked
package io.gatehouse.control.auth.oidc;

import org.jspecify.annotations.NullMarked;
