package io.gatehouse.control.audit;

import io.gatehouse.control.limit.SourceAddress;
import io.gatehouse.proto.storage.v1.RefusalEntry;
import io.gatehouse.wire.TimeWire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes few entries of many refusals: the first of its kind at once, its repeats within a minute as
 * one entry with a count. Bounded, whatever callers think of. Not thread-safe.
 */
final class RefusalWindow {
  static final Duration LENGTH = Duration.ofMinutes(1);

  /**
   * Kinds of refusal that one actor may have open; more are counted together. All addresses of one
   * IPv6 /64 are one actor here: a host has that many for itself.
   */
  static final int KINDS_PER_ACTOR = 64;

  /** Kinds of all actors; more are counted together. */
  static final int KINDS = 4_096;

  private static final int MAX_NAME = 200;
  private static final int MAX_REASON = 500;
  private static final String SEVERAL = "several";

  /** Kinds in the order in which their minutes began. */
  private final Map<Kind, Repeats> open = new LinkedHashMap<>();

  private final Map<String, Integer> kindsOfActor = new HashMap<>();

  private record Kind(String actor, String action, String subject, String code) {}

  private static final class Repeats {
    private final Instant opened;
    private final String reason;
    private Instant first;
    private long count;

    Repeats(Instant opened, String reason) {
      this.opened = opened;
      this.first = opened;
      this.reason = reason;
    }
  }

  /** Takes one refusal; gives the entry to write now, if it is the first of its kind. */
  Optional<RefusalEntry> add(RefusalEntry refusal, Instant now) {
    Kind kind = kind(refusal);
    Repeats repeats = open.get(kind);
    if (repeats != null) {
      if (repeats.count++ == 0) {
        repeats.first = now;
      }
      return Optional.empty();
    }
    String reason = cut(refusal.getReason(), MAX_REASON);
    open.put(kind, new Repeats(now, reason));
    kindsOfActor.merge(SourceAddress.actorGroup(kind.actor), 1, Integer::sum);
    return Optional.of(entry(kind, reason, now, 1));
  }

  /** Ends the minutes that are over, and gives the entries of their repeats. */
  List<RefusalEntry> over(Instant now) {
    List<RefusalEntry> entries = new ArrayList<>();
    Iterator<Map.Entry<Kind, Repeats>> oldest = open.entrySet().iterator();
    while (oldest.hasNext()) {
      var next = oldest.next();
      if (Duration.between(next.getValue().opened, now).compareTo(LENGTH) < 0) {
        break;
      }
      oldest.remove();
      close(next.getKey(), next.getValue()).ifPresent(entries::add);
    }
    return entries;
  }

  /** Ends all minutes. */
  List<RefusalEntry> all() {
    List<RefusalEntry> entries = new ArrayList<>();
    open.forEach((kind, repeats) -> close(kind, repeats).ifPresent(entries::add));
    open.clear();
    return entries;
  }

  private Optional<RefusalEntry> close(Kind kind, Repeats repeats) {
    kindsOfActor.computeIfPresent(
        SourceAddress.actorGroup(kind.actor), (actor, kinds) -> kinds == 1 ? null : kinds - 1);
    return repeats.count == 0
        ? Optional.empty()
        : Optional.of(entry(kind, repeats.reason, repeats.first, repeats.count));
  }

  private Kind kind(RefusalEntry refusal) {
    Kind exact =
        new Kind(
            cut(refusal.getActor(), MAX_NAME),
            cut(refusal.getAction(), MAX_NAME),
            cut(refusal.getSubject(), MAX_NAME),
            refusal.getCode());
    if (open.containsKey(exact)) {
      return exact;
    }
    if (open.size() >= KINDS) {
      return new Kind(SEVERAL, SEVERAL, "", refusal.getCode());
    }
    String group = SourceAddress.actorGroup(exact.actor);
    boolean many = kindsOfActor.getOrDefault(group, 0) >= KINDS_PER_ACTOR;
    return many ? new Kind(group, SEVERAL, "", refusal.getCode()) : exact;
  }

  private static RefusalEntry entry(Kind kind, String reason, Instant time, long count) {
    return RefusalEntry.newBuilder()
        .setActor(kind.actor)
        .setAction(kind.action)
        .setSubject(kind.subject)
        .setCode(kind.code)
        .setReason(reason)
        .setTime(TimeWire.toProto(time))
        .setCount(count)
        .build();
  }

  /** Callers choose much of it: no line breaks, and no end of text. */
  private static String cut(String text, int characters) {
    StringBuilder kept = new StringBuilder();
    text.codePoints()
        .limit(characters)
        .forEach(c -> kept.appendCodePoint(Character.isISOControl(c) ? '?' : c));
    return kept.toString();
  }
}
