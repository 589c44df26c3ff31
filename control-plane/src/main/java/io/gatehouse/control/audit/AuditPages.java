package io.gatehouse.control.audit;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.gatehouse.control.api.Filter;
import io.gatehouse.control.journal.Chain;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.AuditChain;
import io.gatehouse.proto.v1.AuditEvent;
import io.gatehouse.proto.v1.ListAuditEventsRequest;
import io.gatehouse.proto.v1.ListAuditEventsResponse;
import io.gatehouse.wire.AuditWire;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Pages of a chain's events. A token is the number of the last row that was looked at. */
final class AuditPages {
  private static final int DEFAULT_SIZE = 100;
  private static final int MAX_SIZE = 1_000;
  private static final int ROWS = 500;

  /** Rows that one call looks at, however few of them are wanted. */
  private static final int MAX_SCANNED = 20_000;

  private static final Pattern TOKEN = Pattern.compile("[0-9]{1,18}");

  private static final Map<String, Filter.Field<AuditEvent>> FILTERED =
      Map.of(
          "actor", Filter.Field.text(AuditEvent::getActor),
          "action", Filter.Field.text(AuditEvent::getAction),
          "subject", Filter.Field.text(AuditEvent::getSubject),
          "refusal_code", Filter.Field.text(AuditEvent::getRefusalCode));

  private AuditPages() {}

  /**
   * One page; it may be empty and yet not be the last.
   *
   * @throws InvalidValueException that names the field
   */
  static ListAuditEventsResponse page(Chain chain, ListAuditEventsRequest request) {
    AuditChain which = request.getChain();
    Predicate<AuditEvent> wanted = Filter.parse(request.getFilter(), FILTERED).and(during(request));
    int size = size(request.getPageSize());
    long after = after(request.getPageToken());
    long end = after + MAX_SCANNED;
    ListAuditEventsResponse.Builder page = ListAuditEventsResponse.newBuilder();
    while (after < end) {
      List<Chain.Row> rows = chain.rows(after, ROWS);
      for (Chain.Row row : rows) {
        after = row.seq();
        AuditEvent event = AuditWire.event(which, row.seq(), row.hash(), row.payload());
        if (wanted.test(event)) {
          page.addEvents(event);
        }
        if (page.getEventsCount() == size) {
          return page.setNextPageToken(Long.toString(after)).build();
        }
      }
      if (rows.size() < ROWS) {
        return page.build();
      }
    }
    return page.setNextPageToken(Long.toString(after)).build();
  }

  private static Predicate<AuditEvent> during(ListAuditEventsRequest request) {
    Timestamp start = time("start_time", request.getStartTime());
    Timestamp end = time("end_time", request.getEndTime());
    return event ->
        (!request.hasStartTime() || Timestamps.compare(event.getEventTime(), start) >= 0)
            && (!request.hasEndTime() || Timestamps.compare(event.getEventTime(), end) < 0);
  }

  private static Timestamp time(String field, Timestamp given) {
    if (!Timestamps.isValid(given)) {
      throw new InvalidValueException(field, given.getSeconds(), "is no time");
    }
    return given;
  }

  private static int size(int given) {
    if (given < 0 || given > MAX_SIZE) {
      throw new InvalidValueException("page_size", given, "is outside 0.." + MAX_SIZE);
    }
    return given == 0 ? DEFAULT_SIZE : given;
  }

  private static long after(String token) {
    if (token.isEmpty()) {
      return 0;
    }
    if (!TOKEN.matcher(token).matches()) {
      throw new InvalidValueException("page_token", token, "is not a next_page_token of this list");
    }
    return Long.parseLong(token);
  }
}
