package io.orrery.metrics.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PointOrdinalsTest {
  @Test
  void countingUpCostsOneRange() {
    PointOrdinals ordinals = new PointOrdinals();
    for (int i = 0; i < 100_000; i++) {
      assertThat(ordinals.add(i)).isTrue();
    }
    assertThat(ordinals.ranges()).isEqualTo(1);
    assertThat(ordinals.add(99_999)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void theyAreASetThatSurvivesBeingWritten(int seed) {
    Random random = new Random(seed);
    Set<Long> model = new HashSet<>();
    PointOrdinals ordinals = new PointOrdinals();
    for (int i = 0; i < 3_000; i++) {
      long ordinal = random.nextLong(1 + 200L * seed);
      assertThat(ordinals.add(ordinal)).isEqualTo(model.add(ordinal));
      if (i % 500 == 0) {
        Encoder out = new Encoder(1);
        ordinals.writeTo(out);
        ordinals = PointOrdinals.readFrom(new Decoder(out.toBytes()));
      }
    }
    long ranges = model.stream().filter(o -> !model.contains(o - 1)).count();
    assertThat((long) ordinals.ranges()).isEqualTo(ranges);
  }
}
