package io.gatehouse.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.gatehouse.control.journal.JournalConfig;
import io.gatehouse.control.journal.SqlJournal;
import io.gatehouse.control.limit.PeerLimits;
import io.gatehouse.control.pki.Authorities;
import io.gatehouse.control.pki.PkiConfig;
import io.gatehouse.control.testing.AnyCall;
import io.gatehouse.control.testing.Eventually;
import io.gatehouse.control.testing.PkiLab;
import io.gatehouse.control.testing.TestControlPlane;
import io.gatehouse.control.testing.TestIssuer;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.proto.v1.CreateEnrollmentTokenRequest;
import io.gatehouse.proto.v1.ListEnrollmentTokensRequest;
import io.gatehouse.proto.v1.ListTenantsRequest;
import io.gatehouse.proto.v1.TenantServiceGrpc;
import io.gatehouse.runtime.identity.HeldIdentity;
import io.gatehouse.runtime.identity.TokenText;
import io.gatehouse.runtime.tls.TlsFiles;
import io.gatehouse.runtime.tls.TlsPaths;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
  private static final String PASSWORD = "RECOGNISABLE-DATABASE-PASSWORD";
  private static final String PIN = "RECOGNISABLE-PIN";
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY-----([^-]*)-----END");

  @TempDir private Path directory = Path.of("");

  private final Recording logs = new Recording();
  private final List<String> answers = new ArrayList<>();
  private final List<String> secrets = new ArrayList<>(List.of(BEARER, PASSWORD));

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
    assertThat(answers).as("the test sees answers").hasSizeGreaterThan(4);
    nothingHolds(url);
  }

  /** Authorities, tokens, machines and bearers as they are in use; each is also refused once. */
  @Test
  void noSecretOfWhoIsInIsLeftAnywhere() throws Exception {
    TestIssuer issuer = new TestIssuer(directory);
    String url = "jdbc:sqlite:" + directory.resolve("journal.db");
    secrets.clear();
    try (PkiLab lab =
        new PkiLab(directory, Duration.ofDays(7), issuer.access(PeerLimits.DEFAULT))) {
      token(TokenText.parse(Files.readString(lab.adminTokenFile())));
      ManagedChannel admin = lab.admin();
      enrolments(lab, admin);
      bearers(lab, issuer);
      keysBelow(directory);
      Eventually.holds("refusals are written", () -> rows(url, "refusals").size() >= 3);
    }
    wrongPin();
    assertThat(secrets).as("tokens, machines, keys, bearers, PIN").hasSizeGreaterThan(20);
    assertThat(answers).as("the test sees answers").hasSizeGreaterThan(6);
    nothingHolds(url);
  }

  /** Used, used again, of another machine, and with a recovery that nobody asked for. */
  private void enrolments(PkiLab lab, ManagedChannel admin) throws IOException {
    TestControlPlane.createDpu(admin, "d1", "172.16.0.1");
    TokenText used = token(lab.token(admin, "dpus/d1"));
    HeldIdentity machine = lab.enrolled(used).held();
    ManagedChannel channel = lab.channel(machine);
    answer(() -> lab.enrolled(used));
    answer(() -> list(channel, ""));
    answer(
        () -> lab.controlPlane().enrollment().recover(machine, Instant.now(), PkiLab.LIMIT).name());
    CreateEnrollmentTokenRequest bound =
        CreateEnrollmentTokenRequest.newBuilder()
            .setIdentity("dpus/d1")
            .setMachineSerialNumber("SN1")
            .build();
    var created = lab.create(admin, bound);
    answers.add(created.getEnrollmentToken().toString());
    TokenText open = token(TokenText.parse(created.getToken()));
    answer(() -> lab.controlPlane().enrollment().enroll(open, "SN2", PkiLab.LIMIT));
    answers.add(
        lab.identities(admin)
            .listEnrollmentTokens(ListEnrollmentTokensRequest.getDefaultInstance())
            .toString());
    answers.add(open.toString());
    answers.add(machine.toString());
  }

  private void bearers(PkiLab lab, TestIssuer issuer) throws IOException {
    ManagedChannel open = lab.bearers();
    for (String bearer :
        List.of(
            issuer.token("fleet-admin"),
            issuer.token("nobody"),
            issuer.token("https://elsewhere.example", "fleet-admin", Duration.ofMinutes(5)),
            issuer.token(TestIssuer.NAME, "fleet-admin", Duration.ofMinutes(-5)))) {
      secrets.add(bearer);
      secrets.add(bearer.substring(bearer.lastIndexOf('.') + 1));
      answer(() -> list(bearing(open, bearer), ""));
    }
  }

  private TokenText token(TokenText token) {
    String secret = token.text().split("\\.", -1)[1];
    secrets.add(secret);
    secrets.add(new String(Base64.getUrlDecoder().decode(secret), StandardCharsets.ISO_8859_1));
    return token;
  }

  /** Of authorities, policy, control plane, operator and DPU, as text and as they are encoded. */
  private void keysBelow(Path folder) throws IOException {
    List<Path> found;
    try (Stream<Path> files = Files.walk(folder)) {
      found = files.filter(Files::isRegularFile).toList();
    }
    int before = secrets.size();
    for (Path file : found) {
      Matcher keys = PRIVATE_KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
      while (keys.find()) {
        String body = keys.group(1).strip();
        secrets.add(body.lines().findFirst().orElseThrow());
        secrets.add(new String(Base64.getMimeDecoder().decode(body), StandardCharsets.ISO_8859_1));
      }
    }
    assertThat(secrets.size() - before).as("keys on disk").isGreaterThanOrEqualTo(2 * 6);
  }

  private void wrongPin() throws IOException {
    Path pin = Files.writeString(directory.resolve("pin"), PIN);
    PkiConfig config =
        new PkiConfig(
            directory.resolve("module"),
            Duration.ofDays(7),
            List.of("x"),
            Optional.of(new PkiConfig.Pkcs11(directory.resolve("none.so"), 0, pin)));
    secrets.add(PIN);
    answers.add(config.toString());
    answers.add(
        ThrowableProxyUtil.asString(
            new ThrowableProxy(
                catchThrowable(() -> Authorities.open(config, TestPki.TRUST_DOMAIN)))));
  }

  private void nothingHolds(String url) {
    assertThat(logs.lines).as("the test sees the log").isNotEmpty();
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
    answer(() -> list(bearing(channel, BEARER), ""));
    answer(() -> list(channel, ""));
    answer(() -> list(channel, "password = " + "x".repeat(3)));
  }

  private static Channel bearing(ManagedChannel channel, String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
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
