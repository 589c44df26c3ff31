package io.gatehouse.control.image.identity;

import io.gatehouse.model.name.IdentityName;
import java.time.Instant;

/**
 * What a peer's certificate says of itself, its signature being verified.
 *
 * @param serialNumber 32 hexadecimal digits in lower case
 * @param authority id of who signed it
 * @param issuedAt in whole seconds
 */
public record ShownCertificate(
    IdentityName identity, String serialNumber, String authority, Instant issuedAt) {}
