package io.gatehouse.control.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gatehouse.control.RandomCommands;
import io.gatehouse.control.World;
import io.gatehouse.control.decide.RefusedException;
import io.gatehouse.control.image.Event.TenantDeleted;
import io.gatehouse.model.name.TenantName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageTest {
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void indexesGrowToWhatARecomputationGives(long seed) {
    World world = new World();
    RandomCommands commands = new RandomCommands(seed);
    for (int i = 0; i < 2_000; i++) {
      try {
        world.run(commands.next());
      } catch (RefusedException e) {
        continue;
      }
      Image grown = world.image();
      Image recomputed = Image.of(grown.state());
      ImageAssertions.assertSame(grown, recomputed, "seed " + seed + ", command " + i);
    }
  }

  @Test
  void entriesAreAppliedInOrder() {
    Entry second = entry(2, "");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Image.EMPTY.apply(second))
        .withMessage("revision 2 does not follow 0");
  }

  @Test
  void anEntryWithoutEventsIsNoEntry() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Entry(1, World.START, "a", "", RequestHash.NONE, "s", List.of()));
  }

  @Test
  void tenThousandRequestsAreRemembered() {
    Image image = Image.EMPTY;
    for (int revision = 1; revision <= RequestMemory.CAPACITY + 1; revision++) {
      image = image.apply(entry(revision, "id-" + revision));
    }
    assertThat(image.remembered("id-1")).isEmpty();
    assertThat(image.remembered("id-2")).isPresent();
    assertThat(image.state().requests()).hasSize(RequestMemory.CAPACITY);
  }

  @Test
  void aTenantsListingsEndWhereTheNextTenantsBegin() {
    World world = new World().dpu("dpus/a", "192.0.2.1", 1_500);
    int function = 0;
    for (String tenant : List.of("a", "aa", "a-a", "b")) {
      String name = "tenants/" + tenant;
      world.tenant(name).network(name + "/networks/z", "10.0.0.0/24");
      world.port(name + "/networks/z/ports/" + "z".repeat(40), "dpus/a", function++);
    }
    TenantName a = new TenantName("a");
    assertThat(world.image().networksOf(a).keySet())
        .extracting(Object::toString)
        .containsExactly("tenants/a/networks/z");
    assertThat(world.image().portsOf(a)).hasSize(1);
  }

  private static Entry entry(long revision, String requestId) {
    return new Entry(
        revision,
        World.START,
        "operators/test",
        requestId,
        RequestHash.NONE,
        "tenants/a",
        List.of(new TenantDeleted(new TenantName("a"))));
  }
}
