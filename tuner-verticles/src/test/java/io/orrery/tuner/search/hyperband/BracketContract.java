package io.orrery.tuner.search.hyperband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerContract;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of every tuner that sets budgets. A configuration comes back with more of it, and a
 * tuner may have to wait for results: there the general contract reads otherwise.
 */
public abstract class BracketContract extends TunerContract {
  @Override
  protected void assertInside(SearchSpace space, Parameters parameters) {
    assertThat(budget(parameters)).isPositive();
    super.assertInside(space, configuration(parameters));
  }

  /** The budget of a trial. */
  public static long budget(Parameters parameters) {
    return (Long) parameters.values().get(BracketTuner.BUDGET);
  }

  /** The parameters of a trial without its budget. */
  public static Parameters configuration(Parameters parameters) {
    Map<String, Object> values = new LinkedHashMap<>(parameters.values());
    values.remove(BracketTuner.BUDGET);
    return new Parameters(values);
  }

  @Override
  @ParameterizedTest
  @MethodSource("finiteSpaces")
  public void aFiniteSpaceIsUsedUpWithoutRepetition(SearchSpace space) {
    usesUp(space, points(space));
  }

  @Override
  @ParameterizedTest
  @MethodSource("constrainedSpaces")
  public void everyPointOfAFiniteSpaceThatMayBeTriedIs(SearchSpace space) {
    assumeThat(points(space)).isPositive();
    usesUp(space, allowed(space));
  }

  private void usesUp(SearchSpace space, int points) {
    Tuner tuner = open(space, 7);
    Set<String> configurations = new HashSet<>();
    Set<String> trials = new HashSet<>();
    Suggestions next = tuner.suggest(3, 0);
    for (long number = 0; !next.exhausted(); next = tuner.suggest(3, number)) {
      assertThat(next.items()).as("all have ended: something must follow").isNotEmpty();
      for (Suggestion suggestion : next.items()) {
        assertThat(trials.add(suggestion.parameters().canonical())).isTrue();
        configurations.add(configuration(suggestion.parameters()).canonical());
        tuner.learn(new Result(suggestion.parameterId(), suggestion.parameters(), number++ % 7));
      }
    }
    assertThat(configurations).hasSize(points);
    assertThat(tuner.suggest(5, trials.size())).isEqualTo(new Suggestions(List.of(), true));
  }

  @Override
  @ParameterizedTest
  @MethodSource("finiteSpaces")
  public void whatWasTakenBackIsSuggestedAgainOnceOpenedAgain(SearchSpace space) {
    List<Suggestion> kept = new ArrayList<>();
    RandomGenerator random = Rng.keyed(11, 0);
    long number = 0;
    boolean exhausted = false;
    while (!exhausted) {
      Tuner tuner = open(space, 10);
      for (Suggestion suggestion : kept) {
        tuner.remember(suggestion);
        tuner.learn(new Result(suggestion.parameterId(), suggestion.parameters(), 1));
      }
      Suggestions next = tuner.suggest(3, number);
      number += next.items().size();
      int takenBack = next.items().isEmpty() ? 0 : random.nextInt(next.items().size());
      kept.addAll(next.items().subList(takenBack, next.items().size()));
      exhausted = next.exhausted();
    }
    assertThat(kept)
        .extracting(suggestion -> suggestion.parameters().canonical())
        .doesNotHaveDuplicates();
    assertThat(kept).extracting(Suggestion::parameterId).doesNotHaveDuplicates();
    assertThat(kept.stream().map(s -> configuration(s.parameters()).canonical()).distinct())
        .hasSize(points(space));
  }
}
