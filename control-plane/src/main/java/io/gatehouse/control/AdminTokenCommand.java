package io.gatehouse.control;

import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.identity.AdminToken;
import io.gatehouse.control.identity.FirstStart;
import io.gatehouse.control.journal.JournalCorruptException;
import io.gatehouse.control.journal.JournalException;
import io.gatehouse.control.journal.SqlJournal;
import io.gatehouse.control.pki.Authorities;
import io.gatehouse.control.pki.PkiConfig;
import io.gatehouse.control.pki.PkiException;
import io.gatehouse.control.sequencer.JournalSequencer;
import io.gatehouse.control.sequencer.SequencerConfig;
import io.gatehouse.model.name.IdentityName;
import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.config.ConfigException;
import io.gatehouse.runtime.tls.TlsFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code admin-token}: a way back in for an operator of the fleet, for whoever has the control
 * plane's files. Writes the journal as a control plane does.
 */
@Command(
    name = "admin-token",
    description =
        "Writes a one-time token for an operator into admin.token of pki.directory. With SQLite,"
            + " stop the control plane before.",
    mixinStandardHelpOptions = true)
final class AdminTokenCommand implements Callable<Integer> {
  @CommandLine.Mixin private ControlPlaneMain.ConfigFile config = new ControlPlaneMain.ConfigFile();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "NAME",
      defaultValue = "admin",
      description = "The operator, of the fleet; admin if left out.")
  private String name = "admin";

  @Override
  public Integer call() {
    try {
      ControlPlaneConfig settings = config.read();
      PkiConfig pki = settings.pki().authorities();
      System.out.println(write(settings, pki, IdentityName.ofOperator(name)));
      return 0;
    } catch (ConfigException
        | TlsFileException
        | PkiException
        | InvalidValueException
        | RefusedException e) {
      System.err.println(e.getMessage());
      return ControlPlaneMain.EXIT_CONFIG;
    } catch (JournalException | JournalCorruptException | IOException e) {
      System.err.println("cannot write the token: " + e.getMessage());
      return ControlPlaneMain.EXIT_UNAVAILABLE;
    }
  }

  private static Path write(ControlPlaneConfig settings, PkiConfig pki, IdentityName operator)
      throws IOException {
    InstantSource clock = InstantSource.system();
    Authorities authorities = Authorities.open(pki, settings.trustDomain());
    try (SqlJournal journal = SqlJournal.open(settings.journal());
        JournalSequencer sequencer =
            new JournalSequencer(journal, journal.load(), SequencerConfig.DEFAULT)) {
      sequencer.start();
      FirstAdmin.ensure(sequencer, clock);
      FirstStart.run(sequencer, authorities, clock);
      return new AdminToken(pki.directory()).make(sequencer, operator, clock.instant());
    }
  }
}
