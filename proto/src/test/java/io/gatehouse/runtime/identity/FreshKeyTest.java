package io.gatehouse.runtime.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.runtime.tls.TestCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreshKeyTest {
  @TempDir Path directory;

  @Test
  void opensslAcceptsTheRequestAndFindsTheKeyInIt() throws Exception {
    TestCertificates openssl = new TestCertificates(directory);
    FreshKey key = FreshKey.make();
    Files.write(directory.resolve("request.der"), key.certificateRequest());
    openssl.openssl("req", "-inform", "DER", "-in", "request.der", "-verify", "-noout");
    openssl.openssl(
        "req", "-inform", "DER", "-in", "request.der", "-pubkey", "-noout", "-out", "public.pem");
    assertThat(Files.readString(directory.resolve("public.pem")))
        .isEqualTo(PemFiles.block("PUBLIC KEY", key.publicKey().getEncoded()));
  }

  @Test
  void eachKeyIsAnotherAndNoneShowsItself() {
    FreshKey key = FreshKey.make();
    assertThat(FreshKey.make().publicKey()).isNotEqualTo(key.publicKey());
    assertThat(key.toString()).isEqualTo("FreshKey[secp256r1]");
  }
}
