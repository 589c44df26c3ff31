package io.gatehouse.control.cli.session;

import java.util.List;

/** The command ends here, with a code and lines that say why. */
public final class CliException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode code;
  private final transient List<String> lines;

  public CliException(ExitCode code, String line) {
    this(code, List.of(line));
  }

  public CliException(ExitCode code, List<String> lines) {
    super(String.join("\n", lines));
    this.code = code;
    this.lines = List.copyOf(lines);
  }

  CliException(ExitCode code, String line, Throwable cause) {
    this(code, List.of(line), cause);
  }

  public CliException(ExitCode code, List<String> lines, Throwable cause) {
    super(String.join("\n", lines), cause);
    this.code = code;
    this.lines = List.copyOf(lines);
  }

  public ExitCode code() {
    return code;
  }

  public List<String> lines() {
    return lines;
  }
}
