package io.gatehouse.runtime.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.InvalidValueException;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ObserveEndpointTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicReference<Optional<String>> ovsdb = new AtomicReference<>(Optional.empty());
  private final HttpClient client = HttpClient.newHttpClient();
  private ObserveEndpoint endpoint;

  @BeforeEach
  void start() throws IOException {
    endpoint =
        ObserveEndpoint.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            registry,
            List.of(
                new ReadinessCheck("ovsdb", ovsdb::get),
                new ReadinessCheck("policy", Optional::empty)));
  }

  @AfterEach
  void stop() {
    endpoint.close();
  }

  @Test
  void answersMetrics() throws Exception {
    registry.counter("gatehouse.things").increment();
    HttpResponse<String> answer = get("/metrics");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("gatehouse_things_total 1.0");
    assertThat(answer.headers().firstValue("content-type").orElse("")).startsWith("text/plain");
  }

  @Test
  void saysWhichCheckIsNotMet() throws Exception {
    assertThat(get("/readyz").body()).isEqualTo("ok\n");
    ovsdb.set(Optional.of("no connection to /run/db.sock for 3 s"));
    HttpResponse<String> answer = get("/readyz");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).isEqualTo("ovsdb: no connection to /run/db.sock for 3 s\n");
    assertThat(get("/livez").statusCode()).isEqualTo(200);
  }

  @Test
  void showsEachCheckAsAMetric() throws Exception {
    ovsdb.set(Optional.of("gone"));
    assertThat(get("/metrics").body())
        .contains("gatehouse_ready{check=\"ovsdb\"} 0.0")
        .contains("gatehouse_ready{check=\"policy\"} 1.0");
  }

  @Test
  void aCheckThatFailsIsNotReady() throws Exception {
    try (ObserveEndpoint broken =
        ObserveEndpoint.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            registry,
            List.of(
                new ReadinessCheck(
                    "bug",
                    () -> {
                      throw new IllegalStateException("boom");
                    })))) {
      HttpResponse<String> answer = send(broken, "GET", "/readyz");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("bug: the check itself failed").contains("boom");
    }
  }

  @Test
  void refusesOtherPathsMethodsAndAddresses() throws Exception {
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/metrics/x").statusCode()).isEqualTo(404);
    assertThat(send(endpoint, "POST", "/metrics").statusCode()).isEqualTo(405);
    assertThat(send(endpoint, "HEAD", "/livez").statusCode()).isEqualTo(200);
    assertThatThrownBy(
            () -> ObserveEndpoint.start(new InetSocketAddress("0.0.0.0", 0), registry, List.of()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("is not a loopback address");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(endpoint, "GET", path);
  }

  private HttpResponse<String> send(ObserveEndpoint to, String method, String path)
      throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + to.address().getPort() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
