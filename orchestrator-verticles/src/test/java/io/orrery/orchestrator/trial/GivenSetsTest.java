package io.orrery.orchestrator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GivenSetsTest {
  private static final TrialId TRIAL = new TrialId("trial001");
  private static final MetricValue RESULT = new MetricValue(0.5, null);

  private final GivenSets sets = new GivenSets(List.of(new GivenSet(set(0), 1)));
  private final LongSupplier ordinals = LongStream.iterate(5, n -> n + 1).iterator()::next;

  @Test
  void oneSetEndsWithItsTrial() {
    assertThat(sets.several()).isFalse();
    assertThat(sets.of("7")).as("whatever a report says").isSameAs(sets.all().getFirst());
    assertThat(sets.anyOpen()).isTrue();

    GivenSets settled = settled(sets, TrialStatus.SUCCEEDED, RESULT, null);

    assertThat(settled.anyOpen()).isFalse();
    assertThat(settled.hasGoneOnFrom("0")).isFalse();
    assertThat(settled.resultOf("0")).isEqualTo(RESULT);
    assertThat(settled.ends(TRIAL, TrialStatus.SUCCEEDED, 5))
        .containsExactly(end(5, "0", TrialStatus.SUCCEEDED, RESULT));
    assertThat(settled.ends(TRIAL, TrialStatus.SUCCEEDED, 6)).isEmpty();
  }

  @Test
  void ofSeveralTheBestResultIsTheTrials() {
    GivenSets gone = sets.ended(0, TrialStatus.SUCCEEDED, RESULT, 2).with(set(1), 3);

    assertThat(gone.hasGoneOnFrom("0")).isTrue();
    assertThat(gone.hasGoneOnFrom("1")).isFalse();
    assertThat(gone.metric()).as("it runs").isNull();
    GivenSets settled = settled(gone, TrialStatus.FAILED, MetricValue.of(0.1), "1");

    assertThat(settled.metric()).isEqualTo(RESULT);
    assertThat(settled.settledOrdinal()).as("after the end of its last set").isEqualTo(6);
    assertThat(settled.ends(TRIAL, TrialStatus.FAILED, 0))
        .containsExactly(
            end(2, "0", TrialStatus.SUCCEEDED, RESULT),
            end(5, "1", TrialStatus.FAILED, MetricValue.of(0.1)));
  }

  @Test
  void aLateResultOfOneSetLeavesItsStatusAndMayBeTheBest() {
    GivenSets gone = sets.ended(0, TrialStatus.SUCCEEDED, null, 2).with(set(1), 3);
    MetricValue late = MetricValue.of(0.9);

    GivenSets running = gone.corrected(gone.all().getFirst(), late, Direction.MAXIMIZE, () -> 4L);
    assertThat(running.metric()).as("it runs").isNull();
    assertThat(running.ends(TRIAL, TrialStatus.RUNNING, 3))
        .containsExactly(end(4, "0", TrialStatus.SUCCEEDED, late));

    GivenSets settled = settled(gone, TrialStatus.FAILED, RESULT, "1");
    GivenSets corrected =
        settled.corrected(settled.all().getFirst(), late, Direction.MAXIMIZE, ordinals);
    assertThat(corrected.metric()).isEqualTo(late);
    assertThat(corrected.settledOrdinal()).isEqualTo(settled.settledOrdinal());
    assertThat(corrected.ends(TRIAL, TrialStatus.FAILED, 7))
        .containsExactly(end(7, "0", TrialStatus.SUCCEEDED, late));
  }

  /** The place of the first attempt's end is stored: it must be stored anew with the second's. */
  @Test
  void whatHasHadAnEndOfItsOwnHasOneInTheNextAttemptAsWell() {
    GivenSets again = sets.ended(0, TrialStatus.SUCCEEDED, RESULT, 2).again();

    assertThat(again.several()).isTrue();
    assertThat(again.anyOpen()).isTrue();
    GivenSet first = settled(again, TrialStatus.FAILED, null, null).all().getFirst();
    assertThat(first.settled()).isEqualTo(5);
    assertThat(first.status()).isEqualTo(TrialStatus.FAILED);
  }

  @Test
  void whatIsStoredOfAnAttemptBeforeIsKnownAfterARestart() {
    assertThat(sets.recalled(0, 1, null, null).several()).isTrue();
  }

  private GivenSets settled(
      GivenSets sets, TrialStatus as, @Nullable MetricValue result, @Nullable String parameterId) {
    return sets.settled(as, result, parameterId, Direction.MAXIMIZE, ordinals);
  }

  private static Trials.Settled end(
      long ordinal, String parameterId, TrialStatus as, MetricValue result) {
    return new Trials.Settled(ordinal, TRIAL, parameterId, Parameters.EMPTY, as, result);
  }

  private static ParameterSet set(int index) {
    return new ParameterSet(
        index, String.valueOf(index), ParameterSource.ALGORITHM, Parameters.EMPTY);
  }
}
