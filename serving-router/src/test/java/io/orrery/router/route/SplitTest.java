package io.orrery.router.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of splits, over many of them. */
class SplitTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyTargetGetsItsPartWithinHalfAPoint(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int targets = 1 + random.nextInt(6);
    Split split = randomSplit(random, targets);
    int picks = 100_000;
    int[] byChance = new int[targets + 1];
    int[] byKey = new int[targets + 1];
    for (int i = 0; i < picks; i++) {
      byChance[split.pick(random.nextDouble())]++;
      byKey[split.pick("client-" + i)]++;
    }
    for (int target = 0; target <= targets; target++) {
      double part = split.part(target);
      assertThat((double) byChance[target] / picks).isCloseTo(part, within(0.005));
      assertThat((double) byKey[target] / picks).isCloseTo(part, within(0.005));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 50, 90})
  void raisingAWeightMovesOnlyTheKeysOfTheDifference(int percent) {
    Split before = table("o", "a:" + percent + "%");
    Split after = table("o", "a:" + (percent + 10) + "%");
    int keys = 50_000;
    int moved = 0;
    for (int i = 0; i < keys; i++) {
      int was = before.pick("user" + i);
      int is = after.pick("user" + i);
      if (was != is) {
        assertThat(was).isZero();
        assertThat(is).isEqualTo(1);
        moved++;
      }
    }
    assertThat((double) moved / keys).isCloseTo(0.1, within(0.005));
  }

  private static Split randomSplit(SplittableRandom random, int targets) {
    StringBuilder text = new StringBuilder();
    StringBuilder services = new StringBuilder();
    int left = 100;
    for (int i = 1; i <= targets; i++) {
      int percent = random.nextInt(left + 1);
      left -= percent;
      text.append(i == 1 ? "" : ",").append("t").append(i).append(':').append(percent).append('%');
      services.append("  - name: t").append(i).append('\n');
    }
    RouteTable table =
        RouteReader.read(
            "services:\n  - {name: o, split: \"" + text + "\"}\n" + services, "example.com");
    return table.split(table.services().getFirst());
  }

  private static Split table(String owner, String split) {
    RouteTable table =
        RouteReader.read(
            "services:\n  - {name: " + owner + ", split: \"" + split + "\"}\n  - name: a\n",
            "example.com");
    return table.split(table.services().getFirst());
  }
}
