package io.gatehouse.control.cli.audit;

import io.gatehouse.control.cli.command.Arguments;
import io.gatehouse.control.cli.command.CommandBuilder;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.Table;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.proto.v1.AuditChain;
import io.gatehouse.proto.v1.AuditEvent;
import io.gatehouse.proto.v1.AuditServiceGrpc;
import io.gatehouse.proto.v1.ChainVerdict;
import io.gatehouse.proto.v1.ListAuditEventsRequest;
import io.gatehouse.proto.v1.ListAuditEventsResponse;
import io.gatehouse.proto.v1.VerifyAuditRequest;
import io.gatehouse.wire.TimeWire;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse audit list|verify|export}. */
public final class AuditCommands {
  private static final String CHAIN = "--chain";
  private static final String FILTER = "--filter";
  private static final String SINCE = "--since";
  private static final String UNTIL = "--until";
  private static final String LIMIT = "--limit";
  private static final String FILE = "--file";
  private static final int DEFAULT_LIMIT = 1_000;
  private static final int PAGE_SIZE = 500;
  private static final String CHAIN_HELP = "changes, or refusals; changes if left out.";

  private AuditCommands() {}

  public static CommandSpec spec() {
    return CommandBuilder.group("audit", "Read, check and export what was done and refused.")
        .sub(
            CommandBuilder.of("list", "List events, the oldest first.", AuditCommands::list)
                .option(CHAIN, "CHAIN", CHAIN_HELP)
                .option(FILTER, "TERMS", "Such as 'actor = operators/ann AND subject != dpus/d1'.")
                .option(SINCE, "TIME", "Only from then on, such as 2026-11-01T00:00:00Z.")
                .option(UNTIL, "TIME", "Only before that time.")
                .option(LIMIT, "N", "At most so many; 1000 if left out.")
                .build())
        .sub(
            CommandBuilder.of(
                    "verify",
                    "Check every row against its chain. Ends with 1 if one is not as written.",
                    AuditCommands::verify)
                .option(FILE, "FILE", "An export, checked without the control plane.")
                .build())
        .sub(
            CommandBuilder.of(
                    "export", "Write every row of a chain, one a line.", AuditCommands::export)
                .option(CHAIN, "CHAIN", CHAIN_HELP)
                .option(FILE, "FILE", "Where to, readable by nobody else; left out: print it.")
                .build())
        .build();
  }

  private static ExitCode list(Arguments arguments, Session session) {
    int limit = arguments.parsed(LIMIT, AuditCommands::number).orElse(DEFAULT_LIMIT);
    ListAuditEventsRequest.Builder request =
        ListAuditEventsRequest.newBuilder()
            .setChain(chain(arguments))
            .setPageSize(Math.min(PAGE_SIZE, limit))
            .setFilter(arguments.text(FILTER).orElse(""));
    arguments
        .parsed(SINCE, AuditCommands::time)
        .ifPresent(time -> request.setStartTime(TimeWire.toProto(time)));
    arguments
        .parsed(UNTIL, AuditCommands::time)
        .ifPresent(time -> request.setEndTime(TimeWire.toProto(time)));
    List<AuditEvent> events = new ArrayList<>();
    ListAuditEventsResponse page;
    do {
      page = session.call(AuditServiceGrpc.getListAuditEventsMethod(), request.build());
      events.addAll(page.getEventsList());
      request.setPageToken(page.getNextPageToken());
    } while (!page.getNextPageToken().isEmpty() && events.size() < limit);
    print(session, events.subList(0, Math.min(limit, events.size())));
    if (!page.getNextPageToken().isEmpty()) {
      session.terminal().err().println("gatehouse: there is more; see --limit and --since");
    }
    return ExitCode.OK;
  }

  private static void print(Session session, List<AuditEvent> events) {
    switch (session.format()) {
      case JSON -> session.out().println(Messages.jsonArray(events));
      case YAML -> events.forEach(event -> session.out().print(Messages.yaml(event)));
      case TABLE -> {
        Table table =
            new Table(
                List.of("ROW", "TIME", "ACTOR", "ACTION", "SUBJECT", "REFUSED", "COUNT", "WHY"));
        events.forEach(event -> table.row(cells(event)));
        session.out().print(table);
      }
    }
  }

  private static List<String> cells(AuditEvent event) {
    return List.of(
        Long.toString(event.getSequence()),
        Messages.instant(event.getEventTime()).toString(),
        event.getActor(),
        event.getAction(),
        event.getSubject(),
        event.getRefusalCode(),
        Long.toString(event.getCount()),
        event.getRefusalReason());
  }

  private static ExitCode verify(Arguments arguments, Session session) {
    Optional<String> file = arguments.text(FILE);
    List<ChainVerdict> verdicts =
        file.isPresent()
            ? List.of(ExportFile.verify(Path.of(file.get())))
            : session
                .call(
                    AuditServiceGrpc.getVerifyAuditMethod(),
                    VerifyAuditRequest.getDefaultInstance())
                .getVerdictsList();
    switch (session.format()) {
      case JSON -> session.out().println(Messages.jsonArray(verdicts));
      case YAML -> verdicts.forEach(verdict -> session.out().print(Messages.yaml(verdict)));
      case TABLE -> {
        Table table = new Table(List.of("CHAIN", "INTACT ROWS", "HEAD", "PROBLEM"));
        verdicts.forEach(verdict -> table.row(cells(verdict)));
        session.out().print(table);
      }
    }
    boolean whole = verdicts.stream().allMatch(verdict -> verdict.getProblem().isEmpty());
    return whole ? ExitCode.OK : ExitCode.OTHER;
  }

  private static List<String> cells(ChainVerdict verdict) {
    return List.of(
        word(verdict.getChain()),
        Long.toString(verdict.getIntactRowCount()),
        HexFormat.of().formatHex(verdict.getHeadHash().toByteArray()),
        verdict.getProblem());
  }

  private static ExitCode export(Arguments arguments, Session session) {
    ExportFile.write(session, chain(arguments), arguments.text(FILE).map(Path::of));
    return ExitCode.OK;
  }

  private static AuditChain chain(Arguments arguments) {
    return arguments.parsed(CHAIN, AuditCommands::chain).orElse(AuditChain.AUDIT_CHAIN_CHANGES);
  }

  private static AuditChain chain(String word) {
    if (!Set.of("changes", "refusals").contains(word)) {
      throw new InvalidValueException("chain", word, "is neither changes nor refusals");
    }
    return AuditChain.valueOf("AUDIT_CHAIN_" + word.toUpperCase(Locale.ROOT));
  }

  private static String word(AuditChain chain) {
    return chain.name().replace("AUDIT_CHAIN_", "").toLowerCase(Locale.ROOT);
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new InvalidValueException("time", text, "is not like 2026-11-01T00:00:00Z");
    }
  }

  private static int number(String text) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new InvalidValueException("limit", text, "is not a number");
    }
    throw new InvalidValueException("limit", text, "is not 1 or more");
  }
}
