package io.orrery.tuner.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.core.problem.Finding;
import io.orrery.tuner.assess.Assessor.Verdict;
import io.orrery.tuner.search.Arguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MedianStopTest {
  private static Assessor open(Direction direction, int startStep) {
    List<Finding> findings = new ArrayList<>();
    Arguments arguments =
        Arguments.read(
            MedianStop.FACTORY.description().options(),
            Map.of("start_step", startStep),
            "",
            findings);
    assertThat(findings).isEmpty();
    return MedianStop.FACTORY.open(arguments, direction);
  }

  @Test
  void withoutAnyEndedTrialAllAreGood() {
    assertThat(open(Direction.MAXIMIZE, 0).assess("a", List.of(0.0))).isEqualTo(Verdict.GOOD);
  }

  @Test
  void theBestSoFarIsComparedWithTheMedianOfRunningAverages() {
    Assessor assessor = open(Direction.MAXIMIZE, 0);
    assessor.ended("a", true, List.of(0.1, 0.3)); // averages 0.1, 0.2
    assessor.ended("b", true, List.of(0.5, 0.7)); // averages 0.5, 0.6
    assessor.ended("c", true, List.of(0.8, 1.0)); // averages 0.8, 0.9
    assertThat(assessor.assess("d", List.of(0.4))).isEqualTo(Verdict.BAD);
    assertThat(assessor.assess("d", List.of(0.5))).isEqualTo(Verdict.GOOD);
    assertThat(assessor.assess("d", List.of(0.65, 0.0))).isEqualTo(Verdict.GOOD);
    assertThat(assessor.assess("d", List.of(0.55, 0.59))).isEqualTo(Verdict.BAD);
    assertThat(assessor.assess("d", List.of(0.0, 0.0, 0.0))).isEqualTo(Verdict.GOOD);
  }

  @Test
  void ofTwoMiddlesTheEasierCounts() {
    Assessor more = open(Direction.MAXIMIZE, 0);
    more.ended("a", true, List.of(1.0));
    more.ended("b", true, List.of(3.0));
    assertThat(more.assess("c", List.of(1.5))).isEqualTo(Verdict.GOOD);
    assertThat(more.assess("c", List.of(0.5))).isEqualTo(Verdict.BAD);
    Assessor less = open(Direction.MINIMIZE, 0);
    less.ended("a", true, List.of(1.0));
    less.ended("b", true, List.of(3.0));
    assertThat(less.assess("c", List.of(2.5))).isEqualTo(Verdict.GOOD);
    assertThat(less.assess("c", List.of(3.5))).isEqualTo(Verdict.BAD);
  }

  @Test
  void nobodyIsJudgedBeforeTheStartStep() {
    Assessor assessor = open(Direction.MAXIMIZE, 2);
    assessor.ended("a", true, List.of(1.0, 1.0));
    assertThat(assessor.assess("b", List.of(0.0))).isEqualTo(Verdict.GOOD);
    assertThat(assessor.assess("b", List.of(0.0, 0.0))).isEqualTo(Verdict.BAD);
  }

  @Test
  void trialsThatDidNotSucceedHaveNoSay() {
    Assessor assessor = open(Direction.MAXIMIZE, 0);
    assessor.ended("a", false, List.of(1.0));
    assertThat(assessor.assess("b", List.of(0.0))).isEqualTo(Verdict.GOOD);
  }

  @Test
  void valuesThatAreNoNumbersDoNoHarm() {
    Assessor assessor = open(Direction.MAXIMIZE, 0);
    assessor.ended("a", true, List.of(Double.NaN, 1.0));
    assessor.ended("b", true, List.of(0.5, 0.5));
    assertThat(assessor.assess("c", List.of(0.6, Double.NaN))).isEqualTo(Verdict.GOOD);
    assertThat(assessor.assess("c", List.of(Double.NaN))).isEqualTo(Verdict.BAD);
  }
}
