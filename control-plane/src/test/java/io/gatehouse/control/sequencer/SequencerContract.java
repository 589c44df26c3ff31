package io.gatehouse.control.sequencer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.control.World;
import io.gatehouse.control.decide.Command;
import io.gatehouse.control.decide.NetworkCommand.CreateNetwork;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.decide.Request;
import io.gatehouse.control.decide.TenantCommand.CreateTenant;
import io.gatehouse.control.decide.identity.IdentityCommand.Enroll;
import io.gatehouse.control.image.Image;
import io.gatehouse.control.image.ImageAssertions;
import io.gatehouse.control.journal.Journal;
import io.gatehouse.control.journal.JournalConfig;
import io.gatehouse.control.journal.SqlJournal;
import io.gatehouse.control.sequencer.FaultyJournal.Fault;
import io.gatehouse.control.testing.IdentityWorld;
import io.gatehouse.model.HostConfiguration;
import io.gatehouse.model.Network;
import io.gatehouse.model.TenantQuota;
import io.gatehouse.model.name.NetworkName;
import io.gatehouse.model.name.TenantName;
import io.gatehouse.model.net.Cidr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the sequencer does, on any engine. */
abstract class SequencerContract {
  static final long DEADLINE_SECONDS = 30;

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final World world = new World();
  private String url = "";

  /** JDBC URL of a new, empty database. */
  abstract String newDatabase();

  /** How often the sequencer looks for what others have appended. */
  abstract Duration pollInterval();

  @BeforeEach
  void makeDatabase() {
    url = newDatabase();
  }

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  @Test
  void listenersAreToldEveryChangeInOrder() throws Exception {
    JournalSequencer sequencer = start();
    await(sequencer.submit(tenant(0)));
    BlockingQueue<Committed> told = new LinkedBlockingQueue<>();
    Image from = sequencer.listen(told::add);
    assertThat(from.revision()).isEqualTo(1);
    List<CompletableFuture<Committed>> answers = new ArrayList<>();
    for (int i = 1; i <= 500; i++) {
      answers.add(sequencer.submit(tenant(i)));
    }
    for (CompletableFuture<Committed> answer : answers) {
      await(answer);
    }
    assertThat(told)
        .extracting(committed -> committed.entry().revision())
        .containsExactlyElementsOf(LongStream.rangeClosed(2, 501).boxed().toList());
    assertThat(told)
        .allSatisfy(
            committed -> {
              long revision = committed.entry().revision();
              assertThat(committed.before().revision()).isEqualTo(revision - 1);
              assertThat(committed.after().revision()).isEqualTo(revision);
            });
  }

  @Test
  void aRefusalChangesNothing() throws Exception {
    JournalSequencer sequencer = start();
    await(sequencer.submit(tenant(1)));
    assertThatThrownBy(() -> await(sequencer.submit(tenant(1))))
        .isInstanceOf(RefusedException.class);
    assertThat(sequencer.image().revision()).isEqualTo(1);
  }

  @Test
  void aRepeatGivesTheFirstResult() throws Exception {
    JournalSequencer sequencer = start();
    Committed first = await(sequencer.submit(tenant(1, world.request("id", "same"))));
    await(sequencer.submit(tenant(2)));
    Committed repeat = await(sequencer.submit(tenant(1, world.request("id", "same"))));
    assertThat(repeat.entry()).isEqualTo(first.entry());
    assertThat(sequencer.image().revision()).isEqualTo(2);
    Committed elsewhere = await(start().submit(tenant(1, world.request("id", "same"))));
    assertThat(elsewhere.entry()).isEqualTo(first.entry());
  }

  @Test
  void anIdOfAnotherRequestIsRefused() throws Exception {
    JournalSequencer sequencer = start();
    await(sequencer.submit(tenant(1, world.request("id", "one"))));
    assertThatThrownBy(() -> await(sequencer.submit(tenant(2, world.request("id", "two")))))
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.field()).isEqualTo("request_id"))
        .hasMessageContaining("was used for another request, about tenants/t1 at revision 1");
  }

  @Test
  void repeatsAtTheSameMomentAreOneChange() throws Exception {
    JournalSequencer sequencer = start();
    List<CompletableFuture<Committed>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(sequencer.submit(tenant(1, world.request("id", "same"))));
    }
    for (CompletableFuture<Committed> answer : answers) {
      assertThat(await(answer).entry().revision()).isEqualTo(1);
    }
    assertThat(sequencer.image().revision()).isEqualTo(1);
  }

  @Test
  void aChangeReachesTheOtherReplica() throws Exception {
    JournalSequencer one = start();
    JournalSequencer two = start();
    BlockingQueue<Committed> told = new LinkedBlockingQueue<>();
    two.listen(told::add);
    for (int i = 1; i <= 20; i++) {
      await(one.submit(tenant(i)));
      Committed seen = told.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertThat(seen).isNotNull();
      assertThat(seen.entry().revision()).isEqualTo(i);
    }
  }

  @Test
  void ofTwoReplicasOneTakesAToken() throws Exception {
    List<JournalSequencer> replicas = List.of(start(), start());
    IdentityWorld source = new IdentityWorld();
    for (Command command : source.commands()) {
      await(replicas.get(0).submit(command));
    }
    for (int i = 0; i < 20; i++) {
      String token = source.token("dpus/d1", "");
      await(replicas.get(0).submit(source.commands().get(source.commands().size() - 1)));
      List<CompletableFuture<Committed>> answers = new ArrayList<>();
      for (JournalSequencer replica : replicas) {
        awaitRevision(replica, replicas.get(0).image().revision());
        Enroll enroll = new Enroll(token, "", source.certificate("dpus/d1"), IdentityWorld.ENCODED);
        answers.add(replica.submit(new Command.OfIdentity(source.request(), enroll)));
      }
      int taken = 0;
      for (CompletableFuture<Committed> answer : answers) {
        taken += isAccepted(answer) ? 1 : 0;
      }
      assertThat(taken).isEqualTo(1);
    }
  }

  @Test
  void twoReplicasRaceAndStayOne() throws Exception {
    List<JournalSequencer> replicas = List.of(start(), start());
    await(replicas.get(0).submit(tenant(0)));
    List<CompletableFuture<Committed>> answers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      answers.add(replicas.get(i % 2).submit(network(i)));
      answers.add(replicas.get((i + 1) % 2).submit(network(i)));
    }
    int accepted = 0;
    for (CompletableFuture<Committed> answer : answers) {
      accepted += isAccepted(answer) ? 1 : 0;
    }
    assertThat(accepted).as("each name once").isEqualTo(200);
    for (JournalSequencer replica : replicas) {
      awaitRevision(replica, 201);
    }
    Image image = replicas.get(0).image();
    assertThat(image.networks().values()).extracting(Network::vni).doesNotHaveDuplicates();
    ImageAssertions.assertSame(replicas.get(1).image(), image, "the other replica");
    ImageAssertions.assertSame(open().load(), image, "a third one");
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE", "AFTER"})
  void aFailedAppendNeverLeavesTheImageAhead(Fault fault) throws Exception {
    SqlJournal behind = open();
    behind.load();
    FaultyJournal journal = new FaultyJournal(open(), behind);
    JournalSequencer sequencer = start(journal);
    await(sequencer.submit(tenant(1)));
    BlockingQueue<Committed> told = new LinkedBlockingQueue<>();
    sequencer.listen(told::add);

    journal.fail(fault);
    Request request = world.request("id", "same");
    assertThatThrownBy(() -> await(sequencer.submit(tenant(2, request))))
        .isInstanceOfSatisfying(
            UnavailableException.class,
            e -> assertThat(e.kind()).isEqualTo(UnavailableException.Kind.STORAGE));
    assertThat(sequencer.image().revision()).isEqualTo(1);
    assertThat(sequencer.health().available()).isFalse();

    journal.fail(Fault.NONE);
    Committed again = retry(sequencer, request);
    assertThat(again.entry().revision()).isEqualTo(2);
    assertThat(told).extracting(committed -> committed.entry().revision()).containsExactly(2L);
    assertThat(sequencer.health()).isEqualTo(new SequencerHealth(true, 2, ""));
    ImageAssertions.assertSame(open().load(), sequencer.image(), fault.name());
  }

  final Committed retry(JournalSequencer sequencer, Request request) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (true) {
      try {
        return await(sequencer.submit(tenant(2, request)));
      } catch (UnavailableException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  final SqlJournal open() {
    SqlJournal journal = SqlJournal.open(JournalConfig.of(url));
    opened.add(journal);
    return journal;
  }

  final JournalSequencer start() {
    return start(open());
  }

  private JournalSequencer start(Journal journal) {
    JournalSequencer sequencer =
        new JournalSequencer(
            journal, journal.load(), new SequencerConfig(1_000, 64, pollInterval()));
    opened.add(sequencer);
    sequencer.start();
    return sequencer;
  }

  final Command tenant(int number) {
    return tenant(number, world.request());
  }

  final Request request(String id, String content) {
    return world.request(id, content);
  }

  static Command tenant(int number, Request request) {
    return new CreateTenant(
        request, new TenantName("t" + number), "", new TenantQuota(4_096, 10, 100), false);
  }

  private Command network(int number) {
    Cidr cidr = Cidr.parse("10." + number + ".0.0/24");
    NetworkName name = new NetworkName(new TenantName("t0"), "n" + number);
    return new CreateNetwork(
        world.request(), name, "", Optional.empty(), List.of(cidr), 0, HostConfiguration.DEFAULT);
  }

  private static boolean isAccepted(CompletableFuture<Committed> answer) throws Exception {
    try {
      await(answer);
      return true;
    } catch (RefusedException e) {
      return false;
    }
  }

  static void awaitRevision(JournalSequencer sequencer, long revision) throws Exception {
    BlockingQueue<Committed> told = new LinkedBlockingQueue<>();
    long at = sequencer.listen(told::add).revision();
    while (at < revision) {
      Committed next = told.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertThat(next).as("revision " + revision).isNotNull();
      at = next.entry().revision();
    }
  }

  static Committed await(CompletableFuture<Committed> answer) throws Exception {
    try {
      return answer.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
