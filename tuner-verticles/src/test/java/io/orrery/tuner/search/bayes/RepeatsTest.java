package io.orrery.tuner.search.bayes;

import static io.orrery.tuner.search.Played.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Description;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.auto.Auto;
import io.orrery.tuner.search.gp.Gp;
import io.orrery.tuner.search.metis.Metis;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that searches that may repeat keep the contract of tuners, and repeat where it pays. */
class RepeatsTest extends TunerContract {
  private static final SearchSpace PLANE =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [-5, 5]},
           "rate": {"_type": "loguniform", "_value": [1e-5, 1]}}
          """);

  private static final Map<String, Object> REPEATING = Map.of("repeats", true);

  /** Auto with {@code repeats: true}. */
  @Override
  protected TunerFactory factory() {
    return new TunerFactory() {
      @Override
      public Description description() {
        return Auto.FACTORY.description();
      }

      @Override
      public Tuner open(Setting setting) {
        return Auto.FACTORY.open(
            new Setting(
                setting.space(),
                arguments(Auto.FACTORY, REPEATING),
                setting.objectives(),
                setting.seed(),
                setting.directory()));
      }
    };
  }

  private static Arguments arguments(TunerFactory factory, Map<String, Object> given) {
    return Arguments.read(factory.description().options(), given, "", new ArrayList<>());
  }

  private static double bowl(Parameters p) {
    double x = (number(p, "x") - 2) / 3;
    double rate = Double.isNaN(number(p, "rate")) ? 0 : Math.log10(number(p, "rate")) + 3;
    return x * x + rate * rate;
  }

  /** The parameters of sixty trials, with noise of so much. */
  private static List<Parameters> play(
      TunerFactory factory,
      Map<String, Object> given,
      SearchSpace space,
      Direction direction,
      double noise,
      long seed) {
    Tuner tuner = factory.open(new Setting(space, arguments(factory, given), direction, seed));
    List<Parameters> tried = new ArrayList<>();
    for (int number = 0; number < 60; number++) {
      List<Suggestion> next = tuner.suggest(1, number).items();
      if (next.isEmpty()) {
        break;
      }
      Parameters parameters = next.getFirst().parameters();
      double loss = bowl(parameters) + noise * Rng.keyed(seed, number).split(3).nextGaussian();
      tuner.learn(new Result(next.getFirst().parameterId(), parameters, direction.loss(loss)));
      tried.add(parameters);
    }
    return tried;
  }

  private static long repeats(List<Parameters> tried) {
    return tried.size() - Set.copyOf(new HashSet<>(tried)).size();
  }

  private static long repeats(
      TunerFactory factory, Map<String, Object> given, SearchSpace space, double noise) {
    return IntStream.range(0, 3)
        .mapToLong(seed -> repeats(play(factory, given, space, Direction.MINIMIZE, noise, seed)))
        .sum();
  }

  @Test
  void noiseMakesItTryTheBestAgainWithTheVerySameParameters() {
    assertThat(repeats(Auto.FACTORY, REPEATING, PLANE, 0.5)).isPositive();
    assertThat(repeats(Gp.FACTORY, REPEATING, PLANE, 0.5)).isPositive();
    assertThat(repeats(Metis.FACTORY, Map.of("no_resampling", false), PLANE, 0.5)).isPositive();
  }

  @Test
  void largerMayBeBetter() {
    List<Parameters> tried = play(Auto.FACTORY, REPEATING, PLANE, Direction.MAXIMIZE, 0.5, 1);
    Parameters most = mostTried(tried);

    assertThat(repeats(tried)).isPositive();
    assertThat(bowl(most)).isLessThan(1);
  }

  private static Parameters mostTried(List<Parameters> tried) {
    return tried.stream()
        .max((a, b) -> Long.compare(count(tried, a), count(tried, b)))
        .orElseThrow();
  }

  private static long count(List<Parameters> tried, Parameters one) {
    return tried.stream().filter(one::equals).count();
  }

  @Test
  void withoutNoiseNothingIsRepeated() {
    assertThat(repeats(Auto.FACTORY, REPEATING, PLANE, 0)).isZero();
    assertThat(repeats(Gp.FACTORY, REPEATING, PLANE, 0)).isZero();
  }

  @Test
  void unlessItIsAskedForNothingIsRepeated() {
    assertThat(repeats(Auto.FACTORY, Map.of(), PLANE, 0.5)).isZero();
    assertThat(repeats(Gp.FACTORY, Map.of(), PLANE, 0.5)).isZero();
    assertThat(repeats(Metis.FACTORY, Map.of(), PLANE, 0.5)).isZero();
  }

  /** Results by chance: it comes back to some points, and to all in the end. */
  @Override
  @ParameterizedTest
  @MethodSource("finiteSpaces")
  public void aFiniteSpaceIsUsedUpWithoutRepetition(SearchSpace space) {
    Tuner tuner = open(space, 7);
    Set<Parameters> tried = new HashSet<>();
    boolean exhausted = false;
    for (int number = 0; number < 20 * points(space) && !exhausted; number++) {
      Suggestions next = tuner.suggest(1, number);
      exhausted = next.exhausted();
      for (Suggestion one : next.items()) {
        tried.add(one.parameters());
        double loss = Rng.keyed(5, number).nextGaussian();
        tuner.learn(new Result(one.parameterId(), one.parameters(), loss));
      }
    }
    assertThat(exhausted).isTrue();
    assertThat(tried).hasSize(points(space));
  }

  @Test
  void whatGivesTheSameEachTimeIsNotRepeatedAgain() {
    Repeats repeats = new Repeats(Direction.MINIMIZE);
    assertThat(repeats.pointless()).isFalse();
    for (int i = 0; i < 4; i++) {
      double at = i % 2;
      repeats.end(new Result("" + i, new Parameters(Map.of("x", at)), at), new double[] {at});
    }
    assertThat(repeats.pointless()).isTrue();

    repeats.end(new Result("4", new Parameters(Map.of("x", 1.0)), 1.01), new double[] {1});
    assertThat(repeats.pointless()).isFalse();

    repeats.end(new Result("4", new Parameters(Map.of("x", 1.0)), 1), new double[] {1});
    assertThat(repeats.pointless()).isTrue();

    Parameters one = new Parameters(Map.of("x", 1.0));
    repeats.end(new Result("5", one, List.of(7.0), true), new double[] {1});
    assertThat(repeats.pointless()).as("what a user ended says nothing").isTrue();
  }
}
