package io.gatehouse.agent.plan.security;

import io.gatehouse.agent.flow.Action;
import io.gatehouse.agent.flow.Actions;
import io.gatehouse.agent.flow.Bits;
import io.gatehouse.agent.flow.Field;
import io.gatehouse.agent.flow.Flow;
import io.gatehouse.agent.flow.Match;
import io.gatehouse.agent.state.Cookies;
import io.gatehouse.agent.state.PipelineTable;
import io.gatehouse.agent.state.planned.Fragment;
import io.gatehouse.model.name.SecurityGroupName;
import io.gatehouse.model.net.Cidr;
import io.gatehouse.model.policy.SecurityGroupPolicy;
import io.gatehouse.model.security.Remote;
import io.gatehouse.model.security.SecurityRule;
import io.gatehouse.model.security.SecurityRule.Direction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The flows of a security group. They are there once, whoever has the group: the flows of its ports
 * call them, as a subroutine, with the group's number in the metadata. A rule that a connection
 * keeps to sets {@link #ALLOWED}; nothing ever takes it back, so the order of rules means nothing.
 *
 * <p>Rules with one remote group are one conjunction of two: an address of a member, and traffic
 * that one of the rules allows. So flows grow with the sum of members and rules.
 */
public final class GroupPlanner {
  /** The register in which a group says that it allows a connection. */
  public static final int VERDICT_REGISTER = 4;

  /** What it says. */
  public static final long ALLOWED = 1;

  /** Says which network a packet is in. */
  public static final int NETWORK_REGISTER = 0;

  /** Above the parts of conjunctions: where a rule is enough, they need not be looked at. */
  private static final int RULE = 100;

  private static final int PART = 90;

  private static final int CLAUSES = 2;
  private static final int REMOTE_CLAUSE = 1;
  private static final int TRAFFIC_CLAUSE = 2;
  private static final long CONJUNCTION_BITS = 0xffff_ffffL;

  private static final Action ALLOW = Actions.setReg(VERDICT_REGISTER, ALLOWED);

  private final Inputs inputs;
  private final TupleMatch start;
  private final long cookie;
  private final List<Flow> flows = new ArrayList<>();

  private GroupPlanner(Inputs inputs) {
    this.inputs = inputs;
    this.start = new TupleMatch(inputs.number());
    this.cookie = Cookies.of(inputs.group().key());
  }

  /**
   * Everything the flows of a group depend on.
   *
   * @param number that its flows are called by
   * @param members those who have a group that one of its rules names
   */
  public record Inputs(
      SecurityGroupPolicy group, long number, SortedMap<SecurityGroupName, List<Member>> members) {
    public Inputs {
      members = Collections.unmodifiableSortedMap(members);
    }
  }

  /**
   * What a member may use in its own network. The same address out of a peer is somebody else's.
   *
   * @param vni of the network
   */
  public record Member(int vni, Cidr addresses) {}

  public static Fragment plan(Inputs inputs) {
    GroupPlanner planner = new GroupPlanner(inputs);
    planner.direction(Direction.EGRESS, PipelineTable.EGRESS_GROUP);
    planner.direction(Direction.INGRESS, PipelineTable.INGRESS_GROUP);
    return new Fragment(inputs.group().key(), inputs, planner.flows);
  }

  private void direction(Direction direction, PipelineTable table) {
    // Rules that overlap may come to the same match, which can be there only once.
    Map<Match, List<Action>> rules = new LinkedHashMap<>();
    Parts parts = new Parts(new LinkedHashMap<>());
    SortedMap<SecurityGroupName, Long> ids = StableNumbers.of(named(direction), CONJUNCTION_BITS);
    for (SecurityRule rule : inputs.group().rules()) {
      if (rule.direction() != direction) {
        continue;
      }
      for (Match.Builder match : start.traffic(rule.traffic(), rule.remote().family())) {
        if (rule.remote() instanceof Remote.Group remote) {
          parts.add(match.build(), StableNumbers.of(remote.group(), ids), TRAFFIC_CLAUSE);
          continue;
        }
        if (rule.remote() instanceof Remote.Prefix prefix) {
          TupleMatch.remote(match, direction, prefix.cidr());
        }
        rules.put(match.build(), List.of(ALLOW));
      }
    }
    ids.forEach(
        (group, id) -> {
          for (Member member : inputs.members().getOrDefault(group, List.of())) {
            Match.Builder match = start.any().reg(NETWORK_REGISTER, member.vni());
            TupleMatch.remote(match, direction, member.addresses());
            parts.add(match.build(), id, REMOTE_CLAUSE);
          }
          rules.put(conjunction(id), List.of(ALLOW));
        });
    rules.forEach((match, actions) -> add(table, RULE, match, actions));
    parts.clauses().keySet().forEach(match -> add(table, PART, match, parts.actions(match)));
  }

  private SortedSet<SecurityGroupName> named(Direction direction) {
    SortedSet<SecurityGroupName> named = new TreeSet<>();
    for (SecurityRule rule : inputs.group().rules()) {
      if (rule.direction() == direction && rule.remote() instanceof Remote.Group remote) {
        named.add(remote.group());
      }
    }
    return named;
  }

  private Match conjunction(long id) {
    return Match.builder().metadata(inputs.number()).field(Field.CONJ_ID, Bits.of(id)).build();
  }

  private void add(PipelineTable table, int priority, Match match, List<Action> actions) {
    flows.add(new Flow(table.number(), priority, cookie, match, actions));
  }

  /** Which clause of which conjunctions each match is; a match is one flow for all of them. */
  private record Parts(Map<Match, SortedMap<Long, Integer>> clauses) {
    void add(Match match, long id, int clause) {
      clauses.computeIfAbsent(match, same -> new TreeMap<>()).put(id, clause);
    }

    List<Action> actions(Match match) {
      List<Action> actions = new ArrayList<>();
      clauses
          .getOrDefault(match, Collections.emptySortedMap())
          .forEach(
              (id, clause) -> actions.add(Actions.conjunction(id.intValue(), clause, CLAUSES)));
      return actions;
    }
  }
}
