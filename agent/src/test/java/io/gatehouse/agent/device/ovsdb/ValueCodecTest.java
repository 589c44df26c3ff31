package io.gatehouse.agent.device.ovsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.agent.device.DeviceException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ValueCodecTest {

  @Test
  void whatIsWrittenIsReadBack() throws DeviceException {
    for (int seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Value value = value(random);
      byte[] wire = JsonRpcSession.encode(ValueCodec.write(value));
      String text = new String(wire, java.nio.charset.StandardCharsets.UTF_8);
      assertThat(ValueCodec.read("T", "c", Captured.json(text)))
          .as("seed %d: %s", seed, text)
          .isEqualTo(value);
    }
  }

  @Test
  void oneAtomIsTheSetOfOne() throws DeviceException {
    assertThat(read("['set',[7]]")).isEqualTo(read("7")).isEqualTo(Value.of(7));
    assertThat(read("'set'")).isEqualTo(Value.of("set"));
    assertThat(read("['map',[]]")).isEqualTo(Value.EMPTY_MAP).isNotEqualTo(read("['set',[]]"));
  }

  @Test
  void malformedValuesAreNamedAndNotShown() {
    for (String wrong :
        List.of(
            "null",
            "{}",
            "[]",
            "['set']",
            "['set',7]",
            "['set',[],[]]",
            "['set',[['set',[]]]]",
            "['set',['secret','secret']]",
            "['map',[['a']]]",
            "['map',[['a','b','secret']]]",
            "['map',[['a','b'],['a','secret']]]",
            "['map',{'a':'b'}]",
            "['uuid','x']",
            "['uuid',7]",
            "['named-uuid','a']",
            "99999999999999999999",
            "1e999")) {
      assertThatThrownBy(() -> read(wrong))
          .as(wrong)
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("Interface.options")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void uuidsKeepTheirText() {
    for (int seed = 0; seed < 1_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String text = new java.util.UUID(random.nextLong(), random.nextLong()).toString();
      assertThat(Uuid.parse(text).toString()).as("seed %d", seed).isEqualTo(text);
    }
    assertThat(Uuid.ZERO).hasToString("00000000-0000-0000-0000-000000000000");
    for (String wrong :
        List.of(
            "",
            "x",
            "0-0-0-0-0",
            "00000000-0000-0000-0000-00000000000g",
            "00000000-0000-0000-0000-0000000000000",
            "0000000000000000-0000-0000-00000000000")) {
      assertThatThrownBy(() -> Uuid.parse(wrong)).hasMessageContaining("8-4-4-4-12");
    }
  }

  private static Value read(String text) throws DeviceException {
    return ValueCodec.read("Interface", "options", Captured.quoted(text));
  }

  private static Value value(SplittableRandom random) {
    int size = random.nextInt(5);
    if (random.nextBoolean()) {
      List<Value.Atom> atoms = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        atoms.add(atom(random));
      }
      return Value.set(atoms);
    }
    Map<Value.Atom, Value.Atom> pairs = new HashMap<>();
    for (int i = 0; i < size; i++) {
      pairs.put(atom(random), atom(random));
    }
    return new Value.MapOf(pairs);
  }

  private static Value.Atom atom(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> new Value.Text(random.nextBoolean() ? "set" : "\"ü\\\u0000" + random.nextInt());
      case 1 -> new Value.Whole(random.nextLong());
      case 2 -> new Value.Real(random.nextDouble() + 0.1);
      case 3 -> new Value.Flag(random.nextBoolean());
      default -> new Uuid(random.nextLong(), random.nextLong());
    };
  }
}
