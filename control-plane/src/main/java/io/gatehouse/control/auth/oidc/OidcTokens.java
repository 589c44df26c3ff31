package io.gatehouse.control.auth.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import io.gatehouse.control.auth.Caller;
import io.gatehouse.control.auth.Role;
import io.gatehouse.control.auth.TokenRefusedException;
import io.gatehouse.control.auth.Tokens;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.InvalidValueException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/**
 * Bearer tokens as signed JWTs (RFC 7519, RFC 8725): algorithm from a list, issuer, audience,
 * expiry, and one role. What is not said is not granted.
 */
public final class OidcTokens implements Tokens {
  static final int MAX_TOKEN_CHARACTERS = 4_096;
  private static final int MAX_SUBJECT_CHARACTERS = 128;
  private static final int SKEW_SECONDS = 60;
  private static final Duration FETCH_LIMIT = Duration.ofSeconds(3);

  /** Signatures that only the issuer can make; never a secret that both sides know. */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final Map<String, Role> ROLES =
      Arrays.stream(Role.values())
          .filter(role -> role != Role.DPU && role != Role.ANYONE)
          .collect(Collectors.toUnmodifiableMap(Role::word, role -> role));

  private final Map<String, Issuer> issuers = new HashMap<>();

  private record Issuer(OidcConfig config, DefaultJWTProcessor<SecurityContext> processor) {}

  private OidcTokens() {}

  /** Tokens of these issuers; their keys are fetched when the first token comes. */
  public static Tokens of(List<OidcConfig> configs, InstantSource clock) {
    OidcTokens tokens = new OidcTokens();
    configs.forEach(config -> tokens.add(config, keys(config, clock), clock));
    return configs.isEmpty() ? Tokens.NONE : tokens;
  }

  /** Tokens of one issuer with given keys. */
  static OidcTokens of(OidcConfig config, IssuerKeys keys, InstantSource clock) {
    OidcTokens tokens = new OidcTokens();
    tokens.add(config, keys, clock);
    return tokens;
  }

  @Override
  public Caller caller(String token) throws TokenRefusedException {
    if (token.length() > MAX_TOKEN_CHARACTERS) {
      throw new TokenRefusedException(
          "the token is longer than " + MAX_TOKEN_CHARACTERS + " characters");
    }
    try {
      SignedJWT jwt = SignedJWT.parse(token);
      JWSAlgorithm algorithm = jwt.getHeader().getAlgorithm();
      if (!ALGORITHMS.contains(algorithm)) {
        throw new TokenRefusedException("the token's algorithm is not one of " + ALGORITHMS);
      }
      Issuer issuer = issuers.get(String.valueOf(jwt.getJWTClaimsSet().getIssuer()));
      if (issuer == null) {
        throw new TokenRefusedException("the token is of an issuer that is not configured");
      }
      return caller(issuer.config(), issuer.processor().process(jwt, null));
    } catch (ParseException e) {
      throw new TokenRefusedException("the token is no signed JWT");
    } catch (ExpiredJWTException e) {
      throw new TokenRefusedException("the token has expired");
    } catch (BadJWTException e) {
      throw new TokenRefusedException("the token is refused: " + e.getMessage());
    } catch (BadJOSEException | JOSEException e) {
      throw new TokenRefusedException("the token's signature is not of a key of its issuer");
    }
  }

  private void add(OidcConfig config, IssuerKeys keys, InstantSource clock) {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            config.audience(),
            new JWTClaimsSet.Builder().issuer(config.issuer()).build(),
            Set.of("sub", "exp", "aud", "iss")) {
          @Override
          protected Date currentTime() {
            return Date.from(clock.instant());
          }
        };
    claims.setMaxClockSkew(SKEW_SECONDS);
    processor.setJWTClaimsSetVerifier(claims);
    issuers.put(config.issuer(), new Issuer(config, processor));
  }

  private static IssuerKeys keys(OidcConfig config, InstantSource clock) {
    if (config.jwksFile().isPresent()) {
      return new IssuerKeys(
          config.issuer(), KeyFetch.file(config.jwksFile().get()), IssuerKeys.Pace.OF_FILE, clock);
    }
    try {
      return new IssuerKeys(
          config.issuer(),
          KeyFetch.https(config.jwksUrl().orElseThrow(), SSLContext.getDefault(), FETCH_LIMIT),
          IssuerKeys.Pace.OF_URL,
          clock);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK speaks TLS", e);
    }
  }

  private static Caller caller(OidcConfig config, JWTClaimsSet claims)
      throws TokenRefusedException {
    Role role = role(config, claims);
    boolean ofTenant = role == Role.TENANT_ADMIN || role == Role.TENANT_VIEWER;
    return new Caller(
        "oidc/" + config.issuer() + "/" + subject(claims),
        role,
        ofTenant ? Optional.of(tenant(config, claims)) : Optional.empty(),
        // As long as a call with it would be let in.
        claims.getExpirationTime().toInstant().plusSeconds(SKEW_SECONDS));
  }

  private static String subject(JWTClaimsSet claims) throws TokenRefusedException {
    String subject = String.valueOf(claims.getSubject());
    if (subject.isEmpty() || subject.length() > MAX_SUBJECT_CHARACTERS) {
      throw new TokenRefusedException(
          "the token's subject is not 1 to " + MAX_SUBJECT_CHARACTERS + " characters long");
    }
    // A slash in it must not make it look like another issuer's.
    return URLEncoder.encode(subject, StandardCharsets.UTF_8);
  }

  private static Role role(OidcConfig config, JWTClaimsSet claims) throws TokenRefusedException {
    Object claim = claims.getClaim(config.roleClaim());
    List<?> words = claim instanceof List<?> list ? list : List.of(String.valueOf(claim));
    List<Role> roles =
        words.stream()
            .map(word -> Optional.ofNullable(ROLES.get(String.valueOf(word))))
            .flatMap(Optional::stream)
            .distinct()
            .toList();
    if (roles.size() != 1) {
      throw new TokenRefusedException(
          "the token's claim "
              + config.roleClaim()
              + " names "
              + roles.size()
              + " roles, and one is needed");
    }
    return roles.get(0);
  }

  private static TenantName tenant(OidcConfig config, JWTClaimsSet claims)
      throws TokenRefusedException {
    try {
      String tenant = claims.getStringClaim(config.tenantClaim());
      return new TenantName(tenant == null ? "" : tenant);
    } catch (ParseException | InvalidValueException e) {
      throw new TokenRefusedException(
          "the token's claim " + config.tenantClaim() + " is no tenant's id");
    }
  }
}
