package io.orrery.tuner.search.bayes;

import static io.orrery.tuner.search.Played.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.auto.Auto;
import io.orrery.tuner.surrogate.Design;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that many trials in flight keep apart. */
class CrowdTest {
  private static final int CROWD = 100;

  private static final SearchSpace CUBE =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [0, 1]},
           "y": {"_type": "uniform", "_value": [0, 1]},
           "z": {"_type": "uniform", "_value": [0, 1]}}
          """);

  private static double bowl(Parameters p) {
    double x = number(p, "x") - 0.3;
    double y = number(p, "y") - 0.6;
    double z = number(p, "z") - 0.5;
    return x * x + y * y + 0.1 * z * z;
  }

  private static Tuner open(long seed) {
    return Auto.FACTORY.open(new Setting(CUBE, Arguments.NONE, Direction.MINIMIZE, seed));
  }

  private static List<Suggestion> learnt(Tuner tuner, int trials) {
    List<Suggestion> all = new ArrayList<>();
    for (int i = 0; i < trials; i++) {
      Suggestion next = tuner.suggest(1, i).items().getFirst();
      tuner.learn(new Result(next.parameterId(), next.parameters(), bowl(next.parameters())));
      all.add(next);
    }
    return all;
  }

  private static double[] place(Parameters p) {
    return new double[] {number(p, "x"), number(p, "y"), number(p, "z")};
  }

  private static double distance(double[] one, double[] other) {
    return Math.sqrt(
        IntStream.range(0, one.length)
            .mapToDouble(i -> (one[i] - other[i]) * (one[i] - other[i]))
            .sum());
  }

  /** The distance of each place to the nearest of those before it. */
  private static List<Double> nearest(List<double[]> places) {
    return IntStream.range(1, places.size())
        .mapToObj(i ->
            places.subList(0, i).stream()
                .mapToDouble(other -> distance(places.get(i), other))
                .min()
                .orElseThrow())
        .toList();
  }

  private static List<double[]> places(List<Suggestion> suggestions) {
    return suggestions.stream().map(one -> place(one.parameters())).toList();
  }

  private static double least(List<Double> distances) {
    return distances.stream().mapToDouble(d -> d).min().orElseThrow();
  }

  /** The least distance in a design of as many places that fills the space. */
  private static double ofADesign() {
    Design design = new Design(new UnitCube(Axes.of(CUBE)), CROWD, Rng.keyed(1, 1));
    return least(nearest(IntStream.range(0, CROWD).mapToObj(design::place).toList()));
  }

  @Test
  void aHundredThatTheModelSuggestsAtOnceKeepApart() {
    for (long seed = 0; seed < 3; seed++) {
      Tuner tuner = open(seed);
      learnt(tuner, 30);

      List<Double> nearest = nearest(places(tuner.suggest(CROWD, 30).items()));

      assertThat(least(nearest.subList(64, 99)))
          .as("seed %s", seed)
          .isGreaterThan(ofADesign() / 20);
    }
  }

  @Test
  void beforeThereAreResultsThoseBeyondTheSixtyFourthFillTheSpace() {
    for (long seed = 0; seed < 3; seed++) {
      List<Double> nearest = nearest(places(open(seed).suggest(CROWD, 0).items()));

      assertThat(least(nearest.subList(63, 99))).as("seed %s", seed).isGreaterThan(ofADesign());
    }
  }

  @Test
  void oneThatIsToldThePastGoesOnAsTheOneBefore() {
    Tuner first = open(5);
    Tuner second = open(5);
    for (Suggestion past : learnt(first, 20)) {
      second.remember(past);
      second.learn(new Result(past.parameterId(), past.parameters(), bowl(past.parameters())));
    }
    first.suggest(CROWD, 20).items().forEach(second::remember);

    assertThat(second.suggest(2, 120)).isEqualTo(first.suggest(2, 120));
  }
}
