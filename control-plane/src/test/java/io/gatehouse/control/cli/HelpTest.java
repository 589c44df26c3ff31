package io.gatehouse.control.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.control.cli.session.ExitCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

class HelpTest {
  @Test
  void everyCommandOptionAndArgumentIsExplained() {
    List<CommandSpec> commands = new ArrayList<>();
    collect(GatehouseCli.root(), commands);
    assertThat(commands).hasSizeGreaterThan(30);
    for (CommandSpec command : commands) {
      String name = command.qualifiedName();
      assertThat(command.usageMessage().description()).as(name).isNotEmpty();
      assertThat(command.usageMessage().description()[0]).as(name).isNotBlank();
      command
          .options()
          .forEach(o -> assertThat(o.description()[0]).as(name + o.longestName()).isNotBlank());
      command
          .positionalParameters()
          .forEach(p -> assertThat(p.description()[0]).as(name + p.paramLabel()).isNotBlank());
      String usage = new CommandLine(command).getUsageMessage(Ansi.OFF);
      assertThat(usage).as(name).contains("Usage: gatehouse").contains("--context");
      assertThat(usage.lines()).as(name).allMatch(line -> line.length() <= 100);
    }
  }

  @Test
  void theRootTellsTheExitCodes() {
    String usage = new CommandLine(GatehouseCli.root()).getUsageMessage(Ansi.OFF);
    for (ExitCode code : ExitCode.values()) {
      assertThat(usage).contains("  " + code.number() + "  " + code.meaning());
    }
    assertThat(usage).contains("~/.config/gatehouse/context.yaml", "GATEHOUSE_CONTEXT");
  }

  private static void collect(CommandSpec command, List<CommandSpec> commands) {
    commands.add(command);
    command.subcommands().values().forEach(sub -> collect(sub.getCommandSpec(), commands));
  }
}
