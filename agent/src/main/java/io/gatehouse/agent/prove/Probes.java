package io.gatehouse.agent.prove;

import io.gatehouse.model.name.PortName;
import io.gatehouse.model.policy.LocalPortPolicy;
import io.gatehouse.model.policy.RemotePortPolicy;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The packets that a proof looks at, in an order in which the most telling come first: every pair
 * of ports, then every sender by itself, then the edges of the security groups' rules. Lazy: they
 * are many.
 */
public final class Probes {
  private final Ground ground;
  private final Set<PortName> scope;
  private final PairProbes pairs;

  private Probes(Ground ground, Set<PortName> scope) {
    this.ground = ground;
    this.scope = scope;
    this.pairs = new PairProbes(ground);
  }

  /**
   * The probes that have a port of the scope at one end.
   *
   * @param scope empty for all ports
   */
  public static Stream<Probe> of(Ground ground, Set<PortName> scope) {
    Probes probes = new Probes(ground, scope);
    return Stream.of(probes.tunnels(), probes.hosts(), probes.alone(), probes.rules())
        .flatMap(stream -> stream);
  }

  private boolean isInScope(PortName one, PortName other) {
    return scope.isEmpty() || scope.contains(one) || scope.contains(other);
  }

  private Stream<Probe> hosts() {
    return ground.locals().values().stream()
        .flatMap(
            from ->
                Stream.concat(
                    others(from).flatMap(to -> pairs.between(from, to)),
                    away(from).flatMap(to -> pairs.between(from, to))));
  }

  private Stream<Probe> tunnels() {
    if (ground.tunnel().isEmpty()) {
      return Stream.empty();
    }
    return ground.remotes().values().stream()
        .flatMap(
            from ->
                ground.locals().values().stream()
                    .filter(to -> isInScope(from.name(), to.name()))
                    .flatMap(to -> new TunnelProbes(ground, from).to(to)));
  }

  private Stream<Probe> alone() {
    return ground.locals().values().stream()
        .filter(from -> scope.isEmpty() || scope.contains(from.name()))
        .flatMap(from -> new HostProbes(ground, from).all());
  }

  private Stream<Probe> rules() {
    RuleProbes rules = new RuleProbes(ground);
    return ground.locals().values().stream()
        .flatMap(
            from ->
                Stream.concat(
                    others(from).flatMap(to -> rules.between(from, to)),
                    away(from).flatMap(to -> rules.between(from, to))));
  }

  private Stream<LocalPortPolicy> others(LocalPortPolicy from) {
    return ground.locals().values().stream()
        .filter(to -> !to.name().equals(from.name()) && isInScope(from.name(), to.name()));
  }

  private Stream<RemotePortPolicy> away(LocalPortPolicy from) {
    return ground.remotes().values().stream().filter(to -> isInScope(from.name(), to.name()));
  }
}
