package io.gatehouse.control.auth.oidc;

import io.gatehouse.model.net.InvalidValueException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One issuer of bearer tokens.
 *
 * @param issuer as it stands in the claim {@code iss}, letter for letter
 * @param audience that must be in the claim {@code aud}
 * @param jwksFile its keys (RFC 7517), looked at again when a token needs another one
 * @param jwksUrl the same by https; exactly one of the two is there
 * @param roleClaim claim with a role's word, such as {@code fleet-admin}, alone or in a list
 * @param tenantClaim claim with the tenant's id, for the roles within a tenant
 */
public record OidcConfig(
    String issuer,
    String audience,
    Optional<Path> jwksFile,
    Optional<URI> jwksUrl,
    String roleClaim,
    String tenantClaim) {
  private static final Pattern ISSUER = Pattern.compile("https://[\\x21-\\x7e]{1,200}");

  public OidcConfig {
    if (!ISSUER.matcher(issuer).matches()) {
      throw new InvalidValueException("issuer", issuer, "is not an https URL");
    }
    if (audience.isEmpty()) {
      throw new InvalidValueException("audience", audience, "is empty");
    }
    if (jwksFile.isPresent() == jwksUrl.isPresent()) {
      throw new InvalidValueException(
          "jwks_file",
          jwksFile.map(Path::toString).orElse(""),
          "or jwks_url is needed, one of them");
    }
    if (jwksUrl.isPresent() && !"https".equals(jwksUrl.get().getScheme())) {
      throw new InvalidValueException("jwks_url", jwksUrl.get(), "is not an https URL");
    }
  }
}
