package io.gatehouse.control.auth.oidc;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of one issuer. A token of an unknown key makes them be fetched again, at most
 * once in a while, whatever is sent. One caller at a time waits for that, the others go on with
 * what is there. Keys that cannot be fetched anew are used for a day, then none is.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {
  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
  private static final Duration OLDEST = Duration.ofDays(1);
  private static final int MAX_KEYS = 64;
  private static final int MIN_RSA_BITS = 2_048;

  /**
   * How often keys are fetched.
   *
   * @param fresh age up to which they are used without another look
   * @param pause between two fetches
   */
  record Pace(Duration fresh, Duration pause) {
    static final Pace OF_FILE = new Pace(Duration.ofSeconds(5), Duration.ofSeconds(1));
    static final Pace OF_URL = new Pace(Duration.ofMinutes(5), Duration.ofSeconds(30));
  }

  private record Fetched(JWKSet keys, Instant at) {}

  private final String issuer;
  private final KeyFetch fetch;
  private final Pace pace;
  private final InstantSource clock;
  private final ReentrantLock fetching = new ReentrantLock();
  private volatile @Nullable Fetched fetched;
  private volatile Instant lastTry = Instant.MIN;

  IssuerKeys(String issuer, KeyFetch fetch, Pace pace, InstantSource clock) {
    this.issuer = issuer;
    this.fetch = fetch;
    this.pace = pace;
    this.clock = clock;
  }

  @Override
  public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) {
    if (!isYounger(pace.fresh())) {
      fetch();
    }
    List<JWK> found = select(selector);
    if (found.isEmpty()) {
      fetch();
      return select(selector);
    }
    return found;
  }

  private List<JWK> select(JWKSelector selector) {
    Fetched now = fetched;
    return now == null || !isYounger(OLDEST)
        ? List.of()
        : selector.select(now.keys()).stream().filter(IssuerKeys::isStrong).toList();
  }

  private boolean isYounger(Duration age) {
    Fetched now = fetched;
    return now != null && now.at().plus(age).isAfter(clock.instant());
  }

  private void fetch() {
    if (!fetching.tryLock()) {
      return;
    }
    try {
      Instant now = clock.instant();
      if (lastTry.isAfter(now.minus(pace.pause()))) {
        return;
      }
      lastTry = now;
      JWKSet keys = JWKSet.parse(fetch.fetch());
      if (keys.getKeys().size() > MAX_KEYS) {
        throw new IOException("there are more than " + MAX_KEYS + " keys");
      }
      fetched = new Fetched(keys, now);
    } catch (IOException | ParseException e) {
      LOG.warn("keys of {} cannot be read, the last good ones stay: {}", issuer, e.getMessage());
    } finally {
      fetching.unlock();
    }
  }

  private static boolean isStrong(JWK key) {
    return !(key instanceof RSAKey rsa) || rsa.size() >= MIN_RSA_BITS;
  }
}
