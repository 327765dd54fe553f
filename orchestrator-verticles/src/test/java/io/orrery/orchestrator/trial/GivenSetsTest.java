package io.orrery.orchestrator.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class GivenSetsTest {
  private static final MetricValue RESULT = new MetricValue(0.5, null);

  private final GivenSets sets = new GivenSets(List.of(new GivenSet(set(0), 1)));

  @Test
  void oneSetEndsWithItsTrial() {
    assertThat(sets.several()).isFalse();
    assertThat(sets.of("7")).as("whatever a report says").isSameAs(sets.all().getFirst());
  }

  /** The place of the first attempt's end is stored: it must be stored anew with the second's. */
  @Test
  void whatHasHadAnEndOfItsOwnHasOneInTheNextAttemptAsWell() {
    sets.end(0, TrialStatus.SUCCEEDED, RESULT, 2);
    sets.again();

    assertThat(sets.several()).isTrue();
    assertThat(sets.anyOpen()).isTrue();
    sets.endAll(TrialStatus.FAILED, null, null, () -> 5);
    assertThat(sets.all().getFirst().settled()).isEqualTo(5);
    assertThat(sets.all().getFirst().status()).isEqualTo(TrialStatus.FAILED);
  }

  @Test
  void whatIsStoredOfAnAttemptBeforeIsKnownAfterARestart() {
    sets.recall(0, 1, null, null);

    assertThat(sets.several()).isTrue();
  }

  private static ParameterSet set(int index) {
    return new ParameterSet(index, "7", ParameterSource.ALGORITHM, Parameters.EMPTY);
  }
}
