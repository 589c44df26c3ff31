package io.gatehouse.control.image.identity;

/**
 * A token that was used, and the certificate that was given for it: whoever has that key may have
 * lost the answer on its way.
 */
public record UsedToken(Token token, Der certificate) {}
