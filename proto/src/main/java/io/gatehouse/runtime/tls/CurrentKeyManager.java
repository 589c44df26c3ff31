package io.gatehouse.runtime.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Offers the key and certificate that the files hold at the time of the handshake. An alias stands
 * for one reading of the files, so that key and certificate belong together although the files may
 * change between the calls for them.
 */
final class CurrentKeyManager extends X509ExtendedKeyManager {
  private final TlsFiles files;
  private TlsMaterial latest;
  private TlsMaterial previous;

  CurrentKeyManager(TlsFiles files) {
    this.files = files;
    this.latest = files.current();
    this.previous = latest;
  }

  @Override
  public String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
    return choose();
  }

  @Override
  public String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return choose();
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return chosen(alias).chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return chosen(alias).key();
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {choose()};
  }

  @Override
  public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {choose()};
  }

  @Override
  public String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
    return choose();
  }

  @Override
  public String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
    return choose();
  }

  private synchronized String choose() {
    TlsMaterial now = files.current();
    if (!now.alias().equals(latest.alias())) {
      previous = latest;
      latest = now;
    }
    return latest.alias();
  }

  private synchronized TlsMaterial chosen(String alias) {
    return previous.alias().equals(alias) ? previous : latest;
  }
}
