package io.gatehouse.agent.device.ovsdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A throw-away CA with a server's and a client's certificate, PEM files made by openssl. */
record TestCertificates(Path directory) {

  static TestCertificates make(Path directory) {
    TestCertificates made = new TestCertificates(directory);
    made.openssl(
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test-ca -keyout ca.key -out ca.pem");
    made.issue("server", "subjectAltName=IP:127.0.0.1");
    made.issue("client", "subjectAltName=URI:spiffe://test/dpu/1");
    return made;
  }

  Path authority() {
    return directory.resolve("ca.pem");
  }

  Path serverKey() {
    return directory.resolve("server.key");
  }

  Path serverCertificate() {
    return directory.resolve("server.pem");
  }

  Path clientKey() {
    return directory.resolve("client.key");
  }

  Path clientCertificate() {
    return directory.resolve("client.pem");
  }

  private void issue(String name, String extension) {
    try {
      Files.writeString(directory.resolve(name + ".ext"), extension);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    openssl(
        "req -newkey rsa:2048 -nodes -subj /CN=%s -keyout %s.key -out %s.csr"
            .formatted(name, name, name));
    openssl(
        "x509 -req -in %s.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile %s.ext -out %s.pem"
            .formatted(name, name, name));
  }

  /** The words are constants of this class; files are inside the directory. */
  private void openssl(String words) {
    List<String> command =
        List.of(("openssl " + words).split(" ")).stream()
            .map(
                word -> word.matches("(ca|server|client)\\.[a-z]+") ? directory + "/" + word : word)
            .toList();
    OvsdbServerProcess.run(command);
  }
}
