package io.gatehouse.control.cli.session;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.config.ConfigException;
import io.gatehouse.runtime.config.ConfigProblem;
import io.gatehouse.runtime.tls.TlsFileException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.ArrayList;
import java.util.List;

/**
 * How an exception ends the command.
 *
 * @param lines what to say, one problem a line
 */
public record Failure(ExitCode code, List<String> lines) {

  /** The code and the lines for any exception; a bug is told by its class. */
  public static Failure of(Throwable thrown) {
    if (thrown instanceof CliException known) {
      return new Failure(known.code(), known.lines());
    }
    if (thrown instanceof StatusRuntimeException refused) {
      return new Failure(code(refused.getStatus().getCode()), lines(refused));
    }
    if (thrown instanceof ConfigException file) {
      return new Failure(
          ExitCode.REFUSED, file.problems().stream().map(ConfigProblem::toString).toList());
    }
    if (thrown instanceof InvalidValueException value) {
      return new Failure(ExitCode.REFUSED, List.of(value.field() + ": " + value.reason()));
    }
    if (thrown instanceof TlsFileException file) {
      return new Failure(ExitCode.USAGE, List.of(String.valueOf(file.getMessage())));
    }
    return new Failure(
        ExitCode.OTHER, List.of("internal error (--verbose shows where): " + thrown));
  }

  private static ExitCode code(Status.Code status) {
    return switch (status) {
      case NOT_FOUND -> ExitCode.NOT_FOUND;
      case INVALID_ARGUMENT,
          FAILED_PRECONDITION,
          ALREADY_EXISTS,
          ABORTED,
          OUT_OF_RANGE,
          RESOURCE_EXHAUSTED ->
          ExitCode.REFUSED;
      case PERMISSION_DENIED, UNAUTHENTICATED -> ExitCode.DENIED;
      case UNAVAILABLE -> ExitCode.UNAVAILABLE;
      case DEADLINE_EXCEEDED -> ExitCode.TIMEOUT;
      default -> ExitCode.OTHER;
    };
  }

  private static List<String> lines(StatusRuntimeException refused) {
    List<String> violations = violations(refused);
    if (!violations.isEmpty()) {
      return violations;
    }
    Status status = refused.getStatus();
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
      return List.of("no answer in time; --timeout gives it more");
    }
    String description = status.getDescription();
    return List.of(description == null ? status.getCode().name() : description);
  }

  private static List<String> violations(StatusRuntimeException refused) {
    com.google.rpc.Status status = StatusProto.fromThrowable(refused);
    List<String> lines = new ArrayList<>();
    if (status == null) {
      return lines;
    }
    for (Any detail : status.getDetailsList()) {
      if (detail.is(BadRequest.class)) {
        badRequest(detail)
            .getFieldViolationsList()
            .forEach(v -> lines.add(v.getField() + ": " + v.getDescription()));
      }
    }
    return lines;
  }

  private static BadRequest badRequest(Any detail) {
    try {
      return detail.unpack(BadRequest.class);
    } catch (InvalidProtocolBufferException e) {
      return BadRequest.getDefaultInstance();
    }
  }
}
