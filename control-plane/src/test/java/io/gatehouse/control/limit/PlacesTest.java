package io.gatehouse.control.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlacesTest {
  @Test
  void eachHasSoManyAndTakesNothingFromAnother() {
    Places places = new Places(2);
    assertThat(places.take("acme")).isTrue();
    assertThat(places.take("acme")).isTrue();
    assertThat(places.take("acme")).isFalse();
    assertThat(places.take("globex")).isTrue();
    places.giveBack("acme");
    assertThat(places.take("acme")).isTrue();
    assertThat(places.take("acme")).isFalse();
  }
}
