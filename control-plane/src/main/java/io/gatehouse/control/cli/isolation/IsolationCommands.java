package io.gatehouse.control.cli.isolation;

import io.gatehouse.control.cli.command.Arguments;
import io.gatehouse.control.cli.command.CommandBuilder;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.output.OutputFormat;
import io.gatehouse.control.cli.resource.ResourceKinds;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.proto.v1.GetIsolationProofRequest;
import io.gatehouse.proto.v1.IsolationProof;
import io.gatehouse.proto.v1.IsolationServiceGrpc;
import io.gatehouse.proto.v1.ListIsolationProofsRequest;
import io.gatehouse.proto.v1.ListIsolationProofsResponse;
import io.gatehouse.proto.v1.VerifyIsolationRequest;
import io.gatehouse.proto.v1.VerifyIsolationResponse;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** {@code gatehouse isolation verify} and {@code gatehouse isolation show}. */
public final class IsolationCommands {
  private static final String TENANT = "--tenant";
  private static final String DPU = "--dpu";

  private IsolationCommands() {}

  public static CommandSpec spec() {
    return CommandBuilder.group("isolation", "Prove that tenants are isolated.")
        .sub(
            CommandBuilder.of(
                    "verify",
                    "Have DPUs prove the isolation of their ports now.",
                    IsolationCommands::verify)
                .option(TENANT, "TENANT", "Only the ports of a tenant.")
                .option(DPU, "DPU", "Only one DPU.")
                .build())
        .sub(
            CommandBuilder.of("show", "Show the newest proof of each DPU.", IsolationCommands::show)
                .option(DPU, "DPU", "Only one DPU, with its matrix.")
                .build())
        .build();
  }

  private static ExitCode verify(Arguments arguments, Session session) {
    Optional<String> tenant = arguments.parsed(TENANT, ResourceKinds.TENANT.form()::parse);
    Optional<String> dpu = arguments.parsed(DPU, ResourceKinds.DPU.form()::parse);
    if (tenant.isPresent() && dpu.isPresent()) {
      throw new CliException(ExitCode.USAGE, TENANT + " and " + DPU + " do not go together");
    }
    VerifyIsolationRequest request =
        VerifyIsolationRequest.newBuilder().setScope(tenant.or(() -> dpu).orElse("")).build();
    List<IsolationProof> proofs = new ArrayList<>();
    int silent = 0;
    try {
      Iterator<VerifyIsolationResponse> answers =
          session.connection().stream(IsolationServiceGrpc.getVerifyIsolationMethod(), request);
      while (answers.hasNext()) {
        VerifyIsolationResponse answer = answers.next();
        progress(session, answer);
        if (answer.hasProof()) {
          proofs.add(answer.getProof());
        } else {
          silent++;
        }
      }
    } catch (StatusRuntimeException e) {
      throw session.connection().explained(e);
    }
    print(session, proofs);
    return exit(proofs, silent);
  }

  private static ExitCode exit(List<IsolationProof> proofs, int silent) {
    if (proofs.stream().anyMatch(proof -> ProofText.leaks(proof) > 0)) {
      return ExitCode.LEAK;
    }
    boolean whole = silent == 0 && proofs.stream().allMatch(IsolationProof::getComplete);
    return whole ? ExitCode.OK : ExitCode.UNAVAILABLE;
  }

  private static void progress(Session session, VerifyIsolationResponse answer) {
    String what =
        answer.hasProof() ? ProofText.leaks(answer.getProof()) + " leaks" : answer.getUnavailable();
    session
        .terminal()
        .err()
        .printf("%s: %s; %d to go%n", answer.getDpu(), what, answer.getRemainingCount());
  }

  private static void print(Session session, List<IsolationProof> proofs) {
    if (!isTable(session, proofs)) {
      return;
    }
    proofs.forEach(proof -> session.out().println(ProofText.summary(proof)));
    session.out().print("\n" + ProofText.matrix(proofs));
    for (IsolationProof proof : proofs) {
      proof
          .getFindingsList()
          .forEach(
              finding ->
                  session.out().print("\n" + proof.getDpu() + " " + ProofText.finding(finding)));
    }
  }

  /** Prints what is no table, and says whether one is still to be printed. */
  private static boolean isTable(Session session, List<IsolationProof> proofs) {
    switch (session.format()) {
      case JSON -> session.out().println(Messages.jsonArray(proofs));
      case YAML ->
          proofs.forEach(proof -> session.out().print(Messages.yaml("IsolationProof", proof)));
      case TABLE -> {
        return true;
      }
    }
    return session.format() == OutputFormat.TABLE;
  }

  private static ExitCode show(Arguments arguments, Session session) {
    Optional<String> dpu = arguments.parsed(DPU, ResourceKinds.DPU.form()::parse);
    if (dpu.isPresent()) {
      print(
          session,
          List.of(
              session.call(
                  IsolationServiceGrpc.getGetIsolationProofMethod(),
                  GetIsolationProofRequest.newBuilder().setName(dpu.get()).build())));
      return ExitCode.OK;
    }
    List<IsolationProof> proofs = new ArrayList<>();
    String token = "";
    do {
      ListIsolationProofsResponse page =
          session.call(
              IsolationServiceGrpc.getListIsolationProofsMethod(),
              ListIsolationProofsRequest.newBuilder().setPageToken(token).build());
      proofs.addAll(page.getProofsList());
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    if (isTable(session, proofs)) {
      for (IsolationProof proof : proofs) {
        session.out().println(ProofText.summary(proof));
        session
            .out()
            .println(
                "  leaks "
                    + ProofText.leaks(proof)
                    + ", findings "
                    + proof.getFindingsCount()
                    + ", evidence "
                    + proof.getEvidenceHash());
      }
    }
    return ExitCode.OK;
  }
}
