package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.id.AttemptRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what trials are given by a tuner that is at work and may be waiting for a result. */
class FurtherSetsOfThreadsTest extends FurtherSetsFixture {
  private static final Occurrence THINKS =
      new Occurrence.Suggested(1, new Tuners.Suggestions(List.of(), false, true));

  /** The tuner may wait for the plan, which waits for a slot, and both slots for the tuner. */
  @Test
  void aFullLineMakesRoomWhenTheTunerHasBeenAtWorkForAWhile() {
    ExperimentModel model = running(spec(2, null), 2);
    List<AttemptRef> both = bothWait(model);
    assertThat(decide(model, THINKS)).as("it may be at work").containsExactly(asked(3));

    Instant later = NOW.plus(FurtherSetRequests.LAUNCH);
    assertThat(model.decide(THINKS, later))
        .as("one of them is enough, and the tuner is asked for a plan meanwhile")
        .containsExactly(new Decision.GiveSet(both.get(0), 1, null), asked(3));
    assertThat(model.decide(THINKS, later)).as("it makes room now").containsExactly(asked(3));
  }

  @Test
  void aSetThatCameMeanwhileIsGiven() {
    ExperimentModel model = running(spec(2, null), 2);
    bothWait(model);
    decide(model, THINKS);

    Instant later = NOW.plus(FurtherSetRequests.LAUNCH);
    assertThat(given(model.decide(suggestions(3, 1), later))).containsExactly("3");
  }

  @Test
  void aTrialOnItsWayIsGivenItsTime() {
    ExperimentModel model = running(spec(2, null), 0);
    decide(model, suggestions(0, 2));
    List<AttemptRef> both = submit(model);
    decide(model, new Occurrence.Platform(new PlatformEvent.Started(both.get(0), NOW, "/trial")));
    ask(model, both.get(0), 1);
    collect(model, both.get(0), 0.5, "0");
    decide(model, THINKS);

    assertThat(given(decide(model, THINKS))).isEmpty();
    Duration launch = FurtherSetRequests.LAUNCH;
    Instant underWay = NOW.plus(launch);
    assertThat(model.decide(THINKS, underWay))
        .as("the tuner has its time")
        .containsExactly(asked(2));
    assertThat(model.decide(THINKS, underWay.plus(launch)))
        .containsExactly(new Decision.GiveSet(both.get(0), 1, null));
  }

  /** Two trials that run, wait for further sets, and have a plan behind them. */
  private List<AttemptRef> bothWait(ExperimentModel model) {
    decide(model, suggestions(0, 3));
    List<AttemptRef> both = start(model);
    for (AttemptRef attempt : both) {
      ask(model, attempt, 1);
      collect(model, attempt, 0.5, "" + both.indexOf(attempt));
    }
    decide(model, THINKS);
    return both;
  }

  private static Decision asked(long firstNumber) {
    return new Decision.Ask(1, 1, firstNumber);
  }
}
