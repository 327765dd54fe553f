package io.orrery.tuner.search.pbt;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PbtTest extends TunerContract {
  private static final SearchSpace PLANE =
      Spaces.of(
          """
          {"lr": {"_type": "loguniform", "_value": [0.001, 1]},
           "n": {"_type": "randint", "_value": [0, 100]}}
          """);

  @Override
  protected TunerFactory factory() {
    return Pbt.FACTORY;
  }

  @Override
  protected void assertInside(SearchSpace space, Parameters parameters) {
    Map<String, Object> values = new LinkedHashMap<>(parameters.values());
    assertThat(values.remove("load_checkpoint_dir")).isInstanceOf(String.class);
    assertThat(values.remove("save_checkpoint_dir")).isInstanceOf(String.class);
    super.assertInside(space, new Parameters(values));
  }

  /** A population repeats itself, and has no end: a finite space is searched for ever. */
  @Override
  @ParameterizedTest
  @MethodSource("finiteSpaces")
  public void aFiniteSpaceIsUsedUpWithoutRepetition(SearchSpace space) {
    List<Suggestion> all = run(open(space, 7), 100, s -> s.parameterId().hashCode());
    assertThat(all).hasSize(100);
    all.forEach(suggestion -> assertInside(space, suggestion.parameters()));
  }

  @Override
  @ParameterizedTest
  @MethodSource("finiteSpaces")
  public void whatWasTakenBackIsSuggestedAgainOnceOpenedAgain(SearchSpace space) {
    Tuner tuner = open(space, 10);
    List<Suggestion> kept = tuner.suggest(10, 0).items().subList(3, 10);
    Tuner again = open(space, 10);
    kept.forEach(again::remember);
    assertThat(again.suggest(10, 10).items())
        .extracting(s -> s.parameters().values().get("save_checkpoint_dir"))
        .containsExactly("./checkpoint/0/0", "./checkpoint/1/0", "./checkpoint/2/0");
  }

  /** A population goes on among the points that may be tried. */
  @Override
  @ParameterizedTest
  @MethodSource("constrainedSpaces")
  public void everyPointOfAFiniteSpaceThatMayBeTriedIs(SearchSpace space) {
    for (Suggestion suggestion : run(open(space, 13), 100, s -> s.parameterId().hashCode())) {
      assertThat(space.constraints()).allMatch(c -> c.holds(suggestion.parameters().values()));
    }
  }

  private static List<Suggestion> run(
      Tuner tuner, int trials, ToDoubleFunction<Suggestion> metric) {
    List<Suggestion> all = new ArrayList<>();
    for (int number = 0; number < trials; number++) {
      Suggestion next = tuner.suggest(1, number).items().getFirst();
      tuner.learn(new Result(next.parameterId(), next.parameters(), metric.applyAsDouble(next)));
      all.add(next);
    }
    return all;
  }

  private static Tuner tuner(Direction direction, Map<String, ?> given) {
    List<Finding> findings = new ArrayList<>();
    Arguments read = Arguments.read(Pbt.FACTORY.description().options(), given, "", findings);
    assertThat(findings).isEmpty();
    return Pbt.FACTORY.open(new Setting(PLANE, read, direction, 1));
  }

  private static String load(Suggestion suggestion) {
    return String.valueOf(suggestion.parameters().values().get("load_checkpoint_dir"));
  }

  private static String save(Suggestion suggestion) {
    return String.valueOf(suggestion.parameters().values().get("save_checkpoint_dir"));
  }

  private static double n(Suggestion suggestion) {
    return ((Number) suggestion.parameters().values().get("n")).doubleValue();
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void whoIsBehindGoesOnFromOneOfTheBest(Direction direction) {
    Tuner tuner = tuner(direction, Map.of("all_checkpoint_dir", "/data"));
    List<Suggestion> first = run(tuner, 10, PbtTest::n);
    assertThat(first).extracting(PbtTest::save).contains("/data/0/0", "/data/9/0");
    List<Suggestion> second = tuner.suggest(20, 10).items();
    assertThat(second).as("a step has as many trials as the population").hasSize(10);

    Map<String, Double> results = new HashMap<>();
    first.forEach(s -> results.put(save(s), n(s)));
    List<Double> ranks = first.stream().map(PbtTest::n).sorted().toList();
    boolean more = direction == Direction.MAXIMIZE;
    List<Double> best = more ? ranks.subList(8, 10) : ranks.subList(0, 2);
    int moved = 0;
    for (int member = 0; member < 10; member++) {
      Suggestion next = second.get(member);
      assertThat(save(next)).isEqualTo("/data/" + member + "/1");
      if (!load(next).equals("/data/" + member + "/0")) {
        moved++;
        assertThat(results.get(load(next))).isIn(best);
      } else {
        assertThat(n(next)).isEqualTo(n(first.get(member)));
      }
    }
    assertThat(moved).isEqualTo(2);
  }

  @Test
  void aStepWaitsForAllOfTheOneBefore() {
    Tuner tuner = tuner(Direction.MAXIMIZE, Map.of("population_size", 3));
    List<Suggestion> first = tuner.suggest(5, 0).items();
    assertThat(first).hasSize(3);
    for (Suggestion s : first.subList(1, 3)) {
      tuner.learn(new Result(s.parameterId(), s.parameters(), 1));
    }
    assertThat(tuner.suggest(1, 3)).isEqualTo(new Suggestions(List.of(), false));
    Suggestion last = first.getFirst();
    tuner.learn(new Result(last.parameterId(), last.parameters(), Double.NaN));
    assertThat(tuner.suggest(5, 3).items()).hasSize(3);
  }

  @Test
  void whoFailedGoesOnFromAnotherCheckpoint() {
    Tuner tuner = tuner(Direction.MAXIMIZE, Map.of("population_size", 4, "fraction", 0.25));
    List<Suggestion> first = tuner.suggest(4, 0).items();
    for (int i = 0; i < 4; i++) {
      Suggestion s = first.get(i);
      tuner.learn(new Result(s.parameterId(), s.parameters(), i < 3 ? Double.NaN : 1));
    }
    assertThat(tuner.suggest(4, 4).items())
        .extracting(PbtTest::load)
        .containsOnly("./checkpoint/3/0");
  }

  @Test
  void parametersMoveAStepOrAreDrawnAnew() {
    Tuner tuner = tuner(Direction.MAXIMIZE, Map.of("resample_probability", 0));
    List<Suggestion> first = run(tuner, 10, PbtTest::n);
    Map<String, Suggestion> bySave = new HashMap<>();
    first.forEach(s -> bySave.put(save(s), s));
    for (Suggestion next : tuner.suggest(10, 10).items()) {
      Suggestion source = bySave.get(load(next));
      boolean own = load(next).equals(save(next).replace("/1", "/0"));
      assertThat(Math.abs(n(next) - n(source))).isLessThanOrEqualTo(own ? 0 : 1);
    }
  }

  @Test
  void aPopulationGetsBetter() {
    List<Suggestion> all = run(tuner(Direction.MAXIMIZE, Map.of()), 400, PbtTest::n);
    double before = all.subList(0, 10).stream().mapToDouble(PbtTest::n).average().orElseThrow();
    double after = all.subList(390, 400).stream().mapToDouble(PbtTest::n).average().orElseThrow();
    assertThat(after).isGreaterThan(before + 15);
  }

  @Test
  void argumentsAreCalledAsInNni() {
    assertThat(Pbt.FACTORY.description().options())
        .extracting(option -> option.name() + "=" + option.standard())
        .contains(
            "all_checkpoint_dir=null",
            "population_size=10",
            "factor=0.2",
            "resample_probability=0.25",
            "fraction=0.2");
  }
}
