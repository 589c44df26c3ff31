package io.gatehouse.runtime.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.InvalidValueException;
import io.gatehouse.runtime.tls.PemFiles;
import io.gatehouse.runtime.tls.TestCertificates;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTextTest {
  private static final String SECRET = "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U";

  @TempDir Path directory;

  @Test
  void carriesTheSecretAndTheFingerprintOfItsRootOnly() throws Exception {
    TestCertificates certificates = new TestCertificates(directory);
    certificates.authority("ca");
    certificates.authority("other");
    byte[] secret = new byte[TokenText.PART_BYTES];
    Arrays.fill(secret, (byte) 7);
    TokenText token = TokenText.of(secret, root("ca"));
    TokenText read = TokenText.parse(" " + token.text() + "\n");
    assertThat(read.secretHash()).isEqualTo(MessageDigest.getInstance("SHA-256").digest(secret));
    assertThat(read.pins(root("ca"))).isTrue();
    assertThat(read.pins(root("other"))).isFalse();
    assertThat(token.toString()).isEqualTo("TokenText[hidden]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gh1." + SECRET,
        "gh2." + SECRET + "." + SECRET,
        "gh1." + SECRET + "." + SECRET + "A",
        "gh1." + SECRET + "." + SECRET + ".x",
        "gh1." + SECRET + "=." + SECRET
      })
  void refusesAnythingElseWithoutRepeatingIt(String text) {
    assertThatThrownBy(() -> TokenText.parse(text))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("is not a token as it was printed")
        .hasMessageNotContaining(SECRET);
  }

  private X509Certificate root(String name) {
    return PemFiles.certificates(directory.resolve(name + ".pem")).get(0);
  }
}
