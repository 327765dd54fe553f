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
  void theFirstTrialsAreDrawnFromThePrior() {
    List<Suggestion> first = run(open(PLANE, 1), 20, TpeTest::bowl);
    List<Suggestion> other = run(open(PLANE, 1), 20, p -> -bowl(p));
    assertThat(first).isEqualTo(other);
    assertThat(run(open(PLANE, 1), 40, TpeTest::bowl))
        .isNotEqualTo(run(open(PLANE, 1), 40, p -> -bowl(p)));
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
          """)
  void wrongSettingsAreNamed(String json, String pointer) {
    List<Finding> findings = new ArrayList<>();
    Arguments.read(factory().description().options(), Spaces.read(json).values(), "", findings);
    assertThat(findings).extracting(Finding::pointer).containsExactly(pointer);
  }

  @Test
  void argumentsAreCalledAndMeanWhatTheyDoInNni() {
    TpeOptions standard = TpeOptions.of(Arguments.NONE);
    assertThat(standard).isEqualTo(new TpeOptions("best", 20, 24, 25, 1.0, 0.25));
    TpeOptions all =
        TpeOptions.of(
            read(
                """
                {"optimize_mode": "maximize", "seed": 12345, "tpe_args":
                  {"constant_liar_type": "Mean", "n_startup_jobs": 10, "n_ei_candidates": 20,
                   "linear_forgetting": 100, "prior_weight": 0, "gamma": 0.5}}
                """));
    assertThat(all).isEqualTo(new TpeOptions("mean", 10, 20, 100, 0.0, 0.5));
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
