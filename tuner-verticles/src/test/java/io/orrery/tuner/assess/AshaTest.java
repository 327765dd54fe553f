package io.orrery.tuner.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AshaTest extends AssessorContract {
  @Override
  protected AssessorFactory factory() {
    return Asha.FACTORY;
  }

  private static List<Double> flat(double value, int length) {
    return Collections.nCopies(length, value);
  }

  @Test
  void ofThreeAtARungOneGoesOn() {
    Assessor assessor = open(Direction.MAXIMIZE);
    assertThat(good(assessor.assess("a", flat(0.5, 1)))).isTrue();
    assertThat(good(assessor.assess("b", flat(0.4, 1)))).isFalse();
    assertThat(good(assessor.assess("c", flat(0.6, 1)))).isTrue();
    assertThat(good(assessor.assess("d", flat(0.55, 1)))).isFalse();
    assertThat(good(assessor.assess("e", flat(0.1, 1)))).isFalse();
    assertThat(good(assessor.assess("f", flat(0.55, 1))))
        .as("two of six go on, and two are no worse")
        .isTrue();
  }

  @Test
  void rungsStandAtPowersOfTheFactor() {
    Assessor assessor = open(Direction.MINIMIZE, Map.of("min_resource", 2));
    for (int i = 0; i < 6; i++) {
      assessor.ended("t" + i, true, flat(i, 20));
    }
    assertThat(good(assessor.assess("x", flat(9, 1)))).as("before the first rung").isTrue();
    assertThat(good(assessor.assess("x", flat(9, 2)))).isFalse();
    List<Double> late = List.of(0.5, 0.5, 9.0, 9.0, 9.0, 9.0);
    assertThat(good(assessor.assess("y", late.subList(0, 5)))).as("the next rung is 6").isTrue();
    assertThat(good(assessor.assess("y", late))).isFalse();
  }

  @Test
  void theFirstRungsMayBeLeftOut() {
    Assessor assessor = open(Direction.MINIMIZE, Map.of("min_early_stopping_rate", 2));
    for (int i = 0; i < 6; i++) {
      assessor.ended("t" + i, true, flat(i, 20));
    }
    assertThat(good(assessor.assess("x", flat(9, 8)))).isTrue();
    assertThat(good(assessor.assess("x", flat(9, 9)))).isFalse();
  }

  @Test
  void oneThatWasEarlyIsComparedWithThoseThatCameLater() {
    Assessor assessor = open(Direction.MAXIMIZE);
    assertThat(good(assessor.assess("early", flat(0.1, 1)))).isTrue();
    assertThat(good(assessor.assess("later", flat(0.9, 1)))).isTrue();
    assertThat(good(assessor.assess("early", flat(0.1, 2)))).isFalse();
  }

  @Test
  void aResultThatIsNoNumberIsTheWorst() {
    Assessor assessor = open(Direction.MAXIMIZE);
    assessor.ended("a", true, flat(-1e300, 1));
    assertThat(good(assessor.assess("b", flat(Double.NaN, 1)))).isFalse();
  }
}
