package io.gatehouse.control.auth.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.gatehouse.control.testing.TestPki;
import io.gatehouse.runtime.tls.TlsPaths;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys from a file, and from a real https server. */
class KeyFetchTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final char[] NO_PASSWORD = new char[0];

  @TempDir private Path directory = Path.of("");
  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpsServer server;
  private SSLContext tls;

  @BeforeEach
  void start() throws Exception {
    tls = context(new TestPki(directory).serverPaths());
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.setExecutor(threads);
    server.createContext("/keys", exchange -> answer(exchange, 200, "{\"keys\":[]}"));
    server.createContext("/large", exchange -> answer(exchange, 200, "x".repeat(65_537)));
    server.createContext("/absent", exchange -> answer(exchange, 404, "no"));
    server.createContext(
        "/moved",
        exchange -> {
          exchange.getResponseHeaders().add("Location", url("/keys").toString());
          answer(exchange, 302, "");
        });
    server.createContext("/stuck", exchange -> stall());
    server.createContext(
        "/endless",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          stall();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void keysAreFetched() throws IOException {
    assertThat(KeyFetch.https(url("/keys"), tls, LIMIT).fetch()).isEqualTo("{\"keys\":[]}");
  }

  @Test
  void whatIsNotTheKeysIsRefused() {
    refused("/large", tls, "more than 65536 bytes");
    refused("/absent", tls, "answers 404");
    refused("/moved", tls, "answers 302");
  }

  @Test
  void aServerOfAnotherAuthorityIsRefused() throws Exception {
    Path other = Files.createDirectory(directory.resolve("other"));
    refused("/keys", context(new TestPki(other).serverPaths()), "");
  }

  /** Where it stops, before its headers or behind them, the reason is the same. */
  @ParameterizedTest
  @ValueSource(strings = {"/stuck", "/endless"})
  void aServerThatStopsIsLeft(String path) {
    assertThatThrownBy(() -> KeyFetch.https(url(path), tls, Duration.ofSeconds(1)).fetch())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not end within 1 s");
  }

  @Test
  void aFileIsBoundedToo() throws IOException {
    Path file = Files.writeString(directory.resolve("keys.json"), "{}");
    assertThat(KeyFetch.file(file).fetch()).isEqualTo("{}");
    Files.writeString(file, "x".repeat(65_537));
    assertThatThrownBy(() -> KeyFetch.file(file).fetch())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 65536 bytes");
    assertThatThrownBy(() -> KeyFetch.file(directory.resolve("absent")).fetch())
        .isInstanceOf(IOException.class);
  }

  private void refused(String path, SSLContext trust, String reason) {
    assertThatThrownBy(() -> KeyFetch.https(url(path), trust, LIMIT).fetch())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(reason);
  }

  private URI url(String path) {
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  private static void answer(HttpExchange exchange, int code, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void stall() {
    try {
      assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Shows the certificate, and trusts its authority. */
  private static SSLContext context(TlsPaths paths) throws Exception {
    KeyStore own = KeyStore.getInstance(KeyStore.getDefaultType());
    own.load(null, null);
    Certificate[] chain = {certificate(paths.certificate())};
    own.setKeyEntry("own", key(paths.key()), NO_PASSWORD, chain);
    own.setCertificateEntry("ca", certificate(paths.ca()));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, NO_PASSWORD);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(own);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static Certificate certificate(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static PrivateKey key(Path file) throws Exception {
    String base64 = Files.readString(file).replaceAll("-----[A-Z ]+-----|\\s", "");
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
  }
}
