package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.gatehouse.control.journal.JournalConfig;
import io.gatehouse.control.journal.SqlJournal;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.EnrollRequest;
import io.gatehouse.proto.v1.EnrollmentServiceGrpc;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.runtime.tls.TlsPaths;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A scenario with secrets that are easy to recognise: none of them may be in a log, in an answer or
 * in a row of the database.
 */
class SecretsTest {
  private static final String BEARER = "eyJhbGciOiJFUzI1NiJ9.RECOGNISABLE-BEARER-TOKEN.c2ln";
  private static final String ENROLMENT = "RECOGNISABLE-ENROLMENT-TOKEN";
  private static final String PASSWORD = "RECOGNISABLE-DATABASE-PASSWORD";

  @TempDir private Path directory = Path.of("");

  private final Recording logs = new Recording();
  private final List<String> answers = new ArrayList<>();
  private final List<String> secrets = new ArrayList<>(List.of(BEARER, ENROLMENT, PASSWORD));

  /** Keeps all that is logged, at every level. */
  private static final class Recording extends AppenderBase<ILoggingEvent> {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent event) {
      StringBuilder line = new StringBuilder(event.getFormattedMessage());
      if (event.getKeyValuePairs() != null) {
        line.append(event.getKeyValuePairs());
      }
      if (event.getThrowableProxy() != null) {
        line.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
      }
      lines.add(line.toString());
    }
  }

  @BeforeEach
  void record() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    logs.setContext(context);
    logs.start();
    Logger own = context.getLogger("io.gatehouse");
    own.setLevel(Level.TRACE);
    context.getLogger("ROOT").addAppender(logs);
  }

  @AfterEach
  void forget() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.getLogger("ROOT").detachAppender(logs);
    context.getLogger("io.gatehouse").setLevel(null);
  }

  @Test
  void noSecretIsLeftAnywhere() throws Exception {
    TestPki pki = new TestPki(directory);
    TlsPaths own = pki.serverPaths();
    secrets.add(base64Of(Files.readString(own.key())));
    String url = "jdbc:sqlite:" + directory.resolve("journal.db");
    try (TestControlPlane controlPlane = TestControlPlane.start(url, TlsFiles.open(own))) {
      ManagedChannel stranger = controlPlane.channel(pki.operator("stranger"));
      calls(stranger);
      calls(controlPlane.channel(pki.operator("admin")));
      calls(controlPlane.channel(pki.dpu("d1")));
      Eventually.holds("refusals are written", () -> !rows(url, "refusals").isEmpty());
    }
    brokenKey(own);
    unreachableDatabase();
    assertThat(logs.lines).as("the test sees the log").isNotEmpty();
    assertThat(answers).as("the test sees answers").hasSizeGreaterThan(6);
    List<String> places = new ArrayList<>(logs.lines);
    places.addAll(answers);
    places.addAll(rows(url, "journal"));
    places.addAll(rows(url, "refusals"));
    for (String secret : secrets) {
      assertThat(places).noneMatch(place -> place.contains(secret));
    }
  }

  /** The test can fail: it finds a secret that is there. */
  @Test
  void aSecretThatIsLoggedIsSeen() {
    LoggerFactory.getLogger("io.gatehouse.test").info("token {}", BEARER);
    assertThat(logs.lines).anyMatch(line -> line.contains(BEARER));
  }

  private void calls(ManagedChannel channel) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + BEARER);
    Channel bearer =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    answer(() -> list(bearer, ""));
    answer(() -> list(channel, ""));
    answer(() -> list(channel, "password = " + "x".repeat(3)));
    answer(
        () ->
            EnrollmentServiceGrpc.newBlockingStub(channel)
                .enroll(EnrollRequest.newBuilder().setToken(ENROLMENT).build()));
  }

  private static void list(Channel channel, String filter) {
    Object unused =
        TenantServiceGrpc.newBlockingStub(channel)
            .listTenants(ListTenantsRequest.newBuilder().setFilter(filter).build());
  }

  private void answer(Runnable call) {
    Status status = AnyCall.status(call);
    answers.add(status.toString());
  }

  /** A key that does not fit its certificate is complained about without the key. */
  private void brokenKey(TlsPaths own) throws Exception {
    TlsPaths other = new TestPki(Files.createDirectory(directory.resolve("x"))).serverPaths();
    Throwable thrown =
        catchThrowable(() -> TlsFiles.open(new TlsPaths(own.ca(), other.certificate(), own.key())));
    answers.add(String.valueOf(thrown));
  }

  private void unreachableDatabase() {
    JournalConfig config =
        new JournalConfig(
            "jdbc:postgresql://127.0.0.1:1/gatehouse?password=" + PASSWORD,
            "gatehouse",
            PASSWORD,
            100,
            Duration.ofSeconds(1));
    answers.add(config.toString());
    try (SqlJournal journal = SqlJournal.open(config)) {
      answers.add(String.valueOf(catchThrowable(journal::load)));
    }
  }

  private static String base64Of(String pem) {
    return pem.lines().filter(line -> !line.startsWith("-----")).findFirst().orElseThrow();
  }

  private static List<String> rows(String url, String table) {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT payload FROM " + table)) {
      while (found.next()) {
        rows.add(new String(found.getBytes(1), StandardCharsets.ISO_8859_1));
      }
    } catch (java.sql.SQLException e) {
      throw new AssertionError(e);
    }
    return rows;
  }
}
