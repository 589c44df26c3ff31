package io.gatehouse.agent.plan.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.gatehouse.agent.fixture.Groups;
import io.gatehouse.model.name.SecurityGroupName;
import java.util.HashSet;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class StableNumbersTest {
  private static SortedSet<SecurityGroupName> names(int count) {
    SortedSet<SecurityGroupName> names = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      names.add(Groups.name("acme/g" + i));
    }
    return names;
  }

  @Test
  void aNumberDoesNotChangeWhenOthersCome() {
    SortedMap<SecurityGroupName, Long> few = StableNumbers.of(names(10), -1L);
    SortedMap<SecurityGroupName, Long> many = StableNumbers.of(names(1_000), -1L);
    few.forEach((name, number) -> assertThat(many).containsEntry(name, number));
  }

  @Test
  void twoGroupsNeverShareANumberThoughTheirHashesDo() {
    // 40 names in 64 places: many hashes are the same.
    SortedMap<SecurityGroupName, Long> numbers = StableNumbers.of(names(40), 0x3f);
    assertThat(new HashSet<>(numbers.values())).hasSize(40).doesNotContain(0L);
    assertThat(StableNumbers.of(names(40), 0x3f)).isEqualTo(numbers);
  }
}
