package io.orrery.tuner.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.tuner.assess.Assessor.Verdict;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Arguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of every assessor, whatever its rule; each one's test extends it. */
public abstract class AssessorContract {
  protected static final int EPOCHS = 20;

  protected abstract AssessorFactory factory();

  /** Arguments with which it judges trials of 20 results. */
  protected Map<String, Object> arguments() {
    return Map.of();
  }

  protected final Assessor open(Direction direction) {
    return open(direction, arguments());
  }

  protected final Assessor open(Direction direction, Map<String, ?> given) {
    List<Finding> findings = new ArrayList<>();
    Arguments read = Arguments.read(factory().description().options(), given, "", findings);
    assertThat(findings).isEmpty();
    return factory().open(read, direction);
  }

  protected static boolean good(Verdict verdict) {
    return verdict instanceof Verdict.Good;
  }

  /** A curve that rises towards its end, with a little noise. */
  protected static List<Double> curve(double end, RandomGenerator random) {
    double rate = 0.1 + 0.3 * random.nextDouble();
    List<Double> curve = new ArrayList<>();
    for (int step = 1; step <= EPOCHS; step++) {
      curve.add(end * (1 - Math.exp(-rate * step)) + 0.01 * random.nextDouble());
    }
    return curve;
  }

  private static List<Double> negated(List<Double> curve) {
    return curve.stream().map(value -> -value).toList();
  }

  /**
   * Runs trials until each has ended, some at once, and says what became of them.
   *
   * @return by trial the step at which it was stopped, or that it came to its end
   */
  private static List<Integer> play(Assessor assessor, List<List<Double>> curves, int parallel) {
    List<Integer> lengths = new ArrayList<>();
    for (int from = 0; from < curves.size(); from += parallel) {
      int to = Math.min(from + parallel, curves.size());
      int[] length = new int[to - from];
      boolean[] stopped = new boolean[to - from];
      for (int step = 1; step <= EPOCHS; step++) {
        for (int i = 0; i < length.length; i++) {
          if (!stopped[i]) {
            length[i] = step;
            List<Double> sofar = curves.get(from + i).subList(0, step);
            stopped[i] = step < EPOCHS && !good(assessor.assess("t" + (from + i), sofar));
          }
        }
      }
      for (int i = 0; i < length.length; i++) {
        assessor.ended("t" + (from + i), !stopped[i], curves.get(from + i).subList(0, length[i]));
        lengths.add(length[i]);
      }
    }
    return lengths;
  }

  private static List<List<Double>> curves(long seed, int count) {
    RandomGenerator random = Rng.keyed(seed, 0);
    List<List<Double>> curves = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      curves.add(curve(random.nextDouble(), random));
    }
    return curves;
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void theSameTrialsGiveTheSameVerdicts(Direction direction) {
    List<List<Double>> curves = curves(1, 40);
    assertThat(play(open(direction), curves, 4)).isEqualTo(play(open(direction), curves, 4));
  }

  @Test
  void itIsTheSameInEitherDirection() {
    List<List<Double>> curves = curves(2, 40);
    List<List<Double>> mirrored = curves.stream().map(AssessorContract::negated).toList();
    assertThat(play(open(Direction.MAXIMIZE), curves, 3))
        .isEqualTo(play(open(Direction.MINIMIZE), mirrored, 3));
  }

  @Test
  void itStopsMostOfTheBadOnes() {
    List<Integer> lengths = play(open(Direction.MAXIMIZE), curves(3, 100), 1);
    assertThat(lengths.stream().mapToInt(n -> n).sum()).isLessThan(80 * EPOCHS);
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void oneThatWasToldOnlyHowTrialsEndedJudgesTheNextAsTheOneThatSawThemRun(Direction direction) {
    List<List<Double>> curves = curves(4, 30);
    Assessor witness = open(direction);
    List<Integer> lengths = play(witness, curves, 3);
    Assessor rebuilt = open(direction);
    for (int i = 0; i < curves.size(); i++) {
      rebuilt.ended("t" + i, lengths.get(i) == EPOCHS, curves.get(i).subList(0, lengths.get(i)));
    }
    List<List<Double>> later = curves(5, 20);
    assertThat(play(rebuilt, later.reversed(), 2)).isEqualTo(play(witness, later.reversed(), 2));
  }

  @Test
  void theFirstTrialIsLeftAlone() {
    assertThat(play(open(Direction.MAXIMIZE), curves(6, 1), 1)).containsExactly(EPOCHS);
  }

  @Test
  void whoIsBestFromTheBeginningComesToItsEnd() {
    List<List<Double>> curves = new ArrayList<>(curves(7, 30));
    List<Double> best = curves.getFirst().stream().map(value -> 2 + value).toList();
    curves.add(best);
    assertThat(play(open(Direction.MAXIMIZE), curves, 1).getLast()).isEqualTo(EPOCHS);
  }

  @ParameterizedTest
  @EnumSource(Direction.class)
  void nonsenseIsTakenInStride(Direction direction) {
    Assessor assessor = open(direction);
    RandomGenerator random = Rng.keyed(8, 0);
    double[] nonsense = {
      Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, -0.0, 1e308, -1e308, 1e-320
    };
    for (int trial = 0; trial < 200; trial++) {
      List<Double> results = new ArrayList<>();
      int length = random.nextInt(2 * EPOCHS);
      for (int step = 0; step < length; step++) {
        results.add(nonsense[random.nextInt(nonsense.length)]);
        assertThat(assessor.assess("t" + trial, results)).isNotNull();
      }
      assessor.ended("t" + trial, random.nextBoolean(), results);
    }
    assertThat(good(assessor.assess("new", List.of(0.5)))).isIn(true, false);
  }

  @Test
  void aReasonIsOneClauseWithNumbers() {
    Assessor assessor = open(Direction.MAXIMIZE);
    RandomGenerator random = Rng.keyed(9, 0);
    for (int i = 0; i < 30; i++) {
      assessor.ended("t" + i, true, curve(0.8 + 0.1 * random.nextDouble(), random));
    }
    List<Double> poor = curve(0.1, random);
    for (int step = 1; step < EPOCHS; step++) {
      if (assessor.assess("poor", poor.subList(0, step)) instanceof Verdict.Bad(String why)) {
        assertThat(why).containsPattern("\\d").doesNotContain("\n").doesNotEndWith(".");
        return;
      }
    }
    throw new AssertionError("a trial at a tenth of all others was not stopped");
  }
}
