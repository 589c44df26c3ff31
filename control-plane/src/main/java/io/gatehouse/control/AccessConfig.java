package io.gatehouse.control;

import io.gatehouse.control.auth.Callers;
import io.gatehouse.control.auth.OpenCalls;
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
import io.gatehouse.model.net.IpAddress;
import io.gatehouse.runtime.CallBudget;
import io.gatehouse.runtime.config.YamlMap;
import java.net.InetSocketAddress;
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
 * @param bearerListen where those come who have a bearer token instead of a client certificate
 */
public record AccessConfig(
    List<OidcConfig> oidc, Optional<InetSocketAddress> bearerListen, PeerLimits limits) {
  /** Certificates only, and the limits that nobody has changed. */
  public static final AccessConfig DEFAULT =
      new AccessConfig(List.of(), Optional.empty(), PeerLimits.DEFAULT);

  private static final int MAX_ISSUERS = 8;
  private static final int DEFAULT_BEARER_PORT = 8445;
  private static final int MAX_PORT = 65_535;
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
    if (oidc.isEmpty() == bearerListen.isPresent()) {
      throw new InvalidValueException(
          "bearer_listen",
          bearerListen.isPresent() ? "it" : "oidc",
          "is there alone: tokens need an issuer, and an address without client certificates");
    }
  }

  /**
   * What stands at the door of every listener.
   *
   * @param open calls that have come in
   */
  GrpcEndpoint.Guards guards(
      String trustDomain, Sequencer commands, RefusalLog refusals, OpenCalls open) {
    Callers callers =
        new Callers(
            trustDomain,
            OidcTokens.of(oidc, InstantSource.system()),
            name -> commands.image().operator(name).map(Operator::role));
    CallBudget budget =
        new CallBudget(
            limits.callsPerSecond(), limits.callBurst(), REMEMBERED_PRINCIPALS, System::nanoTime);
    return new GrpcEndpoint.Guards(
        List.of(new PeerInterceptor(callers, budget, refusals), open),
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
    Supplier<Optional<InetSocketAddress>> bearerListen =
        root.has("bearer_listen") ? bearerListen(root.map("bearer_listen")) : Optional::empty;
    return () ->
        new AccessConfig(
            issuers.stream().map(Supplier::get).toList(), bearerListen.get(), limits.get());
  }

  private static Supplier<Optional<InetSocketAddress>> bearerListen(YamlMap map) {
    Supplier<String> address =
        map.value("address", text -> IpAddress.parse(text).toString()).required();
    Supplier<Integer> port = map.integer("port", 0, MAX_PORT).orElse(DEFAULT_BEARER_PORT);
    return () -> Optional.of(new InetSocketAddress(address.get(), port.get()));
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
