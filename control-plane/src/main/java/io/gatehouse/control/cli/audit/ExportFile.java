package io.gatehouse.control.cli.audit;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.gatehouse.control.cli.output.Messages;
import io.gatehouse.control.cli.session.CliException;
import io.gatehouse.control.cli.session.ExitCode;
import io.gatehouse.control.cli.session.Session;
import io.gatehouse.proto.v1.AuditChain;
import io.gatehouse.proto.v1.AuditServiceGrpc;
import io.gatehouse.proto.v1.ChainVerdict;
import io.gatehouse.proto.v1.ExportAuditRequest;
import io.gatehouse.proto.v1.ExportAuditResponse;
import io.gatehouse.wire.AuditWire;
import io.grpc.StatusRuntimeException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A chain in a file: one row a line, as JSON. */
final class ExportFile {
  private static final int HASH_BYTES = 32;

  private ExportFile() {}

  /**
   * Writes a whole chain.
   *
   * @param file a new one; empty: to standard output
   */
  static void write(Session session, AuditChain chain, Optional<Path> file) {
    if (file.isEmpty()) {
      write(session, chain, session.out());
      return;
    }
    try {
      Files.createFile(
          file.get(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try (PrintStream out = new PrintStream(file.get().toFile(), StandardCharsets.UTF_8)) {
        write(session, chain, out);
        if (out.checkError()) {
          throw new IOException("not all of it could be written");
        }
      }
    } catch (IOException e) {
      throw new CliException(ExitCode.OTHER, file.get() + " cannot be written: " + e.getMessage());
    }
  }

  private static void write(Session session, AuditChain chain, PrintStream out) {
    ExportAuditRequest request = ExportAuditRequest.newBuilder().setChain(chain).build();
    try {
      Iterator<ExportAuditResponse> rows =
          session.connection().stream(AuditServiceGrpc.getExportAuditMethod(), request);
      while (rows.hasNext()) {
        out.println(Messages.jsonLine(rows.next()));
      }
    } catch (StatusRuntimeException e) {
      throw session.connection().explained(e);
    }
  }

  /** Checks a file by the rule of the contract, without the control plane. */
  static ChainVerdict verify(Path file) {
    long rows = 0;
    ByteString head = ByteString.copyFrom(new byte[HASH_BYTES]);
    AuditChain chain = AuditChain.AUDIT_CHAIN_UNSPECIFIED;
    String problem = "";
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine();
          line != null && problem.isEmpty();
          line = lines.readLine()) {
        ExportAuditResponse row = row(line);
        if (row != null && rows == 0) {
          chain = row.getEvent().getChain();
        }
        problem = row == null ? "is not a row" : problem(row, rows + 1, head, chain);
        if (row != null && problem.isEmpty()) {
          rows++;
          head = row.getHash();
        }
      }
    } catch (IOException e) {
      throw new CliException(ExitCode.OTHER, file + " cannot be read: " + e.getMessage());
    }
    return ChainVerdict.newBuilder()
        .setChain(chain)
        .setIntactRowCount(rows)
        .setHeadHash(head)
        .setProblem(problem.isEmpty() ? "" : "row " + (rows + 1) + ": " + problem)
        .build();
  }

  private static @Nullable ExportAuditResponse row(String line) {
    ExportAuditResponse.Builder row = ExportAuditResponse.newBuilder();
    try {
      JsonFormat.parser().merge(line, row);
      return row.build();
    } catch (InvalidProtocolBufferException e) {
      return null;
    }
  }

  /** What is wrong with a row; empty if nothing is. */
  private static String problem(
      ExportAuditResponse row, long expected, ByteString before, AuditChain chain) {
    if (row.getSequence() != expected) {
      return "is missing: row " + row.getSequence() + " stands in its place";
    }
    if (!row.getPreviousHash().equals(before)) {
      return "does not follow the row before: the chain of hashes is broken";
    }
    if (!row.getHash().equals(hash(row))) {
      return "was changed after it was written: its hash is another one";
    }
    boolean told =
        row.getEvent()
            .equals(AuditWire.event(chain, row.getSequence(), row.getHash(), row.getPayload()));
    return told ? "" : "does not say what its payload says";
  }

  private static ByteString hash(ExportAuditResponse row) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(row.getPreviousHash().toByteArray());
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, row.getSequence()));
      return ByteString.copyFrom(digest.digest(row.getPayload().toByteArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
