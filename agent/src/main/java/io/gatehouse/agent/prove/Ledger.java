package io.gatehouse.agent.prove;

import io.gatehouse.agent.state.proof.Cell;
import io.gatehouse.agent.state.proof.Cell.Counts;
import io.gatehouse.agent.state.proof.Cell.Relation;
import io.gatehouse.agent.state.proof.Finding;
import io.gatehouse.agent.state.proof.Finding.Method;
import io.gatehouse.agent.state.proof.PacketClass;
import io.gatehouse.agent.state.proof.Proof;
import io.gatehouse.model.name.NetworkName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds what was found of packets against what was expected, and counts. Bounded, however much is
 * wrong. For one thread.
 */
public final class Ledger {
  /** What is counted once more has no cell of its own. */
  private static final String REST = "others";

  private final SortedMap<Cell, Counts> cells = new TreeMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> named = new HashSet<>();

  /** Flows as they are shown, the guilty ones first, and whom the first serves. */
  public record Blame(List<String> flows, String owner) {
    public static final Blame NONE = new Blame(List.of(), "");

    public Blame {
      flows = List.copyOf(flows);
    }
  }

  /**
   * Enters what came of a probe.
   *
   * @param found where it arrived, with the flows that brought it there
   * @param dropped the flows that it met if it arrived nowhere
   */
  public void enter(
      Probe probe,
      Expectation.Arrivals expected,
      Method method,
      Map<Place, Blame> found,
      Blame dropped) {
    found.forEach(
        (place, blame) -> {
          if (expected.must().contains(place)) {
            count(probe, place, new Counts(1, 0, 0, 0));
          } else if (!expected.may().contains(place)) {
            count(probe, place, new Counts(0, 0, 1, 0));
            name(true, probe, method, place, blame);
          }
        });
    for (Place place : expected.must()) {
      if (!found.containsKey(place)) {
        count(probe, place, new Counts(0, 0, 0, 1));
        name(false, probe, method, place, dropped);
      }
    }
    boolean stopped = !found.containsKey(probe.aim()) && !expected.must().contains(probe.aim());
    if (stopped && (probe.aim().network().isPresent() || found.isEmpty())) {
      count(probe, probe.aim(), new Counts(0, 1, 0, 0));
    }
  }

  public SortedMap<Cell, Counts> cells() {
    return cells;
  }

  public List<Finding> findings() {
    return findings;
  }

  private void count(Probe probe, Place to, Counts one) {
    Cell cell = new Cell(tenant(probe.from(), to), probe.kind(), relation(probe.from(), to));
    if (!cells.containsKey(cell) && cells.size() >= Proof.MAX_CELLS) {
      cell = new Cell(REST, cell.kind(), cell.relation());
    }
    cells.merge(cell, one, Counts::plus);
  }

  /** One finding for a sender, a receiver and a class says enough. */
  private void name(boolean leak, Probe probe, Method method, Place to, Blame blame) {
    String key = leak + "|" + probe.kind() + "|" + method + "|" + probe.from() + "|" + to;
    if (findings.size() >= Proof.MAX_FINDINGS || !named.add(key)) {
      return;
    }
    findings.add(
        new Finding(
            leak,
            probe.kind(),
            method,
            probe.from().text(),
            to.text(),
            probe.packet().toString(),
            blame.flows(),
            blame.owner()));
  }

  private static String tenant(Place from, Place to) {
    // A tunnel's word for its network counts for less than the port that it reaches.
    Optional<NetworkName> first = from instanceof Place.Local ? from.network() : to.network();
    return first.or(from::network).map(network -> network.tenant().toString()).orElse("");
  }

  private static Relation relation(Place from, Place to) {
    if (from.equals(to)) {
      return Relation.SAME_NETWORK;
    }
    if (from.network().isEmpty() || to.network().isEmpty()) {
      return Relation.OUTSIDE;
    }
    NetworkName one = from.network().get();
    NetworkName other = to.network().get();
    if (one.equals(other)) {
      return Relation.SAME_NETWORK;
    }
    return one.tenant().equals(other.tenant()) ? Relation.SAME_TENANT : Relation.OTHER_TENANT;
  }

  /** True if a class of packets leaked. */
  public boolean hasLeak(PacketClass kind) {
    return findings.stream().anyMatch(finding -> finding.leak() && finding.kind() == kind);
  }
}
