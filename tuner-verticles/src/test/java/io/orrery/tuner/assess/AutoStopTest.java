package io.orrery.tuner.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.math.Rng;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AutoStopTest extends AssessorContract {
  @Override
  protected AssessorFactory factory() {
    return AutoStop.FACTORY;
  }

  /** The outcome of a rule: what it cost and what it saved. */
  private record Outcome(double share, double loss) {}

  /** A source of 100 trials of 20 epochs; larger is better. */
  private interface Curves {
    List<Double> next(double end, RandomGenerator random);
  }

  private Outcome play(Curves curves, long seed) {
    RandomGenerator random = Rng.keyed(seed, 0);
    Assessor assessor = open(Direction.MAXIMIZE);
    int epochs = 0;
    double best = 0;
    double kept = 0;
    for (int trial = 0; trial < 100; trial++) {
      List<Double> curve = curves.next(random.nextDouble(), random);
      best = Math.max(best, curve.getLast());
      int step = 1;
      while (step < EPOCHS && good(assessor.assess("t" + trial, curve.subList(0, step)))) {
        step++;
      }
      epochs += step;
      assessor.ended("t" + trial, step == EPOCHS, curve.subList(0, step));
      kept = step == EPOCHS ? Math.max(kept, curve.getLast()) : kept;
    }
    return new Outcome(epochs / (100.0 * EPOCHS), best - kept);
  }

  private Outcome mean(Curves curves) {
    double share = 0;
    double loss = 0;
    for (long seed = 0; seed < 20; seed++) {
      Outcome outcome = play(curves, seed);
      share += outcome.share() / 20;
      loss += outcome.loss() / 20;
    }
    return new Outcome(share, loss);
  }

  @Test
  void whereEarlyResultsTellItSavesHalfAndLosesNothing() {
    Outcome outcome = mean(AssessorContract::curve);
    assertThat(outcome.share()).isLessThan(0.55);
    assertThat(outcome.loss()).isLessThan(0.005);
  }

  @Test
  void whereEarlyResultsTellNothingItHoldsBack() {
    Outcome outcome =
        mean((end, random) -> {
          List<Double> curve = new ArrayList<>();
          for (int step = 1; step < EPOCHS; step++) {
            curve.add(random.nextDouble());
          }
          curve.add(end);
          return curve;
        });
    assertThat(outcome.loss()).isLessThan(0.01);
  }

  @Test
  void whereThoseThatStartSlowlyEndBestItHoldsBack() {
    Outcome outcome =
        mean((end, random) -> {
          List<Double> curve = new ArrayList<>();
          for (int step = 1; step <= EPOCHS; step++) {
            curve.add(end * (1 - Math.exp(-(1.1 - end) * step / 4)));
          }
          return curve;
        });
    assertThat(outcome.loss()).isLessThan(0.01);
  }

  @Test
  void noTrialIsStoppedBeforeTenHaveSucceeded() {
    Assessor assessor = open(Direction.MAXIMIZE);
    for (int trial = 0; trial < 9; trial++) {
      assessor.ended("t" + trial, true, Collections.nCopies(EPOCHS, 1.0));
      assessor.ended("f" + trial, false, Collections.nCopies(EPOCHS, 1.0));
      assertThat(good(assessor.assess("poor", Collections.nCopies(10, 0.0)))).isTrue();
    }
    assessor.ended("t9", true, Collections.nCopies(EPOCHS, 1.0));
    assertThat(good(assessor.assess("poor", Collections.nCopies(10, 0.0)))).isFalse();
  }

  @Test
  void oneGoodTrialThatWasAsBadSavesAll() {
    Assessor assessor = open(Direction.MAXIMIZE);
    for (int trial = 0; trial < 20; trial++) {
      assessor.ended("t" + trial, true, Collections.nCopies(EPOCHS, 0.8));
    }
    List<Double> poor = Collections.nCopies(10, 0.1);
    assertThat(good(assessor.assess("poor", poor))).isFalse();
    List<Double> late = new ArrayList<>(Collections.nCopies(EPOCHS - 1, 0.05));
    late.add(0.9);
    assessor.ended("late", true, late);
    assertThat(good(assessor.assess("poor", poor))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void itTakesThreeInARow(int step) {
    Assessor assessor = open(Direction.MAXIMIZE);
    for (int trial = 0; trial < 20; trial++) {
      assessor.ended("t" + trial, true, Collections.nCopies(EPOCHS, 0.8));
    }
    assertThat(good(assessor.assess("poor", Collections.nCopies(step, 0.1)))).isTrue();
    assertThat(good(assessor.assess("poor", List.of(0.9, 0.1, 0.1, 0.1, 0.1))))
        .as("it was better once")
        .isTrue();
  }

  @Test
  void someAreLetThroughToLearnFrom() {
    Assessor assessor = open(Direction.MAXIMIZE);
    for (int trial = 0; trial < 20; trial++) {
      assessor.ended("t" + trial, true, Collections.nCopies(EPOCHS, 0.8));
    }
    int probes = 0;
    for (int trial = 0; trial < 1_000; trial++) {
      probes += good(assessor.assess("x" + trial, Collections.nCopies(10, 0.1))) ? 1 : 0;
    }
    assertThat(probes).isBetween(25, 80);
  }
}
