package io.gatehouse.agent.device.ovsdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One session's replica: reads the schema, monitors, and follows the updates. Lives on one event
 * loop; ends with its connection.
 *
 * <p>It asks with {@code monitor_cond_since} and the zero transaction id, so the first answer is
 * always everything: a standalone server keeps no history, and a full snapshot cannot miss a row. A
 * server that refuses is asked with {@code monitor_cond} (ovsdb-server(7)).
 */
final class MonitorSession implements JsonRpcSession.Events {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String MONITOR_ID = "gatehouse";

  private final OvsdbConfig config;
  private final Owner owner;
  private @Nullable JsonRpcSession rpc;
  private @Nullable DatabaseSchema schema;
  private @Nullable OvsdbSnapshot snapshot;

  /** Hears of the replica, on the event loop. */
  interface Owner {
    void synced(MonitorSession session, OvsdbSnapshot snapshot);

    void changed(MonitorSession session, OvsdbSnapshot snapshot);

    void ended(MonitorSession session, DeviceException cause);
  }

  MonitorSession(OvsdbConfig config, Owner owner) {
    this.config = config;
    this.owner = owner;
  }

  /** Calls the server, if the replica is there; else nothing is sent. */
  CompletableFuture<JsonNode> call(String method, byte[] params) {
    if (rpc == null || snapshot == null) {
      return CompletableFuture.failedFuture(
          new DeviceException(
              Kind.UNREACHABLE,
              config.address() + ": " + method + " was not sent, there is no session yet"));
    }
    return rpc.call(method, params);
  }

  @Override
  public void ready(JsonRpcSession session) {
    rpc = session;
    // Else the server hangs up whenever any database is added, removed or converted. One that does
    // not know the call has no such habit.
    var unused = session.call("set_db_change_aware", params(true));
    var unusedEnd =
        session
            .call("get_schema", params(config.database()))
            .thenCompose(this::monitor)
            .thenAccept(this::sync)
            .exceptionally(
                thrown -> {
                  session.drop(cause(thrown));
                  return null;
                });
  }

  @Override
  public void notified(String method, JsonNode params) throws DeviceException {
    if (!params.path(0).asText().equals(MONITOR_ID)) {
      return;
    }
    if (method.equals("monitor_canceled")) {
      throw new DeviceException(Kind.UNREACHABLE, "the database was converted or removed");
    }
    boolean known = method.equals("update2") || method.equals("update3");
    if (!known || schema == null || snapshot == null) {
      throw new DeviceException(Kind.PROTOCOL, "an unexpected " + method);
    }
    snapshot = TableUpdates.apply(snapshot, schema, params.path(params.size() - 1));
    owner.changed(this, snapshot);
  }

  @Override
  public void ended(DeviceException cause) {
    rpc = null;
    snapshot = null;
    owner.ended(this, cause);
  }

  private CompletableFuture<JsonNode> monitor(JsonNode answer) {
    JsonRpcSession session = rpc;
    if (session == null) {
      return CompletableFuture.failedFuture(new DeviceException(Kind.UNREACHABLE, "ended"));
    }
    try {
      schema = DatabaseSchema.read(answer, config.monitored());
    } catch (DeviceException e) {
      return CompletableFuture.failedFuture(e);
    }
    ArrayNode params = JSON.arrayNode().add(config.database()).add(MONITOR_ID).add(requests());
    byte[] plain = JsonRpcSession.encode(params);
    byte[] since = JsonRpcSession.encode(params.add(Uuid.ZERO.toString()));
    return session
        .call("monitor_cond_since", since)
        .thenApply(result -> result.path(2))
        .exceptionallyCompose(
            thrown ->
                cause(thrown).kind() == Kind.REJECTED
                    ? session.call("monitor_cond", plain)
                    : CompletableFuture.failedFuture(thrown));
  }

  private ObjectNode requests() {
    ObjectNode requests = JSON.objectNode();
    config
        .monitored()
        .forEach(
            (table, columns) -> {
              ArrayNode names = requests.putArray(table).addObject().putArray("columns");
              columns.stream().sorted().forEach(names::add);
            });
    return requests;
  }

  private void sync(JsonNode initial) {
    DatabaseSchema types = schema;
    if (rpc == null || types == null) {
      return;
    }
    try {
      snapshot = TableUpdates.apply(TableUpdates.nothing(types), types, initial);
    } catch (DeviceException e) {
      throw new CompletionException(e);
    }
    owner.synced(this, snapshot);
  }

  private DeviceException cause(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    if (cause instanceof DeviceException known) {
      return known;
    }
    return new DeviceException(Kind.PROTOCOL, config.address() + ": " + cause, cause);
  }

  private static byte[] params(Object only) {
    return JsonRpcSession.encode(JSON.arrayNode().addPOJO(only));
  }
}
