package io.orrery.tuner.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.tuner.assess.Assessor.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MedianStopTest extends AssessorContract {
  @Override
  protected AssessorFactory factory() {
    return MedianStop.FACTORY;
  }

  private Assessor open(Direction direction, int startStep) {
    return open(direction, Map.of("start_step", startStep));
  }

  @Test
  void withoutAnyEndedTrialAllAreGood() {
    assertThat(open(Direction.MAXIMIZE, 0).assess("a", List.of(0.0)))
        .isInstanceOf(Verdict.Good.class);
  }

  @Test
  void theBestSoFarIsComparedWithTheMedianOfRunningAverages() {
    Assessor assessor = open(Direction.MAXIMIZE, 0);
    assessor.ended("a", true, List.of(0.1, 0.3)); // averages 0.1, 0.2
    assessor.ended("b", true, List.of(0.5, 0.7)); // averages 0.5, 0.6
    assessor.ended("c", true, List.of(0.8, 1.0)); // averages 0.8, 0.9
    assertThat(assessor.assess("d", List.of(0.4))).isInstanceOf(Verdict.Bad.class);
    assertThat(assessor.assess("d", List.of(0.5))).isInstanceOf(Verdict.Good.class);
    assertThat(assessor.assess("d", List.of(0.65, 0.0))).isInstanceOf(Verdict.Good.class);
    assertThat(assessor.assess("d", List.of(0.55, 0.59))).isInstanceOf(Verdict.Bad.class);
    assertThat(assessor.assess("d", List.of(0.0, 0.0, 0.0))).isInstanceOf(Verdict.Good.class);
  }

  @Test
  void ofTwoMiddlesTheEasierCounts() {
    Assessor more = open(Direction.MAXIMIZE, 0);
    more.ended("a", true, List.of(1.0));
    more.ended("b", true, List.of(3.0));
    assertThat(more.assess("c", List.of(1.5))).isInstanceOf(Verdict.Good.class);
    assertThat(more.assess("c", List.of(0.5))).isInstanceOf(Verdict.Bad.class);
    Assessor less = open(Direction.MINIMIZE, 0);
    less.ended("a", true, List.of(1.0));
    less.ended("b", true, List.of(3.0));
    assertThat(less.assess("c", List.of(2.5))).isInstanceOf(Verdict.Good.class);
    assertThat(less.assess("c", List.of(3.5))).isInstanceOf(Verdict.Bad.class);
  }

  @Test
  void noTrialIsJudgedBeforeTheStartStep() {
    Assessor assessor = open(Direction.MAXIMIZE, 2);
    assessor.ended("a", true, List.of(1.0, 1.0));
    assertThat(assessor.assess("b", List.of(0.0))).isInstanceOf(Verdict.Good.class);
    assertThat(assessor.assess("b", List.of(0.0, 0.0))).isInstanceOf(Verdict.Bad.class);
  }

  @Test
  void trialsThatDidNotSucceedHaveNoSay() {
    Assessor assessor = open(Direction.MAXIMIZE, 0);
    assessor.ended("a", false, List.of(1.0));
    assertThat(assessor.assess("b", List.of(0.0))).isInstanceOf(Verdict.Good.class);
  }

  /** C2. */
  @Test
  void nanIsWorseThanAnythingAndGoodInfinityIsNoMeasure() {
    Assessor assessor = open(Direction.MAXIMIZE, 0);
    assessor.ended("a", true, List.of(Double.NaN, 1.0));
    assessor.ended("b", true, List.of(0.5, 0.5));
    assessor.ended("c", true, List.of(Double.POSITIVE_INFINITY, 0.5));
    assessor.ended("d", true, List.of(0.5, 0.5));
    assertThat(assessor.assess("e", List.of(0.6, Double.NaN))).isInstanceOf(Verdict.Good.class);
    assertThat(assessor.assess("e", List.of(Double.POSITIVE_INFINITY)))
        .isInstanceOf(Verdict.Good.class);
    assertThat(assessor.assess("e", List.of(Double.NEGATIVE_INFINITY, 0.1)))
        .isInstanceOf(Verdict.Bad.class);
    assertThat(assessor.assess("e", List.of(Double.NaN)))
        .isEqualTo(
            new Verdict.Bad(
                "the best of its 1 intermediate results, not a finite number, is worse than"
                    + " 0.500000, the median of the running averages that other trials had there"));
  }

  @Test
  void whatIsNotStrictlyWorseIsGood() {
    for (Direction direction : Direction.values()) {
      Assessor assessor = open(direction, 0);
      assessor.ended("a", true, List.of(0.5, 0.5));
      assertThat(assessor.assess("b", List.of(0.5))).isInstanceOf(Verdict.Good.class);
    }
  }

  @Test
  void theOrderInWhichOthersEndedDoesNotMatter() {
    List<List<Double>> curves = List.of(List.of(0.1, 0.9), List.of(0.4), List.of(0.7, 0.2, 0.3));
    Assessor one = open(Direction.MAXIMIZE, 0);
    Assessor other = open(Direction.MAXIMIZE, 0);
    for (int i = 0; i < curves.size(); i++) {
      one.ended("t" + i, true, curves.get(i));
      other.ended("t" + i, true, curves.reversed().get(i));
    }
    for (double value = 0; value < 1; value += 0.05) {
      for (List<Double> results : List.of(List.of(value), List.of(0.0, value))) {
        assertThat(one.assess("x", results)).isEqualTo(other.assess("x", results));
      }
    }
  }

  @Test
  void theMedianIsThatOfAllHoweverManyThereAre() {
    List<Double> averages = new ArrayList<>();
    Assessor assessor = open(Direction.MINIMIZE, 0);
    SplittableRandom random = new SplittableRandom(7);
    for (int trial = 0; trial < 200; trial++) {
      double average = random.nextDouble();
      averages.add(average);
      assessor.ended("t" + trial, true, List.of(average));
      double median = averages.stream().sorted().toList().get(averages.size() / 2);
      assertThat(assessor.assess("x", List.of(median))).isInstanceOf(Verdict.Good.class);
      assertThat(assessor.assess("x", List.of(Math.nextUp(median))))
          .isInstanceOf(Verdict.Bad.class);
    }
  }

  @Test
  void aBadTrialIsToldTheNumbers() {
    Assessor assessor = open(Direction.MAXIMIZE, 0);
    assessor.ended("a", true, List.of(0.75, 0.25));
    assertThat(assessor.assess("b", List.of(0.25, 0.125)))
        .isInstanceOfSatisfying(
            Verdict.Bad.class,
            bad -> assertThat(bad.why()).contains("2 intermediate", "0.25", "0.5"));
  }

  @Test
  void argumentsAreCalledAsInNni() {
    assertThat(MedianStop.FACTORY.description().options())
        .extracting(option -> option.name() + "=" + option.standard())
        .containsExactly("optimize_mode=null", "start_step=0");
  }
}
