package io.gatehouse.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CommandHelpTest {
  private static String run(String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine command =
        new CommandLine(AgentMain.class, new PrivateFactory())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out));
    int status = command.execute(arguments);
    return status + "\n" + out;
  }

  /** Makes the command as its own main method does. */
  private static final class PrivateFactory implements CommandLine.IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      var constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "enroll", "status", "flows", "explain", "prove"})
  void everyCommandExplainsItself(String command) {
    assertThat(run("--help")).startsWith("0\n").contains("\n  " + command);
    assertThat(run(command, "--help"))
        .startsWith("0\n")
        .contains("Usage: gatehouse-agent " + command);
  }

  @Test
  void theSocketOfTheQuestionsIsTold() {
    assertThat(run("status", "--help")).contains("--socket").contains("GATEHOUSE_AGENT_SOCKET");
    assertThat(run("flows", "--help")).contains("--table");
    assertThat(run("explain", "--help")).contains("tenants/T/networks/N/ports/P");
  }

  @Test
  void aWrongCommandIsNamedAndFails() {
    assertThat(run("frobnicate")).startsWith("2\n").contains("frobnicate");
    assertThat(run("run")).startsWith("2\n").contains("--config");
  }
}
