package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objectives;
import io.orrery.core.number.Numbers;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.space.SpaceReader;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.assess.Assessor;
import io.orrery.tuner.assess.AssessorFactory;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments.ArgumentSet;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what holds of every tuner and every assessor, whatever numbers they meet (C1 to C3). */
class NumberRulesTest {
  /** At the ends of what doubles can be: huge, denormal, quantised, logarithmic, far from zero. */
  private static final SearchSpace EXTREME =
      space(
          """
          {"wide": {"_type": "uniform", "_value": [-8e307, 8e307]},
           "tiny": {"_type": "uniform", "_value": [0, 1e-310]},
           "fine": {"_type": "quniform", "_value": [0, 1, 0.1]},
           "coarse": {"_type": "quniform", "_value": [0, 1.5e308, 1e307]},
           "log": {"_type": "loguniform", "_value": [4.9e-324, 1.7e308]},
           "qlog": {"_type": "qloguniform", "_value": [1e-9, 1e6, 0.01]},
           "far": {"_type": "normal", "_value": [1e307, 1e307]},
           "narrow": {"_type": "normal", "_value": [1, 1e-300]},
           "qnormal": {"_type": "qnormal", "_value": [0, 1, 0.1]},
           "lognormal": {"_type": "lognormal", "_value": [0, 80]},
           "qlognormal": {"_type": "qlognormal", "_value": [1, 2, 1e-3]},
           "int": {"_type": "randint", "_value": [-9007199254740992, -3]},
           "branch": {"_type": "choice", "_value": [
             {"_name": "a", "x": {"_type": "uniform", "_value": [1e308, 1.7e308]}}, {"_name": "b"}]}}
          """);

  private static final SearchSpace PLAIN =
      space(
          """
          {"x": {"_type": "uniform", "_value": [0, 1]},
           "q": {"_type": "quniform", "_value": [0, 1, 0.1]},
           "lr": {"_type": "loguniform", "_value": [1e-5, 1]}}
          """);

  private static final double[] EXTREMES = {
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    1e308,
    -1e308,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.MIN_VALUE,
    -1e-310,
    0,
    -0.0,
    0.3
  };

  private static SearchSpace space(String json) {
    return SpaceReader.read(Json.parse(json));
  }

  /** All but the one that takes a list for a space, and draws nothing. */
  static Stream<ArgumentSet> tuners() {
    return Catalog.standard().tuners().stream()
        .filter(factory -> !factory.description().name().equals("Batch"))
        .flatMap(factory ->
            Stream.of(Direction.values())
                .map(direction ->
                    org.junit.jupiter.params.provider.Arguments.argumentSet(
                        factory.description().name() + " to " + direction, factory, direction)));
  }

  static Stream<ArgumentSet> assessors() {
    return Catalog.standard().assessors().stream()
        .flatMap(factory ->
            Stream.of(Direction.values())
                .map(direction ->
                    org.junit.jupiter.params.provider.Arguments.argumentSet(
                        factory.description().name() + " to " + direction, factory, direction)));
  }

  private static Tuner open(TunerFactory factory, SearchSpace space, Direction direction) {
    return factory.open(new Setting(space, Arguments.NONE, Objectives.of(direction), 7, "."));
  }

  /** The suggestions of a tuner whose trials end as told; null is a trial without a result. */
  private static List<Parameters> play(
      TunerFactory factory,
      SearchSpace space,
      Direction direction,
      int trials,
      LongFunction<@Nullable Double> outcome) {
    Objectives objectives = Objectives.of(direction);
    Tuner tuner = open(factory, space, direction);
    List<Parameters> suggested = new ArrayList<>();
    List<Suggestion> running = new ArrayList<>();
    for (int number = 0; number < trials; number++) {
      running.addAll(tuner.suggest(1, number).items());
      if (running.size() == 3 || number == trials - 1) {
        Suggestion first = running.removeFirst();
        suggested.add(first.parameters());
        Double value = outcome.apply(number);
        MetricValue reported = value == null ? null : MetricValue.of(value);
        tuner.learn(
            new Result(first.parameterId(), first.parameters(), objectives.measures(reported)));
      }
    }
    return suggested;
  }

  @ParameterizedTest
  @MethodSource("tuners")
  void everySuggestionIsFiniteAndFitsWhateverTrialsReport(
      TunerFactory factory, Direction direction) {
    for (SearchSpace space : List.of(EXTREME, PLAIN)) {
      RandomGenerator random = Rng.keyed(11, 0);
      List<Parameters> suggested =
          play(
              factory,
              space,
              direction,
              40,
              number ->
                  random.nextInt(3) == 0
                      ? random.nextDouble()
                      : EXTREMES[random.nextInt(EXTREMES.length)]);

      assertThat(suggested).isNotEmpty();
      Tuner fresh = open(factory, space, direction);
      for (Parameters parameters : suggested) {
        assertThat(Numbers.firstNotFinite(parameters.values(), ""))
            .as(parameters.toJson())
            .isNull();
        @SuppressWarnings("unchecked")
        Map<String, Object> read = Json.read(parameters.toJson(), Map.class);
        assertThat(fresh.fits(new Parameters(read))).as(parameters.toJson()).isTrue();
      }
    }
  }

  /** C2: there are two ways for a result to be not finite, not three. */
  @ParameterizedTest
  @MethodSource("tuners")
  void nanIsAsBadAsInfinityInTheBadDirectionAndInfinityInTheGoodOneIsNoMeasure(
      TunerFactory factory, Direction direction) {
    double bad =
        direction == Direction.MINIMIZE ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    LongFunction<Double> finite = number -> (number * 37 % 11) / 11.0;

    assertThat(play(factory, PLAIN, direction, 25, n -> n % 3 == 0 ? Double.NaN : finite.apply(n)))
        .isEqualTo(play(factory, PLAIN, direction, 25, n -> n % 3 == 0 ? bad : finite.apply(n)));
    assertThat(play(factory, PLAIN, direction, 25, n -> n % 3 == 0 ? -bad : finite.apply(n)))
        .isEqualTo(play(factory, PLAIN, direction, 25, n -> n % 3 == 0 ? null : finite.apply(n)));
  }

  private static Assessor open(AssessorFactory factory, Direction direction) {
    return factory.open(
        Arguments.read(factory.description().options(), Map.of(), "", new ArrayList<>()),
        direction);
  }

  private static final int STEPS = 15;

  private static List<Double> curve(DoubleUnaryOperator at) {
    List<Double> curve = new ArrayList<>();
    for (int step = 1; step <= STEPS; step++) {
      curve.add(at.applyAsDouble(step));
    }
    return curve;
  }

  /** An assessor that has seen a dozen good trials come to their end. */
  private static Assessor experienced(AssessorFactory factory, Direction direction) {
    Assessor assessor = open(factory, direction);
    double sign = direction == Direction.MAXIMIZE ? 1 : -1;
    for (int trial = 0; trial < 12; trial++) {
      double end = 0.8 + trial / 100.0;
      assessor.ended("good" + trial, true, curve(step -> sign * end * (1 - Math.exp(-step))));
    }
    return assessor;
  }

  /** The step at which a trial is stopped; 0 when it is not. */
  private static int stopped(Assessor assessor, String trial, List<Double> results) {
    for (int step = 1; step <= results.size(); step++) {
      if (assessor.assess(trial, results.subList(0, step)) instanceof Assessor.Verdict.Bad) {
        return step;
      }
    }
    return 0;
  }

  /** C2: the trial is named so that the rule that lets some through does not let this one. */
  @ParameterizedTest
  @MethodSource("assessors")
  void aTrialThatReportsOnlyWhatIsWorseThanAnythingIsStopped(
      AssessorFactory factory, Direction direction) {
    double bad =
        direction == Direction.MINIMIZE ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;

    int byNan =
        stopped(experienced(factory, direction), "new", Collections.nCopies(STEPS, Double.NaN));
    int byInfinity =
        stopped(experienced(factory, direction), "new", Collections.nCopies(STEPS, bad));

    assertThat(byNan).isPositive().isEqualTo(byInfinity);
  }

  @ParameterizedTest
  @MethodSource("assessors")
  void aTrialThatReportsOnlyInfinityInTheGoodDirectionIsNotJudged(
      AssessorFactory factory, Direction direction) {
    double good =
        direction == Direction.MINIMIZE ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    Assessor assessor = experienced(factory, direction);

    assertThat(stopped(assessor, "new", Collections.nCopies(STEPS, good))).isZero();
    assessor.ended("new", true, Collections.nCopies(STEPS, good));

    Assessor other = experienced(factory, direction);
    for (int trial = 0; trial < 30; trial++) {
      double end = trial / 30.0;
      List<Double> curve = curve(step -> end * (1 - Math.exp(-step)));
      assertThat(stopped(assessor, "t" + trial, curve))
          .isEqualTo(stopped(other, "t" + trial, curve));
    }
  }

  /** C3: nine equal trials, of which eight were stopped for being worse than "Infinity". */
  @ParameterizedTest
  @MethodSource("assessors")
  void noneOfManyEqualTrialsIsStopped(AssessorFactory factory, Direction direction) {
    for (double value : new double[] {1.2e308, -1.2e308, 0.1, Double.MAX_VALUE, 5e-324, 0}) {
      Assessor assessor = open(factory, direction);
      List<Double> results = Collections.nCopies(STEPS, value);
      for (int trial = 0; trial < 20; trial++) {
        assertThat(stopped(assessor, "t" + trial, results)).as("%s", value).isZero();
        assessor.ended("t" + trial, true, results);
      }
    }
  }

  /** A verdict is about the order of results, so it is the same for results that are huge. */
  @ParameterizedTest
  @MethodSource("assessors")
  void hugeResultsAreJudgedAsOrdinaryOnes(AssessorFactory factory, Direction direction) {
    for (double scale : new double[] {1, 0x1.0p1023}) {
      Assessor assessor = open(factory, direction);
      double sign = direction == Direction.MAXIMIZE ? 1 : -1;
      for (int trial = 0; trial < 12; trial++) {
        double end = 0.8 + trial / 100.0;
        assessor.ended(
            "good" + trial, true, curve(step -> scale * sign * end * (1 - Math.exp(-step))));
      }
      assertThat(
              stopped(assessor, "new", curve(step -> scale * sign * 0.01 * (1 - Math.exp(-step)))))
          .as("times %s", scale)
          .isPositive();
    }
  }
}
