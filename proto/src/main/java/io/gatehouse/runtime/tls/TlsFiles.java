package io.gatehouse.runtime.tls;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One party's certificate, key and authorities. Contexts made here look at the files at every
 * handshake and use what is new; connections that exist keep what they have. If changed files
 * cannot be used, the last good ones stay in force and {@link #problem} says so. Thread-safe.
 */
public final class TlsFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
  private static final String PROTOCOL = "TLSv1.3";
  private static final String ATTRIBUTES = "unix:ino,ctime,size,lastModifiedTime";

  // A resumed session would skip the check of certificates, and so outlive what they say. Netty
  // gives
  // tickets by default and reads this property, when its classes are loaded, to learn otherwise;
  // the
  // caches are switched off for each context.
  static {
    System.setProperty("jdk.tls.server.enableSessionTicketExtension", "false");
  }

  private final TlsPaths paths;
  private TlsMaterial material;
  private List<Map<String, Object>> seen;
  private @Nullable String problem;
  private long readings;

  private TlsFiles(TlsPaths paths) {
    this.paths = paths;
    this.seen = look();
    this.material = TlsMaterial.load(paths, "reading-0");
  }

  /**
   * Reads the files.
   *
   * @throws TlsFileException if one of them cannot be used
   */
  public static TlsFiles open(TlsPaths paths) {
    return new TlsFiles(paths);
  }

  /** For channels: the server's certificate must come from the authorities and carry its name. */
  public SslContext clientContext() {
    SslContextBuilder builder =
        SslContextBuilder.forClient().keyManager(new CurrentKeyManager(this));
    return build(builder, PeerCheck.NONE);
  }

  /** For channels of those who have no certificate yet; the server is checked as given. */
  public static SslContext anonymousClientContext(X509ExtendedTrustManager servers) {
    return build(SslContextBuilder.forClient(), servers);
  }

  /** For servers: every client must show a certificate that comes from the authorities. */
  public SslContext serverContext() {
    return serverContext(PeerCheck.NONE);
  }

  /** As {@link #serverContext()}, and every client's certificate must pass one more check. */
  public SslContext serverContext(PeerCheck clients) {
    SslContextBuilder builder = SslContextBuilder.forServer(new CurrentKeyManager(this));
    return build(builder.clientAuth(ClientAuth.REQUIRE), clients);
  }

  /** For servers whose clients have no certificate yet: only the server shows one. */
  public SslContext openServerContext() {
    SslContextBuilder builder = SslContextBuilder.forServer(new CurrentKeyManager(this));
    return build(builder.clientAuth(ClientAuth.NONE), PeerCheck.NONE);
  }

  /** The own certificate, as the next handshake will show it. */
  public X509Certificate certificate() {
    return current().chain().get(0);
  }

  /** Why changed files are not in use; empty if they are. */
  public synchronized Optional<String> problem() {
    current();
    return Optional.ofNullable(problem);
  }

  synchronized TlsMaterial current() {
    List<Map<String, Object>> now = look();
    if (now.equals(seen)) {
      return material;
    }
    seen = now;
    try {
      material = TlsMaterial.load(paths, "reading-" + ++readings);
      problem = null;
      LOG.atInfo().addKeyValue("certificate", paths.certificate()).log("TLS files read again");
    } catch (TlsFileException e) {
      problem = e.getMessage();
      LOG.atWarn().addKeyValue("reason", problem).log("Changed TLS files refused, old ones kept");
    }
    return material;
  }

  private SslContext build(SslContextBuilder builder, PeerCheck clients) {
    return build(builder, new CurrentTrustManager(this, clients));
  }

  private static SslContext build(SslContextBuilder builder, X509ExtendedTrustManager peers) {
    try {
      SslContext context =
          GrpcSslContexts.configure(builder, SslProvider.OPENSSL)
              .trustManager(peers)
              .protocols(PROTOCOL)
              .build();
      forgetSessions(context);
      return context;
    } catch (SSLException e) {
      throw new IllegalStateException("TLS 1.3 with ALPN is not there", e);
    }
  }

  private static void forgetSessions(SslContext context) {
    if (!(context.sessionContext() instanceof OpenSslSessionContext sessions)) {
      throw new IllegalStateException("sessions cannot be switched off");
    }
    sessions.setSessionCacheEnabled(false);
  }

  /** Two looks are equal if no file was written or replaced between them. */
  private List<Map<String, Object>> look() {
    List<Map<String, Object>> looks = new ArrayList<>();
    for (Path file : List.of(paths.ca(), paths.certificate(), paths.key())) {
      try {
        looks.add(Files.readAttributes(file, ATTRIBUTES));
      } catch (IOException e) {
        looks.add(Map.of());
      }
    }
    return looks;
  }
}
