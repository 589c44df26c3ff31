package io.gatehouse.control.auth.oidc;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Gets an issuer's keys as JSON. Blocks for a few seconds at most. */
@FunctionalInterface
interface KeyFetch {
  int MAX_BYTES = 64 * 1024;

  String fetch() throws IOException;

  /** From a file. */
  static KeyFetch file(Path file) {
    return () -> {
      try (InputStream in = Files.newInputStream(file)) {
        return text(in, file);
      }
    };
  }

  /** By https; redirects are not followed: they could lead anywhere. */
  static KeyFetch https(URI url, SSLContext trust, Duration limit) {
    HttpClient client =
        HttpClient.newBuilder()
            .sslContext(trust)
            .connectTimeout(limit)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    HttpRequest request = HttpRequest.newBuilder(url).timeout(limit).GET().build();
    return () -> {
      try {
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        try (InputStream in = response.body()) {
          if (response.statusCode() != 200) {
            throw new IOException(url + " answers " + response.statusCode());
          }
          return withinLimit(in, url, limit);
        }
      } catch (HttpTimeoutException e) {
        throw tooLate(url, limit, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    };
  }

  /** The client's own limit ends with the headers; who stops after them must not be waited for. */
  private static String withinLimit(InputStream in, URI url, Duration limit) throws IOException {
    AtomicBoolean late = new AtomicBoolean();
    Executor later =
        CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS, Runnable::run);
    CompletableFuture<Void> end =
        CompletableFuture.runAsync(
            () -> {
              late.set(true);
              closeQuietly(in);
            },
            later);
    String text;
    try {
      text = text(in, url);
    } catch (IOException e) {
      throw late.get() ? tooLate(url, limit, e) : e;
    } finally {
      end.cancel(false);
    }
    if (late.get()) {
      throw tooLate(url, limit, null);
    }
    return text;
  }

  private static IOException tooLate(URI url, Duration limit, @Nullable IOException cause) {
    return new IOException(url + " does not end within " + limit.toSeconds() + " s", cause);
  }

  private static void closeQuietly(InputStream in) {
    try {
      in.close();
    } catch (IOException e) {
      // Whoever reads it is told that it was too late.
    }
  }

  private static String text(InputStream in, Object source) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new IOException(source + " has more than " + MAX_BYTES + " bytes");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
