package io.gatehouse.agent.device.ovsdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON of {@code transact} (RFC 7047 §4.1.3 and §5.2). Pure. */
final class TransactCodec {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private TransactCodec() {}

  /** The params of the request. */
  static ArrayNode write(String database, List<Operation> operations) {
    ArrayNode params = JSON.arrayNode().add(database);
    operations.forEach(operation -> params.add(write(operation)));
    return params;
  }

  /**
   * The outcomes, or {@link Kind#REJECTED} if an operation or the commit failed: then nothing was
   * changed. A failed commit is one element more than there were operations.
   */
  static TransactionResult read(List<Operation> operations, JsonNode result)
      throws DeviceException {
    if (!result.isArray() || result.size() > operations.size() + 1) {
      throw new DeviceException(Kind.PROTOCOL, "transact: the result does not fit the request");
    }
    for (int i = 0; i < result.size(); i++) {
      if (result.get(i).has("error")) {
        throw rejected(operations, i, result.get(i));
      }
    }
    if (result.size() != operations.size()) {
      throw new DeviceException(
          Kind.PROTOCOL,
          "transact: " + result.size() + " results of " + operations.size() + " operations");
    }
    List<TransactionResult.Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      outcomes.add(outcome(operations.get(i), result.get(i)));
    }
    return new TransactionResult(outcomes);
  }

  private static DeviceException rejected(List<Operation> operations, int index, JsonNode error) {
    String place = "commit";
    if (index < operations.size()) {
      place = "operation " + (index + 1) + " of " + operations.size();
      place += " (" + describe(operations.get(index)) + ")";
    }
    return new DeviceException(
        Kind.REJECTED, "transact: " + place + ": " + JsonRpcSession.reason(error));
  }

  private static String describe(Operation operation) {
    ObjectNode node = write(operation);
    String op = node.path("op").asText();
    return node.has("table") ? op + " " + node.path("table").asText() : op;
  }

  private static TransactionResult.Outcome outcome(Operation operation, JsonNode node)
      throws DeviceException {
    if (operation instanceof Operation.Insert insert) {
      Value value = ValueCodec.read(insert.table(), "uuid", node.path("uuid"));
      return new TransactionResult.Inserted(
          new Row(insert.table(), Uuid.ZERO, Map.of("uuid", value)).uuid("uuid"));
    }
    if (operation instanceof Operation.Select select) {
      return new TransactionResult.Selected(readRows(select.table(), node.path("rows")));
    }
    if (operation instanceof Operation.Wait || operation instanceof Operation.Comment) {
      return new TransactionResult.Done();
    }
    JsonNode count = node.path("count");
    if (!count.isIntegralNumber() || !count.canConvertToLong()) {
      throw new DeviceException(
          Kind.PROTOCOL, "transact: no count in the result of " + describe(operation));
    }
    return new TransactionResult.Counted(count.longValue());
  }

  private static List<Row> readRows(String table, JsonNode rows) throws DeviceException {
    if (!rows.isArray()) {
      throw new DeviceException(
          Kind.PROTOCOL, "transact: no rows in the result of select " + table);
    }
    List<Row> read = new ArrayList<>();
    for (JsonNode row : rows) {
      Map<String, Value> columns = new LinkedHashMap<>();
      for (Iterator<String> names = row.fieldNames(); names.hasNext(); ) {
        String column = names.next();
        columns.put(column, ValueCodec.read(table, column, row.get(column)));
      }
      Uuid uuid = new Row(table, Uuid.ZERO, columns).uuid("_uuid");
      columns.remove("_uuid");
      read.add(new Row(table, uuid, columns));
    }
    return read;
  }

  private static ObjectNode write(Operation operation) {
    if (operation instanceof Operation.Insert insert) {
      ObjectNode node = op("insert").put("table", insert.table());
      insert.uuidName().ifPresent(name -> node.put("uuid-name", name));
      return node.set("row", ValueCodec.writeRow(insert.row()));
    }
    if (operation instanceof Operation.Select select) {
      ArrayNode columns = JSON.arrayNode().add("_uuid");
      select.columns().stream().filter(name -> !name.equals("_uuid")).forEach(columns::add);
      return matching("select", select.table(), select.where()).set("columns", columns);
    }
    if (operation instanceof Operation.Update update) {
      return matching("update", update.table(), update.where())
          .set("row", ValueCodec.writeRow(update.row()));
    }
    if (operation instanceof Operation.Mutate mutate) {
      return matching("mutate", mutate.table(), mutate.where())
          .set("mutations", mutations(mutate.mutations()));
    }
    if (operation instanceof Operation.Delete delete) {
      return matching("delete", delete.table(), delete.where());
    }
    if (operation instanceof Operation.Wait wait) {
      return write(wait);
    }
    return op("comment").put("comment", ((Operation.Comment) operation).text());
  }

  private static ObjectNode write(Operation.Wait wait) {
    ObjectNode node = matching("wait", wait.table(), wait.where()).put("timeout", 0);
    node.put("until", wait.until().wire);
    ArrayNode columns = node.putArray("columns");
    wait.columns().forEach(columns::add);
    ArrayNode rows = node.putArray("rows");
    wait.rows().forEach(row -> rows.add(ValueCodec.writeRow(row)));
    return node;
  }

  private static ObjectNode op(String name) {
    return JSON.objectNode().put("op", name);
  }

  private static ObjectNode matching(String op, String table, List<Operation.Condition> where) {
    ObjectNode node = op(op).put("table", table);
    ArrayNode conditions = node.putArray("where");
    for (Operation.Condition condition : where) {
      conditions
          .addArray()
          .add(condition.column())
          .add(condition.comparison().wire)
          .add(ValueCodec.write(condition.value()));
    }
    return node;
  }

  private static ArrayNode mutations(List<Operation.Mutation> mutations) {
    ArrayNode nodes = JSON.arrayNode();
    for (Operation.Mutation mutation : mutations) {
      nodes
          .addArray()
          .add(mutation.column())
          .add(mutation.mutator().wire)
          .add(ValueCodec.write(mutation.value()));
    }
    return nodes;
  }
}
