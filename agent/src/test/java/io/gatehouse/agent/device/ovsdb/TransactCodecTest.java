package io.gatehouse.agent.device.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import io.gatehouse.agent.device.DeviceException.Kind;
import io.gatehouse.agent.device.ovsdb.Operation.Condition;
import io.gatehouse.agent.device.ovsdb.Operation.Mutation;
import io.gatehouse.model.net.InvalidValueException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransactCodecTest {
  private static final Uuid ROW = new Uuid(0, 10);
  private static final List<Operation> SELECT_AND_COMMENT =
      List.of(
          new Operation.Select("Bridge", List.of(), List.of("name")), new Operation.Comment("x"));

  @Test
  void writesEveryOperationOfTheRfc() {
    assertWritten(
        new Operation.Insert("Bridge", "br", Map.of("ports", Value.named("p"))),
        "{'op':'insert','table':'Bridge','uuid-name':'br','row':{'ports':['named-uuid','p']}}");
    assertWritten(
        new Operation.Insert("Bridge", Optional.empty(), Map.of("ports", Value.EMPTY_SET)),
        "{'op':'insert','table':'Bridge','row':{'ports':['set',[]]}}");
    assertWritten(
        new Operation.Select("Bridge", List.of(Condition.row(ROW)), List.of("name")),
        "{'op':'select','table':'Bridge','where':[['_uuid','==',['uuid','%s']]],'columns':['_uuid','name']}"
            .formatted(ROW));
    assertWritten(
        new Operation.Update("Bridge", List.of(), Map.of("name", Value.of("x"))),
        "{'op':'update','table':'Bridge','where':[],'row':{'name':'x'}}");
    assertWritten(
        new Operation.Mutate(
            "Bridge",
            List.of(),
            List.of(Mutation.delete("external_ids", Value.strings(List.of("a", "b"))))),
        "{'op':'mutate','table':'Bridge','where':[],'mutations':[['external_ids','delete',['set',['a','b']]]]}");
    assertWritten(
        new Operation.Delete("Bridge", List.of(Condition.is("name", Value.of("x")))),
        "{'op':'delete','table':'Bridge','where':[['name','==','x']]}");
    assertWritten(
        new Operation.Wait(
            "Bridge",
            List.of(),
            Operation.Until.NOT_EQUAL,
            List.of("stp_enable"),
            List.of(Map.of("stp_enable", Value.of(true)))),
        "{'op':'wait','table':'Bridge','where':[],'timeout':0,'until':'!=','columns':['stp_enable'],'rows':[{'stp_enable':true}]}");
    assertWritten(new Operation.Comment("x"), "{'op':'comment','comment':'x'}");
  }

  @Test
  void aUuidNameThatTheServerWouldNotTakeIsRefused() {
    assertThatThrownBy(() -> new Operation.Insert("Bridge", "a-b", Map.of()))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("uuid-name=a-b is not an identifier of letters, digits, _");
  }

  @Test
  void readsRows() throws DeviceException {
    TransactionResult result =
        read("[{'rows':[{'_uuid':['uuid','%s'],'name':'br'}]},{}]".formatted(ROW));
    assertThat(result.rows(0))
        .containsExactly(new Row("Bridge", ROW, Map.of("name", Value.of("br"))));
    assertThatThrownBy(() -> result.inserted(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void errorsAreRejectedWithTheirPlaceAndWithoutTheRequest() {
    assertFails(
        Kind.REJECTED,
        "[{'error':'e','details':'d','syntax':'psk=1'},null]",
        "operation 1 of 2 (select Bridge): e: d");
    assertFails(
        Kind.REJECTED,
        "[{'rows':[]},{},{'error':'constraint violation'}]",
        "commit: constraint violation");
    assertFails(Kind.REJECTED, "[{'error':'x\\ny'}]", "(select Bridge): x?y");
    assertFails(Kind.REJECTED, "[{'error':'%s'}]".formatted("x".repeat(10_000)), "x…");
  }

  @Test
  void anAnswerThatDoesNotFitIsAProtocolError() {
    assertFails(Kind.PROTOCOL, "{}", "does not fit");
    assertFails(Kind.PROTOCOL, "[]", "0 results of 2 operations");
    assertFails(Kind.PROTOCOL, "[{},{},{}]", "3 results of 2 operations");
    assertFails(Kind.PROTOCOL, "[{},{},{},{}]", "does not fit");
    assertFails(Kind.PROTOCOL, "[{},{}]", "no rows");
    assertFails(Kind.PROTOCOL, "[null,null]", "no rows");
    assertFails(Kind.PROTOCOL, "[{'rows':[{'name':'x'}]},{}]", "Bridge._uuid");
    assertFails(Kind.PROTOCOL, "[{'rows':[{'name':{}}]},{}]", "Bridge.name");
    Operation insert = new Operation.Insert("Bridge", Optional.empty(), Map.of());
    assertThatThrownBy(() -> TransactCodec.read(List.of(insert), Captured.quoted("[{}]")))
        .hasMessageContaining("Bridge.uuid");
    Operation delete = new Operation.Delete("Bridge", List.of());
    assertThatThrownBy(() -> TransactCodec.read(List.of(delete), Captured.quoted("[{}]")))
        .hasMessageContaining("no count in the result of delete Bridge");
  }

  private static void assertWritten(Operation operation, String expected) {
    assertThat(TransactCodec.write("Open_vSwitch", List.of(operation)))
        .isEqualTo(Captured.quoted("['Open_vSwitch'," + expected + "]"));
  }

  private static TransactionResult read(String result) throws DeviceException {
    return TransactCodec.read(SELECT_AND_COMMENT, Captured.quoted(result));
  }

  private static void assertFails(Kind kind, String result, String reason) {
    assertThatThrownBy(() -> read(result))
        .isInstanceOfSatisfying(DeviceException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageContaining(reason)
        .hasMessageNotContaining("psk");
  }
}
