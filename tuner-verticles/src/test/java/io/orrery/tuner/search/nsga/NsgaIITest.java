package io.orrery.tuner.search.nsga;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objective;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Regret;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.auto.Auto;
import io.orrery.tuner.search.random.RandomSearch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract with two objectives, and how much of the front it finds. */
class NsgaIITest extends TunerContract {
  private static final Objectives TWO = objectives(2);
  private static final int TRIALS = 300;
  private static final int SEEDS = 10;

  /**
   * Functions of which the front is known (Zitzler, Deb, Thiele, 2000; Deb et al., 2002), all
   * parameters from 0 to 1.
   */
  private enum Problem {
    ZDT1(8, 2, x -> zdt(x, (f, g) -> 1 - Math.sqrt(f / g))),
    ZDT2(8, 2, x -> zdt(x, (f, g) -> 1 - Math.pow(f / g, 2))),
    DTLZ2(8, 3, Problem::dtlz2);

    final int parameters;
    final int objectives;
    final Function<double[], double[]> function;

    Problem(int parameters, int objectives, Function<double[], double[]> function) {
      this.parameters = parameters;
      this.objectives = objectives;
      this.function = function;
    }

    private interface Shape {
      double height(double f, double g);
    }

    private static double[] zdt(double[] x, Shape shape) {
      double g = 1 + 9 * Arrays.stream(x).skip(1).sum() / (x.length - 1);
      return new double[] {x[0], g * shape.height(x[0], g)};
    }

    private static double[] dtlz2(double[] x) {
      double g = Arrays.stream(x).skip(2).map(at -> (at - 0.5) * (at - 0.5)).sum();
      double a = x[0] * Math.PI / 2;
      double b = x[1] * Math.PI / 2;
      return new double[] {
        (1 + g) * Math.cos(a) * Math.cos(b),
        (1 + g) * Math.cos(a) * Math.sin(b),
        (1 + g) * Math.sin(a)
      };
    }

    SearchSpace space() {
      return Spaces.of(
          IntStream.range(0, parameters)
              .mapToObj(i -> "\"x%d\": {\"_type\": \"uniform\", \"_value\": [0, 1]}".formatted(i))
              .collect(Collectors.joining(", ", "{", "}")));
    }

    double[] values(Parameters parameters) {
      return function.apply(
          parameters.values().values().stream().mapToDouble(x -> (Double) x).toArray());
    }

    double[] reference() {
      double[] reference = new double[objectives];
      Arrays.fill(reference, this == DTLZ2 ? 2 : 4);
      return reference;
    }
  }

  @Override
  protected TunerFactory factory() {
    return NsgaII.FACTORY;
  }

  @Override
  protected Objectives objectives() {
    return TWO;
  }

  private static Objectives objectives(int count) {
    return new Objectives(
        IntStream.range(0, count)
            .mapToObj(i -> new Objective("f" + i, Direction.MINIMIZE))
            .toList());
  }

  private static double hypervolume(TunerFactory factory, Problem problem, long seed, double sign) {
    Objectives objectives =
        new Objectives(
            objectives(problem.objectives).all().stream()
                .map(o ->
                    new Objective(o.metric(), sign < 0 ? Direction.MAXIMIZE : Direction.MINIMIZE))
                .toList());
    Tuner tuner = factory.open(new Setting(problem.space(), Arguments.NONE, objectives, seed, "."));
    List<double[]> results = new ArrayList<>();
    for (int number = 0; number < TRIALS; number++) {
      Suggestion next = tuner.suggest(1, number).items().getFirst();
      double[] values = problem.values(next.parameters());
      results.add(values);
      List<Double> told = Arrays.stream(values).map(value -> sign * value).boxed().toList();
      tuner.learn(new Result(next.parameterId(), next.parameters(), told));
    }
    return Hypervolume.of(results, problem.reference());
  }

  /** Of every pair with one seed; chance would lose half of them. */
  @ParameterizedTest
  @EnumSource(Problem.class)
  void itFindsMoreOfTheFrontThanChanceWithEverySeed(Problem problem) {
    for (long seed = 0; seed < SEEDS; seed++) {
      assertThat(hypervolume(NsgaII.FACTORY, problem, seed, 1))
          .isGreaterThan(hypervolume(RandomSearch.FACTORY, problem, seed, 1));
    }
  }

  @ParameterizedTest
  @EnumSource(Problem.class)
  void goalsMayBeToMaximise(Problem problem) {
    assertThat(hypervolume(NsgaII.FACTORY, problem, 3, -1))
        .isEqualTo(hypervolume(NsgaII.FACTORY, problem, 3, 1));
  }

  @Test
  void itIsWhatAutoDoesWithSeveralObjectives() {
    assertThat(hypervolume(Auto.FACTORY, Problem.ZDT1, 3, 1))
        .isEqualTo(hypervolume(NsgaII.FACTORY, Problem.ZDT1, 3, 1));
  }

  @Test
  void withOneObjectiveItIsAnEvolutionThatComesCloserThanChance() {
    double random = Regret.after(150, RandomSearch.FACTORY, Direction.MINIMIZE, Map.of());

    assertThat(Regret.after(150, NsgaII.FACTORY, Direction.MINIMIZE, Map.of()))
        .isLessThan(0.5 * random);
  }

  static Stream<SearchSpace> kinds() {
    return Stream.of(Spaces.NESTED, Spaces.CONTINUOUS);
  }

  /** Half of the space gives no result, and of that half one part gives half of one. */
  @ParameterizedTest
  @MethodSource("kinds")
  void trialsThatFailOrLackAnObjectiveAreNotBredFrom(SearchSpace space) {
    Tuner tuner = open(space, 1);
    int failedLate = 0;
    for (int number = 0; number < 200; number++) {
      Suggestion next = tuner.suggest(1, number).items().getFirst();
      double score = score(next.parameters());
      boolean bad = score > 0.5;
      double first = bad && number % 2 == 0 ? Double.NaN : score;
      double second = bad ? Double.NaN : 1 - score;
      tuner.learn(new Result(next.parameterId(), next.parameters(), List.of(first, second)));
      failedLate += number >= 100 && bad ? 1 : 0;
    }
    assertThat(failedLate).isLessThan(40);
  }

  /** Below a half for about half of the space. */
  private static double score(Parameters parameters) {
    Map<String, Object> values = parameters.values();
    return values.containsKey("momentum")
        ? (Double) values.get("momentum")
        : values.get("opt").toString().contains("none") ? 0.9 : 0.1;
  }

  @Test
  void aTrialThatIsRunAgainCountsWithItsLaterResultOnly() {
    Tuner twice = open(Spaces.CONTINUOUS, 5);
    Tuner once = open(Spaces.CONTINUOUS, 5);
    List<Suggestion> first = once.suggest(60, 0).items();
    twice.suggest(60, 0);
    for (int i = 0; i < 60; i++) {
      Suggestion trial = first.get(i);
      if (i == 30) {
        twice.learn(new Result(trial.parameterId(), trial.parameters(), List.of(-1e9, -1e9)));
      } else {
        Result result =
            new Result(trial.parameterId(), trial.parameters(), List.of(i % 7.0, i % 11.0));
        twice.learn(result);
        once.learn(result);
      }
    }
    Suggestion again = first.get(30);
    Result later = new Result(again.parameterId(), again.parameters(), List.of(3.0, 3.0));
    twice.learn(later);
    once.learn(later);

    assertThat(twice.suggest(20, 60)).isEqualTo(once.suggest(20, 60));
  }
}
