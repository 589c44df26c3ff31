package io.gatehouse.control.journal;

import io.gatehouse.control.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresChainIT extends ChainContract {
  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  String newDatabase() {
    return server.newDatabase();
  }

  @Override
  String bytes(String hex) {
    return "'\\x" + hex + "'::bytea";
  }
}
