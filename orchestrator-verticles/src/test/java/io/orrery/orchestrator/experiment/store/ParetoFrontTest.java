package io.orrery.orchestrator.experiment.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objective;
import io.orrery.core.metric.Objectives;
import io.orrery.orchestrator.experiment.store.ParetoFront.Reached;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParetoFrontTest {
  private static final Objectives TWO =
      new Objectives(
          List.of(
              new Objective("accuracy", Direction.MAXIMIZE),
              new Objective("latency", Direction.MINIMIZE)));

  @Test
  void noneInItIsWorseInEverythingAndTheBestInTheFirstObjectiveLeads() {
    List<Reached> trials =
        List.of(
            new Reached(0, List.of(0.8, 10.0)),
            new Reached(1, List.of(0.9, 30.0)),
            new Reached(2, List.of(0.8, 11.0)),
            new Reached(3, List.of(0.7, 5.0)),
            new Reached(4, List.of(0.6, 6.0)),
            new Reached(5, List.of(0.8, 10.0)));

    assertThat(ParetoFront.front(trials, TWO))
        .extracting(Reached::sequence)
        .containsExactly(1L, 0L, 5L, 3L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void itIsWhatComparingAllWithAllGives(int objectives) {
    List<Objective> all = new ArrayList<>();
    for (int i = 0; i < objectives; i++) {
      all.add(new Objective("m" + i, i % 2 == 0 ? Direction.MINIMIZE : Direction.MAXIMIZE));
    }
    Objectives goals = new Objectives(all);
    SplittableRandom random = new SplittableRandom(objectives);
    List<Reached> trials = new ArrayList<>();
    for (long i = 0; i < 300; i++) {
      // Few different values, so that there are ties.
      trials.add(
          new Reached(i, all.stream().map(objective -> (double) random.nextInt(12)).toList()));
    }

    assertThat(ParetoFront.front(trials, goals))
        .containsExactlyInAnyOrderElementsOf(
            trials.stream()
                .filter(trial ->
                    trials.stream()
                        .noneMatch(other -> goals.dominates(other.values(), trial.values())))
                .toList());
  }
}
