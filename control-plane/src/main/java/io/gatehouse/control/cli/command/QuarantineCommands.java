package io.gatehouse.control.cli.command;

import com.google.protobuf.Message;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.OutputFormat;
import io.gatehouse.control.cli.output.RelativeTime;
import io.gatehouse.control.cli.output.Table;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.model.security.QuarantineTarget;
import io.gatehouse.proto.v1.ListQuarantinesRequest;
import io.gatehouse.proto.v1.ListQuarantinesResponse;
import io.gatehouse.proto.v1.Quarantine;
import io.gatehouse.proto.v1.QuarantineServiceGrpc;
import io.gatehouse.proto.v1.ReleaseQuarantineRequest;
import io.gatehouse.proto.v1.ReleaseQuarantineResponse;
import io.gatehouse.proto.v1.SetQuarantineRequest;
import io.gatehouse.proto.v1.SetQuarantineResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse quarantine set|release|list}. */
public final class QuarantineCommands {
  private static final String TARGET = "TARGET";
  private static final String TARGET_HELP =
      "A port such as acme/blue/web-1, a tenant such as acme, or a DPU as dpus/dpu1.";
  private static final String REASON = "--reason";
  private static final String ALLOW = "--allow";
  private static final int PAGE_SIZE = 500;

  private QuarantineCommands() {}

  public static CommandSpec spec() {
    String summary = "Cut off a port, a tenant or a DPU, and release it again.";
    return CommandBuilder.group("quarantine", summary)
        .sub(
            changing(
                    "set", "Cut off, or change why and how. Asks nothing.", QuarantineCommands::set)
                .requiredOption(REASON, "TEXT", "Why, for people.")
                .listOption(ALLOW, "PREFIX", "Still allowed; left out: nothing. May be repeated.")
                .build())
        .sub(changing("release", "End a quarantine.", QuarantineCommands::release).build())
        .sub(
            CommandBuilder.of("list", "List what is cut off.", QuarantineCommands::list)
                .optionalPositional("TENANT", "Only this tenant and its ports.")
                .build())
        .build();
  }

  private static CommandBuilder changing(String verb, String summary, Action action) {
    return CommandBuilder.of(verb, summary, action)
        .positional(TARGET, TARGET_HELP)
        .option(ResourceActions.REQUEST_ID, "UUID", "Makes a repeat of this change safe.")
        .toggle(ChangeOutput.WAIT, ChangeOutput.WAIT_HELP);
  }

  private static ExitCode set(Arguments arguments, Session session) {
    QuarantineTarget target = target(arguments);
    SetQuarantineResponse answer =
        session.call(
            QuarantineServiceGrpc.getSetQuarantineMethod(),
            SetQuarantineRequest.newBuilder()
                .setTarget(target.name())
                .setReason(arguments.text(REASON).orElse(""))
                .addAllAllowedCidrs(arguments.texts(ALLOW))
                .setRequestId(ResourceActions.requestId(arguments))
                .build());
    tell(session, arguments, "quarantined " + shown(target), answer.getRevision(), target);
    print(session, answer);
    return ExitCode.OK;
  }

  private static ExitCode release(Arguments arguments, Session session) {
    QuarantineTarget target = target(arguments);
    ReleaseQuarantineResponse answer =
        session.call(
            QuarantineServiceGrpc.getReleaseQuarantineMethod(),
            ReleaseQuarantineRequest.newBuilder()
                .setTarget(target.name())
                .setRequestId(ResourceActions.requestId(arguments))
                .build());
    tell(session, arguments, "released " + shown(target), answer.getRevision(), target);
    print(session, answer);
    return ExitCode.OK;
  }

  private static ExitCode list(Arguments arguments, Session session) {
    String parent =
        arguments
            .optional(0)
            .map(text -> arguments.parse("TENANT", text, ResourceKinds.TENANT.form()::parse))
            .orElse("");
    List<Quarantine> all = new ArrayList<>();
    String token = "";
    do {
      ListQuarantinesResponse page =
          session.call(
              QuarantineServiceGrpc.getListQuarantinesMethod(),
              ListQuarantinesRequest.newBuilder()
                  .setParent(parent)
                  .setPageSize(PAGE_SIZE)
                  .setPageToken(token)
                  .build());
      all.addAll(page.getQuarantinesList());
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    switch (session.format()) {
      case JSON -> session.out().println(Messages.jsonArray(all));
      case YAML -> all.forEach(one -> session.out().print(Messages.yaml(one)));
      case TABLE -> session.out().print(table(all, session));
    }
    return ExitCode.OK;
  }

  private static Table table(List<Quarantine> all, Session session) {
    Table table = new Table(List.of("TARGET", "REASON", "ALLOWED", "SET BY", "SET"));
    for (Quarantine one : all) {
      table.row(
          List.of(
              shown(QuarantineTarget.parse(one.getTarget())),
              one.getReason(),
              String.join(", ", one.getAllowedCidrsList()),
              one.getSetBy(),
              RelativeTime.format(Messages.instant(one.getSetTime()), session.now())));
    }
    return table;
  }

  private static void tell(
      Session session, Arguments arguments, String what, long revision, QuarantineTarget target) {
    if (session.format() == OutputFormat.TABLE) {
      session.out().println(what + " at revision " + revision);
    }
    ChangeOutput output = new ChangeOutput(session, arguments);
    if (output.waits()) {
      output.await(revision, Set.of(scope(target)));
    }
  }

  private static void print(Session session, Message answer) {
    switch (session.format()) {
      case JSON -> session.out().println(Messages.json(answer));
      case YAML -> session.out().print(Messages.yaml(answer));
      case TABLE -> {}
    }
  }

  /** Who has to apply it: for a port the DPUs of its network, among which its own is. */
  private static String scope(QuarantineTarget target) {
    return target instanceof QuarantineTarget.OfPort of
        ? of.port().network().toString()
        : target.name();
  }

  private static QuarantineTarget target(Arguments arguments) {
    return arguments.parse(TARGET, arguments.required(0), QuarantineCommands::target);
  }

  private static QuarantineTarget target(String text) {
    if (text.startsWith("dpus/") || text.startsWith("tenants/")) {
      return QuarantineTarget.parse(text);
    }
    return QuarantineTarget.parse(
        text.indexOf('/') < 0
            ? ResourceKinds.TENANT.form().parse(text)
            : ResourceKinds.PORT.form().parse(text));
  }

  private static String shown(QuarantineTarget target) {
    if (target instanceof QuarantineTarget.OfPort) {
      return ResourceKinds.PORT.form().shorten(target.name());
    }
    return target instanceof QuarantineTarget.OfTenant
        ? ResourceKinds.TENANT.form().shorten(target.name())
        : target.name();
  }
}
