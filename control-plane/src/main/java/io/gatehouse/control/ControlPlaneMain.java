package io.gatehouse.control;

import io.gatehouse.control.journal.JournalCorruptException;
import io.gatehouse.control.journal.JournalException;
import io.gatehouse.control.pki.PkiException;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.BuildVersion;
import io.gatehouse.runtime.config.ConfigException;
import io.gatehouse.runtime.log.LogSetup;
import io.gatehouse.runtime.observe.ObserveEndpoint;
import io.gatehouse.runtime.observe.ReadinessCheck;
import io.gatehouse.runtime.tls.TlsFileException;
import io.gatehouse.runtime.tls.TlsFiles;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program {@code gatehouse-control-plane}. */
@Command(
    name = "gatehouse-control-plane",
    description = "Onboards tenants and keeps the DPUs of a fleet in step.",
    mixinStandardHelpOptions = true,
    versionProvider = ControlPlaneMain.Version.class,
    subcommands = {
      ControlPlaneMain.Run.class,
      ControlPlaneMain.CheckConfig.class,
      AdminTokenCommand.class
    })
public final class ControlPlaneMain implements Runnable {
  /** The settings cannot be used. */
  static final int EXIT_CONFIG = 78;

  /** The journal, an address or a file cannot be used now. */
  static final int EXIT_UNAVAILABLE = 69;

  /** A bug: the supervisor starts the program again. */
  static final int EXIT_BUG = 70;

  private static final Logger LOG = LoggerFactory.getLogger(ControlPlaneMain.class);

  /** Starts the program; see {@code --help}. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ControlPlaneMain()).execute(arguments));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.err);
  }

  /** The version that the build wrote down. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"gatehouse-control-plane " + BuildVersion.current()};
    }
  }

  /** Where the settings are. */
  static final class ConfigFile {
    @Option(
        names = {"-c", "--config"},
        paramLabel = "FILE",
        required = true,
        description = "Settings in YAML; docs/operations.md lists them.")
    private Path file = Path.of("");

    /** Reads the settings; problems go to standard error, one a line. */
    ControlPlaneConfig read() {
      return ControlPlaneConfig.read(file);
    }
  }

  /** {@code run}: until a signal comes. */
  @Command(name = "run", description = "Runs until SIGTERM.", mixinStandardHelpOptions = true)
  static final class Run implements Callable<Integer> {
    @CommandLine.Mixin private ConfigFile config = new ConfigFile();

    @Override
    public Integer call() throws InterruptedException {
      try {
        return serve(config.read());
      } catch (ConfigException | TlsFileException | PkiException | InvalidValueException e) {
        System.err.println(e.getMessage());
        return EXIT_CONFIG;
      } catch (JournalException | JournalCorruptException | IOException e) {
        LOG.error("cannot start: {}", e.getMessage());
        return EXIT_UNAVAILABLE;
      }
    }
  }

  /** {@code check-config}: says whether {@code run} could use the settings. */
  @Command(
      name = "check-config",
      description = "Reads the settings and the TLS files and reports every problem.",
      mixinStandardHelpOptions = true)
  static final class CheckConfig implements Callable<Integer> {
    @CommandLine.Mixin private ConfigFile config = new ConfigFile();

    @Override
    public Integer call() {
      try {
        config.read().tls().ifPresent(TlsFiles::open);
        System.out.println("ok");
        return 0;
      } catch (ConfigException | TlsFileException | InvalidValueException e) {
        System.err.println(e.getMessage());
        return EXIT_CONFIG;
      }
    }
  }

  private static int serve(ControlPlaneConfig config) throws IOException, InterruptedException {
    LogSetup.use(config.log().format(), config.log().level());
    Thread.setDefaultUncaughtExceptionHandler(ControlPlaneMain::crash);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    ControlPlane controlPlane = ControlPlane.create(registry, ControlPlaneMain::crash);
    List<ReadinessCheck> checks =
        List.of(
            new ReadinessCheck("journal", controlPlane::problem),
            new ReadinessCheck("tls", controlPlane::tlsProblem));
    try (Shutdown shutdown = Shutdown.install();
        ObserveEndpoint observe = ObserveEndpoint.start(config.observe(), registry, checks);
        controlPlane) {
      controlPlane.start(config);
      LOG.atInfo().addKeyValue("observe", observe.address()).log("metrics and health");
      shutdown.await();
      LOG.info("stopping");
    }
    return 0;
  }

  /** A thread of the core has a bug: to go on would be to guess. */
  private static void crash(Thread thread, Throwable bug) {
    LOG.atError()
        .setCause(bug)
        .addKeyValue("thread", thread.getName())
        .log("bug: the process ends");
    Runtime.getRuntime().halt(EXIT_BUG);
  }
}
