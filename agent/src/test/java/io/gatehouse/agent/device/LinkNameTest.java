package io.gatehouse.agent.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gatehouse.model.net.InvalidValueException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkNameTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "pf0vf3", "eth0.100", "0a-b.c", "...", "abcdefghijklmno", "ü{\"}"})
  void takesWhatTheKernelTakes(String name) {
    assertThat(LinkName.checked(name)).isSameAs(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "/",
        "a:b",
        "a b",
        "a\tb",
        "a\nb",
        "a\0b",
        "abcdefghijklmnop",
        "üüüüüüüü"
      })
  void refusesWhatIsNoOnePathElement(String name) {
    assertThatThrownBy(() -> LinkName.checked(name))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("device=");
  }
}
