package io.gatehouse.control.cli.command;

import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.OutputFormat;
import io.gatehouse.control.cli.resource.ResourceClient.Changed;
import io.gatehouse.control.cli.resource.ResourceKind;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.proto.v1.GetFleetStatusResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/** Tells of a change, and waits until it is real if that was asked for. */
final class ChangeOutput {
  static final String WAIT = "--wait";
  static final String WAIT_HELP = "Return when the DPUs have applied and read back the change.";

  private final Session session;
  private final Arguments arguments;

  ChangeOutput(Session session, Arguments arguments) {
    this.session = session;
    this.arguments = arguments;
  }

  boolean waits() {
    return arguments.given(WAIT);
  }

  /**
   * Prints, then waits.
   *
   * @param verb such as {@code created}
   * @param scopes gives what the change concerns, if somebody waits
   */
  ExitCode tell(
      String verb,
      ResourceKind kind,
      String name,
      Changed changed,
      Supplier<? extends Collection<String>> scopes) {
    if (session.format() == OutputFormat.TABLE) {
      String what = verb + " " + kind.word() + " " + kind.form().shorten(name);
      session.out().println(what + " at revision " + changed.revision());
    }
    if (waits()) {
      await(changed.revision(), scopes.get());
    }
    switch (session.format()) {
      case JSON -> session.out().println(Messages.json(changed.answer()));
      case YAML -> session.out().print(Messages.yaml(changed.answer()));
      case TABLE -> {}
    }
    return ExitCode.OK;
  }

  /** Waits for all scopes, within one timeout. */
  void await(long revision, Collection<String> scopes) {
    long end = System.nanoTime() + session.timeout().toNanos();
    for (String scope : scopes) {
      Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
      Optional<GetFleetStatusResponse> status = await(revision, scope, left);
      if (status.isPresent() && session.format() == OutputFormat.TABLE) {
        session.out().println("applied on " + dpus(status.get()) + " of " + scope);
      }
    }
  }

  /** Empty for a DPU that is not there, or not for a tenant's operator to see. */
  private Optional<GetFleetStatusResponse> await(long revision, String scope, Duration limit) {
    try {
      return Optional.of(session.revisionWait().await(revision, scope, limit));
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.NOT_FOUND || !scope.startsWith("dpus/")) {
        throw e;
      }
      session.terminal().err().println("gatehouse: not waited for on " + scope + ": not found");
      return Optional.empty();
    }
  }

  private static String dpus(GetFleetStatusResponse status) {
    return status.getDpuCount() == 1 ? "the 1 DPU" : "all " + status.getDpuCount() + " DPUs";
  }
}
