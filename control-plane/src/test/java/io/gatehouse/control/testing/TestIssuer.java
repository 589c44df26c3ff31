package io.gatehouse.control.testing;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.gatehouse.control.AccessConfig;
import io.gatehouse.control.auth.oidc.OidcConfig;
import io.gatehouse.control.limit.PeerLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/** An OIDC issuer of a test: one key, whose public half is in a file. */
public final class TestIssuer {
  public static final String NAME = "https://login.example";
  private static final Duration LIFE = Duration.ofMinutes(10);

  private final ECKey key;
  private final OidcConfig config;

  /** Makes a key and writes its public half. */
  public TestIssuer(Path directory) throws JOSEException, IOException {
    this.key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
    Path keys = directory.resolve("keys.json");
    Files.writeString(keys, new JWKSet(key.toPublicJWK()).toString());
    this.config =
        new OidcConfig(NAME, "gatehouse", Optional.of(keys), Optional.empty(), "role", "tenant");
  }

  /** Takes its tokens, on a free port of 127.0.0.1. */
  public AccessConfig access(PeerLimits limits) {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new AccessConfig(List.of(config), Optional.of(any), limits);
  }

  /** A token of subject {@code ann} for a while. */
  public String token(String role) {
    return token(NAME, role, LIFE);
  }

  /** A token that says it is of some issuer and ends after some time. */
  public String token(String issuer, String role, Duration life) {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k1").build(),
            new JWTClaimsSet.Builder()
                .issuer(issuer)
                .audience("gatehouse")
                .subject("ann")
                .expirationTime(Date.from(Instant.now().plus(life)))
                .claim("role", role)
                .build());
    try {
      token.sign(new ECDSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    return token.serialize();
  }
}
