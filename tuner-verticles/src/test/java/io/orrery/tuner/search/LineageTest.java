package io.orrery.tuner.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.Direction;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.SearchSpace;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.Axis;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.History.Trial;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineageTest {
  private static final int DRAWS = 200;

  @Test
  void itsTrialsTookItsBranchesBestFirst() {
    Axes axes = Axes.of(Spaces.NESTED);
    List<Trial> ended = ended(Spaces.NESTED);
    for (int i = 0; i < DRAWS; i++) {
      Lineage lineage = Lineage.drawn(axes, ended, Rng.keyed(1, i));

      assertThat(lineage.trials()).isNotEmpty().isSubsetOf(ended);
      assertThat(lineage.trials())
          .isSortedAccordingTo((a, b) -> Double.compare(a.loss(), b.loss()));
      for (Trial trial : lineage.trials()) {
        assertThat(lineage.bring(trial.point())).isEqualTo(trial.point());
      }
      for (Axis axis : axes.all()) {
        assertThat(Lineage.nested(axis) || Double.isNaN(lineage.branches()[axis.index()])).isTrue();
      }
    }
  }

  @Test
  void aBranchThatWasNotTakenIsDrawnAsWell() {
    Axes axes = Axes.of(Spaces.NESTED);
    List<Trial> ofOne = ended(Spaces.NESTED).stream().filter(t -> t.point()[0] == 1).toList();

    assertThat(drawnOfFirst(axes, ofOne)).isGreaterThan(0);
  }

  @Test
  void theBetterBranchIsDrawnMoreOftenAndTheOtherStillIs() {
    Axes axes = Axes.of(Spaces.NESTED);
    assertThat(drawnOfFirst(axes, ended(Spaces.NESTED))).isBetween(DRAWS / 2L, DRAWS - 1L);
  }

  @Test
  void withoutNestedChoicesItIsAllTrialsAndNothingIsDrawn() {
    List<Trial> ended = ended(Spaces.CONTINUOUS);
    Rng rng = Rng.keyed(1, 1);
    Lineage lineage = Lineage.drawn(Axes.of(Spaces.CONTINUOUS), ended, rng);

    assertThat(lineage.trials()).isEqualTo(ended);
    assertThat(lineage.branches()).containsOnly(Double.NaN);
    assertThat(rng.nextLong()).isEqualTo(Rng.keyed(1, 1).nextLong());
  }

  private static long drawnOfFirst(Axes axes, List<Trial> ended) {
    long drawn = 0;
    for (int i = 0; i < DRAWS; i++) {
      drawn += Lineage.drawn(axes, ended, Rng.keyed(1, i)).branches()[0] == 0 ? 1 : 0;
    }
    return drawn;
  }

  /** Thirty trials, worse by chance, and much worse under the second option of the first choice. */
  private static List<Trial> ended(SearchSpace space) {
    Axes axes = Axes.of(space);
    History history = new History(Objectives.of(Direction.MINIMIZE));
    for (int i = 0; i < 30; i++) {
      Rng rng = Rng.keyed(9, i);
      double[] point = axes.sample(rng);
      double loss = rng.nextDouble() + point[0];
      history.end(new Result(Integer.toString(i), axes.decode(point), loss), point);
    }
    return Lineage.byLoss(history);
  }
}
