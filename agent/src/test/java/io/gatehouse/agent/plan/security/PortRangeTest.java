package io.gatehouse.agent.plan.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PortRangeTest {
  private static final int LAST = 65_535;

  /** A range of 16 bits needs at most two blocks for each bit but the highest. */
  private static final int MOST_BLOCKS = 30;

  @Test
  void examples() {
    assertThat(PortRange.blocks(80, 80)).containsExactly(new PortRange.Block(80, 0xffff));
    assertThat(PortRange.blocks(0, LAST)).containsExactly(new PortRange.Block(0, 0));
    assertThat(PortRange.blocks(1, 6))
        .containsExactly(
            new PortRange.Block(1, 0xffff),
            new PortRange.Block(2, 0xfffe),
            new PortRange.Block(4, 0xfffe),
            new PortRange.Block(6, 0xffff));
    assertThat(PortRange.blocks(1, LAST - 1)).hasSize(MOST_BLOCKS);
  }

  @Test
  void everyRangeFromTheFirstAndToTheLastPort() {
    for (int port = 0; port <= LAST; port++) {
      check(0, port);
      check(port, LAST);
    }
  }

  @Test
  void everyRangeOfTheLowestPortsAndManyOthers() {
    for (int first = 0; first < 128; first++) {
      for (int last = first; last < 256; last++) {
        check(first, last);
      }
    }
    SplittableRandom random = new SplittableRandom(4);
    for (int round = 0; round < 20_000; round++) {
      int one = random.nextInt(LAST + 1);
      int other = random.nextInt(LAST + 1);
      check(Math.min(one, other), Math.max(one, other));
    }
  }

  /** Blocks are aligned, follow each other without gap, and no two neighbours could be one. */
  private static void check(int first, int last) {
    List<PortRange.Block> blocks = PortRange.blocks(first, last);
    int next = first;
    int sizeBefore = 0;
    boolean shrinks = false;
    for (PortRange.Block block : blocks) {
      int size = LAST + 1 - block.mask();
      boolean aligned = block.value() % size == 0 && Integer.bitCount(size) == 1;
      boolean merges = size == sizeBefore && (block.value() - size) % (2 * size) == 0;
      shrinks |= size < sizeBefore;
      boolean growsAgain = shrinks && size > sizeBefore;
      if (block.value() != next || !aligned || merges || growsAgain) {
        throw new AssertionError(first + ".." + last + " became " + blocks);
      }
      next += size;
      sizeBefore = size;
    }
    if (next != last + 1) {
      throw new AssertionError(first + ".." + last + " became " + blocks);
    }
  }
}
