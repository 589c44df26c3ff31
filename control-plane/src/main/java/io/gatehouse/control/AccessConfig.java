package io.gatehouse.control;

import io.gatehouse.control.auth.CallBudget;
import io.gatehouse.control.auth.Callers;
import io.gatehouse.control.auth.PeerInterceptor;
import io.gatehouse.control.auth.PrincipalConnections;
import io.gatehouse.control.auth.RefusalLog;
import io.gatehouse.control.auth.TenantBoundary;
import io.gatehouse.control.auth.oidc.OidcConfig;
import io.gatehouse.control.auth.oidc.OidcTokens;
import io.gatehouse.control.limit.PeerLimits;
import io.gatehouse.control.sequencer.Sequencer;
import io.gatehouse.model.Operator;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.config.YamlMap;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Who may come in, and what peers may use.
 *
 * @param oidc issuers of bearer tokens; empty: none is taken
 */
public record AccessConfig(List<OidcConfig> oidc, PeerLimits limits) {
  /** Certificates only, and the limits that nobody has changed. */
  public static final AccessConfig DEFAULT = new AccessConfig(List.of(), PeerLimits.DEFAULT);

  private static final int MAX_ISSUERS = 8;
  private static final int MAX_LIMIT = 1_000_000;
  private static final int REMEMBERED_PRINCIPALS = 20_000;

  public AccessConfig {
    oidc = List.copyOf(oidc);
    Set<String> issuers = new HashSet<>();
    for (OidcConfig config : oidc) {
      if (!issuers.add(config.issuer())) {
        throw new InvalidValueException("oidc.issuer", config.issuer(), "is there twice");
      }
    }
  }

  /** What stands at the door of every listener. */
  GrpcEndpoint.Guards guards(String trustDomain, Sequencer commands, RefusalLog refusals) {
    Callers callers =
        new Callers(
            trustDomain,
            OidcTokens.of(oidc, InstantSource.system()),
            name -> commands.image().operator(name).map(Operator::role));
    CallBudget budget =
        new CallBudget(
            limits.callsPerSecond(), limits.callBurst(), REMEMBERED_PRINCIPALS, System::nanoTime);
    return new GrpcEndpoint.Guards(
        new PeerInterceptor(callers, budget, refusals),
        new TenantBoundary(refusals),
        new PrincipalConnections(trustDomain, limits.connectionsPerPrincipal()),
        refusals,
        limits);
  }

  /** Reads the sections {@code oidc} and {@code limits}. */
  static Supplier<AccessConfig> read(YamlMap root) {
    List<Supplier<OidcConfig>> issuers =
        root.maps("oidc", MAX_ISSUERS).stream().map(AccessConfig::issuer).toList();
    Supplier<PeerLimits> limits = limits(root.map("limits"));
    return () -> new AccessConfig(issuers.stream().map(Supplier::get).toList(), limits.get());
  }

  private static Supplier<OidcConfig> issuer(YamlMap map) {
    Supplier<String> issuer = map.text("issuer").required();
    Supplier<String> audience = map.text("audience").required();
    Supplier<Optional<Path>> file = map.path("jwks_file").optional();
    Supplier<Optional<URI>> url = map.value("jwks_url", URI::create).optional();
    Supplier<String> role = map.text("role_claim").orElse("gatehouse_role");
    Supplier<String> tenant = map.text("tenant_claim").orElse("gatehouse_tenant");
    return () ->
        new OidcConfig(
            issuer.get(), audience.get(), file.get(), url.get(), role.get(), tenant.get());
  }

  private static Supplier<PeerLimits> limits(YamlMap map) {
    PeerLimits usual = PeerLimits.DEFAULT;
    Supplier<Integer> perAddress =
        map.integer("connections_per_address", 1, MAX_LIMIT).orElse(usual.connectionsPerAddress());
    Supplier<Integer> handshakes =
        map.integer("handshakes_per_second", 1, MAX_LIMIT).orElse(usual.handshakesPerSecond());
    Supplier<Integer> perPrincipal =
        map.integer("connections_per_principal", 1, MAX_LIMIT)
            .orElse(usual.connectionsPerPrincipal());
    Supplier<Integer> calls =
        map.integer("calls_per_second", 1, MAX_LIMIT).orElse(usual.callsPerSecond());
    Supplier<Integer> burst = map.integer("call_burst", 1, MAX_LIMIT).orElse(usual.callBurst());
    return () ->
        new PeerLimits(
            perAddress.get(),
            handshakes.get(),
            perPrincipal.get(),
            calls.get(),
            burst.get(),
            usual.handshake(),
            usual.silence());
  }
}
