package io.orrery.tuner.surrogate;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what is believed while values are awaited. */
class AwaitedTest {
  private static final boolean[] CHOICES = {false, true, false};

  private static List<double[]> places(int key, int count) {
    Rng rng = Rng.keyed(7, key);
    List<double[]> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(new double[] {rng.nextDouble(), rng.nextInt(3), rng.nextDouble()});
    }
    return places;
  }

  private static GaussianProcess process() {
    Layout layout = new Layout(CHOICES, false);
    double[] hyper = new double[layout.size()];
    Arrays.setAll(hyper, layout::mean);
    List<double[]> seen = places(1, 20);
    double[] values = seen.stream().mapToDouble(place -> Math.sin(5 * place[0])).toArray();
    return new GaussianProcess(new Kernel(layout, hyper), seen, values);
  }

  @Test
  void whatIsAwaitedInPartsIsBelievedAsIfItCameAtOnce() {
    List<double[]> one = places(2, 40);
    List<double[]> other = new ArrayList<>(one.subList(0, 25));
    other.addAll(places(3, 30));
    GaussianProcess kept = process();
    for (List<double[]> awaited : List.of(one.subList(0, 10), one, other, one.subList(0, 3))) {
      kept.awaitOnly(awaited);
      GaussianProcess fresh = process();
      awaited.forEach(fresh::await);

      for (double[] place : places(4, 20)) {
        assertThat(kept.at(place)).isEqualTo(fresh.at(place));
      }
      assertThat(kept.means()).isEqualTo(fresh.means());
    }
  }
}
