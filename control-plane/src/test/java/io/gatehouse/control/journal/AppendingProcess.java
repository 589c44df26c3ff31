package io.gatehouse.control.journal;

import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.TenantCommand.CreateTenant;
import io.gatehouse.control.sequencer.Committed;
import io.gatehouse.control.sequencer.JournalSequencer;
import io.gatehouse.control.sequencer.SequencerConfig;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.TenantName;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * A program that makes changes for ever and prints the revision and subject of each one that was
 * answered. Arguments: JDBC URL, prefix of the tenants' names.
 */
final class AppendingProcess {
  private static final int IN_FLIGHT = 20;

  private AppendingProcess() {}

  public static void main(String[] arguments) throws Exception {
    SqlJournal journal = SqlJournal.open(JournalConfig.of(arguments[0]).withSnapshotEvery(50));
    JournalSequencer sequencer =
        new JournalSequencer(journal, journal.load(), SequencerConfig.DEFAULT);
    sequencer.start();
    Queue<CompletableFuture<Committed>> inFlight = new ArrayDeque<>();
    for (int i = 0; ; i++) {
      inFlight.add(sequencer.submit(tenant(arguments[1] + i)));
      if (inFlight.size() == IN_FLIGHT) {
        Committed committed = inFlight.remove().get();
        System.out.println(committed.entry().revision() + " " + committed.entry().subject());
        System.out.flush();
      }
    }
  }

  private static CreateTenant tenant(String id) {
    Request request = Request.internal("operators/test", Instant.now());
    return new CreateTenant(request, new TenantName(id), "", TenantQuota.DEFAULT, false);
  }
}
