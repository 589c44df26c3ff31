package io.gatehouse.control.auth.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.gatehouse.control.auth.Caller;
import io.gatehouse.control.auth.Role;
import io.gatehouse.control.auth.TokenRefusedException;
import io.gatehouse.model.name.TenantName;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OidcTokensTest {
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");
  private static final String ISSUER = "https://login.example/realms/cloud";
  private static final OidcConfig CONFIG =
      new OidcConfig(
          ISSUER,
          "gatehouse",
          Optional.empty(),
          Optional.of(URI.create("https://login.example/keys")),
          "role",
          "tenant");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final AtomicInteger fetches = new AtomicInteger();
  private final ECKey key = ecKey("k1");
  private final AtomicReference<JWKSet> published =
      new AtomicReference<>(new JWKSet(key.toPublicJWK()));
  private final OidcTokens tokens =
      OidcTokens.of(
          CONFIG, new IssuerKeys(ISSUER, this::fetch, IssuerKeys.Pace.OF_URL, now::get), now::get);

  @Test
  void aGoodTokenIsItsSubject() throws Exception {
    Caller caller = tokens.caller(signed(claims().build()));
    assertThat(caller.actor()).isEqualTo("oidc/" + ISSUER + "/ann");
    assertThat(caller.role()).isEqualTo(Role.FLEET_OPERATOR);
    assertThat(caller.tenant()).isEmpty();
  }

  @Test
  void aRoleWithinATenantNeedsTheTenant() throws Exception {
    Caller caller =
        tokens.caller(
            signed(claims().claim("role", "tenant-admin").claim("tenant", "acme").build()));
    assertThat(caller.role()).isEqualTo(Role.TENANT_ADMIN);
    assertThat(caller.tenant()).contains(new TenantName("acme"));
    refused("no tenant's id", claims().claim("role", "tenant-admin"));
    refused("no tenant's id", claims().claim("role", "tenant-admin").claim("tenant", "-"));
    refused("no tenant's id", claims().claim("role", "tenant-admin").claim("tenant", List.of()));
  }

  /** Field case F49: what is not said is not granted. */
  @Test
  void f49NoRoleIsNoRole() {
    refused("names 0 roles", claims().claim("role", null));
    refused("names 0 roles", claims().claim("role", "admin"));
    refused("names 0 roles", claims().claim("role", "dpu"));
    refused("names 0 roles", claims().claim("role", "anyone"));
    refused("names 0 roles", claims().claim("role", List.of("FLEET_ADMIN")));
    refused("names 2 roles", claims().claim("role", List.of("auditor", "fleet-admin")));
  }

  @Test
  void oneRoleAmongOtherGroupsIsFound() throws Exception {
    JWTClaimsSet claims = claims().claim("role", List.of("staff", "auditor", "vpn")).build();
    assertThat(tokens.caller(signed(claims)).role()).isEqualTo(Role.AUDITOR);
  }

  @Test
  void timeIsTakenWithAMinuteOfSkew() throws Exception {
    JWTClaimsSet late = claims().expirationTime(Date.from(START.minusSeconds(59))).build();
    assertThat(tokens.caller(signed(late)).role()).isEqualTo(Role.FLEET_OPERATOR);
    refused("has expired", claims().expirationTime(Date.from(START.minusSeconds(61))));
    JWTClaimsSet early = claims().notBeforeTime(Date.from(START.plusSeconds(59))).build();
    assertThat(tokens.caller(signed(early)).role()).isEqualTo(Role.FLEET_OPERATOR);
    refused("before", claims().notBeforeTime(Date.from(START.plusSeconds(61))));
    refused("exp", claims().expirationTime(null));
  }

  @Test
  void issuerAudienceAndSubjectMustBeRight() {
    refused("not configured", claims().issuer("https://login.example"));
    refused("not configured", claims().issuer(null));
    refused("aud", claims().audience("other"));
    refused("aud", claims().audience((String) null));
    refused("sub", claims().subject(null));
    refused("subject", claims().subject("x".repeat(129)));
  }

  @Test
  void aSubjectCannotLookLikeAnothersPath() throws Exception {
    Caller caller = tokens.caller(signed(claims().subject("a/b\n").build()));
    assertThat(caller.actor()).isEqualTo("oidc/" + ISSUER + "/a%2Fb%0A");
  }

  @Test
  void anUnsignedTokenIsNone() {
    String plain = new PlainJWT(claims().build()).serialize();
    assertRefused("no signed JWT", plain);
  }

  @Test
  void aPublicKeyIsNoSecret() throws Exception {
    SignedJWT jwt =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("k1").build(), claims().build());
    jwt.sign(new MACSigner(key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)));
    assertRefused("algorithm", jwt.serialize());
  }

  @Test
  void aKeyThatTheTokenBringsAlongIsNotUsed() throws Exception {
    ECKey own = ecKey("k1");
    SignedJWT jwt =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k1").jwk(own.toPublicJWK()).build(),
            claims().build());
    jwt.sign(new ECDSASigner(own));
    assertRefused("signature", jwt.serialize());
  }

  @Test
  void aTokenOfAnotherKindIsRefused() throws Exception {
    SignedJWT jwt =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256)
                .keyID("k1")
                .type(new JOSEObjectType("logout+jwt"))
                .build(),
            claims().build());
    jwt.sign(new ECDSASigner(key));
    assertRefused("signature", jwt.serialize());
  }

  @Test
  void anEditedTokenIsRefused() throws Exception {
    String[] parts = signed(claims().build()).split("\\.", -1);
    String[] other = signed(claims().subject("root").build()).split("\\.", -1);
    assertRefused("signature", parts[0] + "." + other[1] + "." + parts[2]);
    assertRefused("signature", parts[0] + "." + parts[1] + "." + other[2]);
  }

  @Test
  void aShortRsaKeyIsNotTaken() throws Exception {
    RSAKey weak = new RSAKeyGenerator(1_024, true).keyID("weak").generate();
    RSAKey strong = new RSAKeyGenerator(2_048).keyID("strong").generate();
    published.set(new JWKSet(List.of(weak.toPublicJWK(), strong.toPublicJWK())));
    assertThat(tokens.caller(rsa(strong)).role()).isEqualTo(Role.FLEET_OPERATOR);
    assertRefused("signature", rsa(weak));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "x y", "\u0000"})
  void nonsenseIsRefused(String token) {
    assertThatThrownBy(() -> tokens.caller(token)).isInstanceOf(TokenRefusedException.class);
  }

  @Test
  void aLongTokenIsNotEvenRead() {
    assertRefused("longer than 4096", "x".repeat(4_097));
    assertThat(fetches).hasValue(0);
  }

  @Test
  void aNewKeyIsFetchedWhenATokenNeedsIt() throws Exception {
    tokens.caller(signed(claims().build()));
    ECKey next = ecKey("k2");
    published.set(new JWKSet(List.of(key.toPublicJWK(), next.toPublicJWK())));
    now.set(START.plusSeconds(31));
    assertThat(tokens.caller(signed(next, claims().build())).actor()).endsWith("/ann");
    assertThat(fetches).hasValue(2);
  }

  @Test
  void unknownKeysDoNotMakeAFloodOfFetches() throws Exception {
    tokens.caller(signed(claims().build()));
    for (int i = 0; i < 1_000; i++) {
      assertRefused("signature", signed(ecKeyLike("stranger" + i), claims().build()));
    }
    assertThat(fetches).as("within half a minute of the first").hasValue(1);
    now.set(START.plusSeconds(31));
    assertRefused("signature", signed(ecKeyLike("one-more"), claims().build()));
    assertThat(fetches).hasValue(2);
  }

  @Test
  void aKeyThatWasWithdrawnEndsWithinMinutes() throws Exception {
    String token = signed(claims().build());
    tokens.caller(token);
    published.set(new JWKSet(ecKey("k2").toPublicJWK()));
    now.set(START.plus(Duration.ofMinutes(5)));
    assertRefused("signature", token);
  }

  @Test
  void anIssuerThatIsAwayLocksNobodyOutForADay() throws Exception {
    String token =
        signed(claims().expirationTime(Date.from(START.plus(Duration.ofDays(2)))).build());
    tokens.caller(token);
    published.set(new JWKSet());
    away.set(true);
    now.set(START.plus(Duration.ofHours(23)));
    assertThat(tokens.caller(token).actor()).endsWith("/ann");
    now.set(START.plus(Duration.ofHours(25)));
    assertRefused("signature", token);
  }

  @Test
  void aRefusalDoesNotRepeatTheToken() throws Exception {
    String token = signed(claims().expirationTime(Date.from(START.minusSeconds(999))).build());
    assertThatThrownBy(() -> tokens.caller(token))
        .hasMessageNotContaining(token.substring(0, 20))
        .hasMessageNotContaining(token.substring(token.length() - 20));
  }

  private final java.util.concurrent.atomic.AtomicBoolean away =
      new java.util.concurrent.atomic.AtomicBoolean();

  private String fetch() throws IOException {
    fetches.incrementAndGet();
    if (away.get()) {
      throw new IOException("away");
    }
    return String.valueOf(published.get());
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience("gatehouse")
        .subject("ann")
        .expirationTime(Date.from(START.plusSeconds(3_600)))
        .claim("role", "fleet-operator");
  }

  private void refused(String reason, JWTClaimsSet.Builder claims) {
    assertRefused(reason, signed(claims.build()));
  }

  private void assertRefused(String reason, String token) {
    assertThatThrownBy(() -> tokens.caller(token))
        .isInstanceOf(TokenRefusedException.class)
        .hasMessageContaining(reason);
  }

  private String signed(JWTClaimsSet claims) {
    return signed(key, claims);
  }

  private static String signed(ECKey with, JWTClaimsSet claims) {
    try {
      SignedJWT jwt =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(with.getKeyID()).build(), claims);
      jwt.sign(new ECDSASigner(with));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Signed by the JDK: the library makes no token with a weak key. */
  private static String rsa(RSAKey with) throws GeneralSecurityException, JOSEException {
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(with.getKeyID()).build();
    String text = header.toBase64URL() + "." + Base64URL.encode(claims().build().toString());
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initSign(with.toPrivateKey());
    signature.update(text.getBytes(StandardCharsets.US_ASCII));
    return text + "." + Base64URL.encode(signature.sign());
  }

  /** The same key under another name: to make one costs time. */
  private ECKey ecKeyLike(String id) {
    return new ECKey.Builder(key).keyID(id).build();
  }

  private static ECKey ecKey(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
