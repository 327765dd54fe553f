package io.orrery.tuner.search.tpe;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.search.Arguments;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerContract;
import io.orrery.tuner.search.TunerFactory;
import io.orrery.tuner.search.random.RandomSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TpeTest extends TunerContract {
  private static final SearchSpace PLANE =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [-5, 5]},
           "y": {"_type": "loguniform", "_value": [0.001, 1000]},
           "c": {"_type": "choice", "_value": ["bad", "worse", "good", "worst"]}}
          """);

  @Override
  protected TunerFactory factory() {
    return Tpe.FACTORY;
  }

  private static double number(Parameters parameters, String name) {
    return parameters.values().get(name) instanceof Number n ? n.doubleValue() : Double.NaN;
  }

  /** Least, 0, at x = 2, y = 10, c = good. */
  private static double bowl(Parameters p) {
    double x = number(p, "x") - 2;
    double y = Math.log10(number(p, "y")) - 1;
    return x * x + y * y + ("good".equals(p.values().get("c")) ? 0 : 3);
  }

  private static List<Suggestion> run(
      Tuner tuner, int trials, ToDoubleFunction<Parameters> metric) {
    List<Suggestion> all = new ArrayList<>();
    for (int number = 0; number < trials; number++) {
      Suggestion next = tuner.suggest(1, number).items().getFirst();
      tuner.learn(
          new Result(
              next.parameterId(), next.parameters(), metric.applyAsDouble(next.parameters())));
      all.add(next);
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void itHomesInOnWhatIsGoodInEitherDirection(Direction direction) {
    double sign = direction == Direction.MINIMIZE ? 1 : -1;
    for (long seed = 0; seed < 5; seed++) {
      Tuner tpe = factory().open(new Setting(PLANE, Arguments.NONE, direction, seed));
      List<Suggestion> late = run(tpe, 120, p -> sign * bowl(p)).subList(60, 120);
      double mean = late.stream().mapToDouble(s -> bowl(s.parameters())).average().orElseThrow();
      long good =
          late.stream().filter(s -> "good".equals(s.parameters().values().get("c"))).count();
      assertThat(mean).as("random draws have a mean of 18.6").isLessThan(10);
      assertThat(good).as("a quarter would be chance").isGreaterThan(30);
    }
  }

  @Test
  void theFirstTrialsDoNotDependOnResults() {
    List<Suggestion> first = run(open(PLANE, 1), 10, TpeTest::bowl);
    List<Suggestion> other = run(open(PLANE, 1), 10, p -> -bowl(p));
    assertThat(first).isEqualTo(other);
    assertThat(run(open(PLANE, 1), 30, TpeTest::bowl))
        .isNotEqualTo(run(open(PLANE, 1), 30, p -> -bowl(p)));
  }

  @Test
  void theFirstTrialsAreSpreadEvenlyOnEachAxis() {
    List<Suggestion> first = open(PLANE, 2).suggest(10, 0).items();
    assertThat(first.stream().map(s -> (int) Math.floor(number(s.parameters(), "x") + 5)))
        .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(
            first.stream()
                .map(s -> (int) Math.floor((Math.log10(number(s.parameters(), "y")) + 3) / 0.6)))
        .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(first.stream().map(s -> s.parameters().values().get("c")).distinct()).hasSize(4);
  }

  @Test
  void integersAreInAnOrder() {
    SearchSpace space =
        Spaces.of(
            """
            {"k": {"_type": "randint", "_value": [0, 10000]},
             "free": {"_type": "uniform", "_value": [0, 1]}}
            """);
    List<Suggestion> late =
        run(open(space, 3), 60, p -> Math.abs(number(p, "k") - 6_200)).subList(40, 60);
    assertThat(late)
        .as("nothing near was seen as often if each integer stood for itself alone")
        .filteredOn(s -> Math.abs(number(s.parameters(), "k") - 6_200) < 500)
        .hasSizeGreaterThan(12);
  }

  @Test
  void whatGoesTogetherIsTriedTogether() {
    // A narrow ridge: x alone and log y alone say nothing.
    ToDoubleFunction<Parameters> ridge = p -> Math.abs(number(p, "x") + Math.log10(number(p, "y")));
    double together = 0;
    double apart = 0;
    for (long seed = 0; seed < 10; seed++) {
      together += late(open(PLANE, seed), ridge);
      apart += late(NniTpeTest.NNI.open(setting(PLANE, seed)), ridge);
    }
    assertThat(together).isLessThan(apart);
  }

  private static double late(Tuner tuner, ToDoubleFunction<Parameters> metric) {
    return run(tuner, 80, metric).subList(50, 80).stream()
        .mapToDouble(s -> metric.applyAsDouble(s.parameters()))
        .average()
        .orElseThrow();
  }

  private static Setting setting(SearchSpace space, long seed) {
    return new Setting(space, Arguments.NONE, Direction.MINIMIZE, seed);
  }

  /** One branch is good at once but never better; the other is better where it is good. */
  @Test
  void aBranchThatMayBeBetterIsNotGivenUp() {
    SearchSpace space =
        Spaces.of(
            """
            {"model": {"_type": "choice", "_value": [
               {"_name": "safe", "p": {"_type": "uniform", "_value": [0, 1]}},
               {"_name": "deep", "q": {"_type": "uniform", "_value": [0, 1]},
                                 "r": {"_type": "uniform", "_value": [0, 1]}}]}}
            """);
    int found = 0;
    for (long seed = 0; seed < 10; seed++) {
      double best =
          run(open(space, seed), 100, TpeTest::safeOrDeep).stream()
              .mapToDouble(s -> safeOrDeep(s.parameters()))
              .min()
              .orElseThrow();
      found += best < 0.3 ? 1 : 0;
    }
    assertThat(found).as("of 10 searches").isGreaterThanOrEqualTo(9);
  }

  private static double safeOrDeep(Parameters p) {
    Map<?, ?> model = (Map<?, ?>) Objects.requireNonNull(p.values().get("model"));
    if ("safe".equals(model.get("_name"))) {
      return 0.4 + 0.05 * Math.abs((Double) Objects.requireNonNull(model.get("p")) - 0.5);
    }
    double q = (Double) Objects.requireNonNull(model.get("q")) - 0.7;
    double r = (Double) Objects.requireNonNull(model.get("r")) - 0.2;
    return 0.1 + 8 * q * q + 8 * r * r;
  }

  @Test
  void aHundredThousandTrialsAreRememberedAtOnce() {
    Tuner tuner = open(PLANE, 5);
    for (int number = 0; number < 100_000; number++) {
      Suggestion past = new Suggestion(Integer.toString(number), earlier(PLANE, number));
      tuner.remember(past);
      tuner.learn(new Result(past.parameterId(), past.parameters(), bowl(past.parameters())));
    }
    List<Suggestion> next = tuner.suggest(20, 100_000).items();
    assertThat(next.stream().mapToDouble(s -> bowl(s.parameters())).average().orElseThrow())
        .as("random draws have a mean of 18.6")
        .isLessThan(5);
  }

  @Test
  void runningTrialsKeepOthersOff() {
    Tuner liar = open(PLANE, 1);
    Tuner honest =
        factory()
            .open(
                new Setting(
                    PLANE,
                    read("{\"tpe_args\": {\"constant_liar_type\": null}}"),
                    Direction.MINIMIZE,
                    1));
    run(liar, 40, TpeTest::bowl);
    run(honest, 40, TpeTest::bowl);
    assertThat(liar.suggest(1, 40)).isEqualTo(honest.suggest(1, 40));
    assertThat(liar.suggest(10, 41)).isNotEqualTo(honest.suggest(10, 41));
  }

  @Test
  void aBranchLearnsFromTheTrialsThatHadIt() {
    Tuner tuner = open(Spaces.NESTED, 3);
    List<Suggestion> late =
        run(
                tuner,
                150,
                p ->
                    p.values().get("opt") instanceof Map<?, ?> opt
                            && opt.get("lr") instanceof Double lr
                        ? Math.abs(Math.log10(lr) + 3)
                        : 5)
            .subList(100, 150);
    List<Double> rates = new ArrayList<>();
    for (Suggestion s : late) {
      if (s.parameters().values().get("opt") instanceof Map<?, ?> opt
          && opt.get("lr") instanceof Double lr) {
        rates.add(Math.abs(Math.log10(lr) + 3));
      }
    }
    assertThat(rates).hasSizeGreaterThan(35);
    assertThat(rates.stream().mapToDouble(r -> r).average().orElseThrow())
        .as("random draws have a mean of 1")
        .isLessThan(0.75);
  }

  @Test
  void aResultOfATrialThatIsRunAgainTakesThePlaceOfTheFirst() {
    Tuner twice = open(PLANE, 4);
    Tuner once = open(PLANE, 4);
    Suggestion first = twice.suggest(1, 0).items().getFirst();
    once.suggest(1, 0);
    twice.learn(new Result(first.parameterId(), first.parameters(), -1e9));
    twice.learn(new Result(first.parameterId(), first.parameters(), 3));
    once.learn(new Result(first.parameterId(), first.parameters(), 3));
    for (int number = 1; number < 40; number++) {
      Suggestion next = once.suggest(1, number).items().getFirst();
      assertThat(twice.suggest(1, number).items()).containsExactly(next);
      Result result = new Result(next.parameterId(), next.parameters(), bowl(next.parameters()));
      once.learn(result);
      twice.learn(result);
    }
  }

  @Test
  void withoutParametersItGoesOnForEver() {
    List<Suggestion> all = run(open(SearchSpace.EMPTY, 1), 30, p -> 1);
    assertThat(all).allMatch(s -> s.parameters().equals(Parameters.EMPTY));
  }

  @Test
  void itBeatsRandomSearch() {
    double tpe = 0;
    double random = 0;
    for (long seed = 0; seed < 40; seed++) {
      tpe += best(open(PLANE, seed));
      random +=
          best(
              RandomSearch.FACTORY.open(
                  new Setting(PLANE, Arguments.NONE, Direction.MINIMIZE, seed)));
    }
    assertThat(tpe).isLessThan(0.75 * random);
  }

  private static double best(Tuner tuner) {
    return run(tuner, 80, TpeTest::bowl).stream()
        .mapToDouble(s -> bowl(s.parameters()))
        .min()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"tpe_args": {"gama": 1}}                     | /tpe_args/gama
          {"tpe_args": {"gamma": "much"}}               | /tpe_args/gamma
          {"tpe_args": {"n_startup_jobs": -1}}          | /tpe_args/n_startup_jobs
          {"tpe_args": {"constant_liar_type": "median"}} | /tpe_args/constant_liar_type
          {"tpe_args": 3}                               | /tpe_args
          {"multivariate": "yes"}                       | /multivariate
          {"compatibility": "hyperopt"}                 | /compatibility
          """)
  void wrongSettingsAreNamed(String json, String pointer) {
    List<Finding> findings = new ArrayList<>();
    Arguments.read(factory().description().options(), Spaces.read(json).values(), "", findings);
    assertThat(findings).extracting(Finding::pointer).containsExactly(pointer);
  }

  @Test
  void argumentsAreCalledAndMeanWhatTheyDoInNni() {
    assertThat(options("{\"compatibility\": \"nni\"}"))
        .isEqualTo(new TpeOptions(false, "best", 20, 24, 25, 1.0, 0.25));
    assertThat(options("{\"multivariate\": false}"))
        .isEqualTo(options("{\"compatibility\": \"nni\"}"));
    assertThat(options("{}"))
        .isEqualTo(options("{\"multivariate\": true, \"tpe_args\": {}}"))
        .isEqualTo(new TpeOptions(true, "worst", 10, 64, 25, 1.0, 1.0));
    TpeOptions all =
        options(
            """
            {"optimize_mode": "maximize", "seed": 12345, "tpe_args":
              {"constant_liar_type": "Mean", "n_startup_jobs": 12, "n_ei_candidates": 20,
               "linear_forgetting": 100, "prior_weight": 0, "gamma": 0.5}}
            """);
    assertThat(all).isEqualTo(new TpeOptions(true, "mean", 12, 20, 100, 0.0, 0.5));
  }

  private TpeOptions options(String json) {
    return TpeOptions.of(read(json), Direction.MINIMIZE);
  }

  /** Those of releases up to 2.5 speak of results: the least of them is the best only as a loss. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"parallel_optimize": true, "constant_liar_type": "min"}  | best  | worst
          {"parallel_optimize": true, "constant_liar_type": "max"}  | worst | best
          {"parallel_optimize": true, "constant_liar_type": "mean"} | mean  | mean
          {"parallel_optimize": true}                               | best  | worst
          {"parallel_optimize": false, "constant_liar_type": "max"} | none  | none
          {"constant_liar_type": "max"}                             | worst | worst
          {"parallel_optimize": true, "tpe_args": {"constant_liar_type": "mean"}} | mean | mean
          """)
  void argumentsOfOlderReleasesOfNniAreTaken(String json, String minimizing, String maximizing) {
    assertThat(TpeOptions.of(read(json), Direction.MINIMIZE).liar()).isEqualTo(minimizing);
    assertThat(TpeOptions.of(read(json), Direction.MAXIMIZE).liar()).isEqualTo(maximizing);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "0, 0", "20, 0", "0, 1000"})
  void extremeSettingsStillGiveSuggestionsWithinTheSpace(int startup, double priorWeight) {
    String json =
        "{\"tpe_args\": {\"n_startup_jobs\": %d, \"prior_weight\": %s}}"
            .formatted(startup, priorWeight);
    for (SearchSpace space : List.of(PLANE, Spaces.FINITE, Spaces.NESTED)) {
      Tuner tuner = factory().open(new Setting(space, read(json), Direction.MINIMIZE, startup));
      for (int number = 0; number < 5; number++) {
        Suggestion next = tuner.suggest(1, number).items().getFirst();
        assertInside(space, next.parameters());
        tuner.learn(new Result(next.parameterId(), next.parameters(), number));
      }
    }
  }

  private Arguments read(String json) {
    List<Finding> findings = new ArrayList<>();
    Arguments arguments =
        Arguments.read(factory().description().options(), Spaces.read(json).values(), "", findings);
    assertThat(findings).isEmpty();
    return arguments;
  }
}
