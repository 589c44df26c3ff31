package io.gatehouse.agent;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.identity.IdentityStore;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.BuildVersion;
import io.gatehouse.runtime.config.ConfigException;
import io.gatehouse.runtime.log.LogSetup;
import io.gatehouse.runtime.tls.TlsFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program {@code gatehouse-agent}. */
@Command(
    name = "gatehouse-agent",
    description =
        "Makes this DPU's Open vSwitch carry the tenants' networks, and reads back that it does.",
    subcommands = {
      AgentMain.Run.class,
      EnrollCommand.class,
      LocalCommands.Status.class,
      LocalCommands.Flows.class,
      LocalCommands.Explain.class,
      LocalCommands.Prove.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = AgentMain.VersionText.class)
public final class AgentMain implements Runnable {
  /**
   * Exit status after a bug: the supervisor restarts the agent, the data plane keeps forwarding.
   */
  private static final int EXIT_BUG = 70;

  private static final int EXIT_CONFIG = 78;
  private static final int EXIT_UNAVAILABLE = 69;

  private AgentMain() {}

  public static void main(String[] arguments) {
    int status = new CommandLine(new AgentMain()).execute(arguments);
    System.exit(status);
  }

  @Override
  public void run() {
    new CommandLine(this).usage(System.err);
  }

  /** Text of {@code --version}. */
  static final class VersionText implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"gatehouse-agent " + BuildVersion.current()};
    }
  }

  /** {@code gatehouse-agent run}. */
  @Command(
      name = "run",
      description = "Runs the agent until it is told to stop; the data plane stays as it is then.",
      mixinStandardHelpOptions = true)
  static final class Run implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger(AgentMain.class);

    @Option(
        names = "--config",
        required = true,
        paramLabel = "FILE",
        description = "Settings, YAML.")
    private Path config = Path.of("/etc/gatehouse/agent.yaml");

    @Override
    public Integer call() throws InterruptedException {
      AgentConfig settings;
      try {
        settings = AgentConfig.read(config);
      } catch (ConfigException e) {
        System.err.println("gatehouse-agent: " + e.getMessage());
        return EXIT_CONFIG;
      }
      LogSetup.use(settings.log().format(), settings.log().level());
      try {
        // With another DPU's certificate there is nothing to start.
        IdentityStore.check(settings.site().dpu(), settings.identity().directory());
      } catch (InvalidValueException e) {
        System.err.println("gatehouse-agent: " + e.getMessage());
        return EXIT_CONFIG;
      } catch (TlsFileException e) {
        // As without an identity: the policy on disk stays in force, and there are ways back.
        log.atWarn().addKeyValue("reason", e.getMessage()).log("the identity cannot be used");
      }
      Thread.setDefaultUncaughtExceptionHandler(AgentMain::crash);
      Thread main = Thread.currentThread();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(main), "shutdown"));
      try {
        Agent agent = Agent.start(settings);
        log.atInfo()
            .addKeyValue("dpu", settings.site().dpu())
            .addKeyValue("version", BuildVersion.current())
            .log("started");
        awaitInterrupt();
        agent.stop();
      } catch (TlsFileException | InvalidValueException e) {
        System.err.println("gatehouse-agent: " + e.getMessage());
        return EXIT_CONFIG;
      } catch (DeviceException | IOException e) {
        System.err.println("gatehouse-agent: " + e.getMessage());
        return EXIT_UNAVAILABLE;
      }
      return 0;
    }

    private static void awaitInterrupt() {
      try {
        Thread.currentThread().join();
      } catch (InterruptedException e) {
        log.info("stopping; the data plane stays as it is");
      }
    }

    private static void stop(Thread main) {
      main.interrupt();
      try {
        main.join(5_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void crash(Thread thread, Throwable bug) {
    Run.log.atError().setCause(bug).addKeyValue("thread", thread.getName()).log("bug; ending");
    Runtime.getRuntime().halt(EXIT_BUG);
  }
}
