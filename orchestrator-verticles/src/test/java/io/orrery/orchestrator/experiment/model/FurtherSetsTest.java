package io.orrery.orchestrator.experiment.model;

import static io.orrery.orchestrator.trial.TrialLife.Phase.RUNNING;
import static io.orrery.orchestrator.trial.TrialLife.Phase.SUBMITTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what a running trial is given to try next, and when the tuner learns what. */
class FurtherSetsTest extends FurtherSetsFixture {
  @Test
  void theTunerKnowsTheResultOfASetBeforeItIsAskedForTheNext() {
    ExperimentModel model = running(spec(1, null));
    AttemptRef attempt = launchOne(model);

    assertThat(ask(model, attempt, 1))
        .containsExactly(new Decision.CollectResult(attempt, Duration.ZERO));
    List<Decision> told = collect(model, attempt, 0.5, "0");
    assertThat(told).hasSize(2);
    assertThat(told.get(0))
        .isInstanceOfSatisfying(
            Decision.Tell.class,
            tell -> {
              assertThat(tell.settled().parameterId()).isEqualTo("0");
              assertThat(tell.settled().status()).isEqualTo(TrialStatus.SUCCEEDED);
              assertThat(tell.settled().result()).isEqualTo(MetricValue.of(0.5));
            });
    assertThat(told.get(1)).isEqualTo(new Decision.Ask(1, 1, 1));
    assertThat(given(decide(model, suggestions(1, 1)))).containsExactly("1");
    assertThat(trial(model, attempt).view().parameters())
        .extracting(ParameterSet::index, ParameterSet::parameterId, ParameterSet::result)
        .containsExactly(tuple(0, "0", MetricValue.of(0.5)), tuple(1, "1", null));
  }

  @Test
  void whoAsksAgainGetsTheSameSetAlsoFromTheNextServer() {
    ExperimentModel model = running(spec(1, null));
    AttemptRef attempt = launchOne(model);
    next(model, attempt, 1, 0.5);

    assertThat(given(ask(model, attempt, 1))).containsExactly("1");
    ExperimentModel again = again(model);

    assertThat(given(ask(again, attempt, 1))).containsExactly("1");
    assertThat(trial(again, attempt).sets().all()).hasSize(2);
  }

  @Test
  void aQuestionThatTheServerDiedOverIsAnsweredByTheNextServer() {
    ExperimentModel model = running(spec(1, null));
    AttemptRef attempt = launchOne(model);
    ask(model, attempt, 1);
    collect(model, attempt, 0.5, "0");

    ExperimentModel again = again(model);

    assertThat(ask(again, attempt, 1)).containsExactly(new Decision.Ask(1, 1, 1));
    assertThat(given(decide(again, suggestions(1, 1)))).containsExactly("1");
  }

  @Test
  void aTrialIsAsGoodAsItsBestSetAndEachIsToldOnce() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    next(model, attempt, 1, 0.5);
    next(model, attempt, 2, 0.9);

    List<Decision> end = end(model, attempt, 0.7, "2");

    assertThat(told(end)).containsExactly("2 SUCCEEDED 0.7");
    Trial settled = changed.getLast().view();
    assertThat(settled.metric()).isEqualTo(MetricValue.of(0.9));
    assertThat(settled.counted().parameterId()).isEqualTo("1");
    assertThat(model.record(NOW).best().parameters()).isEqualTo(settled.counted().values());
    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
  }

  @Test
  void aSetWithoutAResultOfItsOwnTakesNotThatOfTheOneBefore() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    next(model, attempt, 1, 0.5);

    decide(model, new Occurrence.Platform(new PlatformEvent.Ended(attempt, 0, NOW, null)));
    collect(model, attempt, 0.5, "0");
    List<Decision> end = collect(model, attempt, 0.5, "0");

    assertThat(told(end)).containsExactly("1 SUCCEEDED null");
    assertThat(changed.getLast().view().metric()).isEqualTo(MetricValue.of(0.5));
  }

  @Test
  void anExhaustedTunerHasNoMoreAndTheTrialEndsByItself() {
    ExperimentModel model = running(spec(1, null));
    AttemptRef attempt = launchOne(model);
    ask(model, attempt, 1);
    collect(model, attempt, 0.5, "0");

    assertThat(decide(model, new Occurrence.Suggested(1, batch(0, 0, true))))
        .contains(new Decision.GiveSet(attempt, 1, null));
    List<Decision> end = end(model, attempt, 0.5, "0");

    assertThat(told(end)).as("its only set was told when it went on").isEmpty();
    assertThat(changed.getLast().view().metric()).isEqualTo(MetricValue.of(0.5));
    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
  }

  @Test
  void aTunerThatWaitsForAResultIsWaitedForWhileOneMayCome() {
    ExperimentModel model = running(spec(2, null));
    decide(model, suggestions(0, 2));
    List<AttemptRef> both = start(model);
    decide(model, new Occurrence.Suggested(1, batch(2, 0, false)));
    ask(model, both.get(0), 1);
    collect(model, both.get(0), 0.5, "0");

    assertThat(given(decide(model, new Occurrence.Suggested(1, batch(2, 0, false))))).isEmpty();
    ask(model, both.get(1), 1);
    assertThat(collect(model, both.get(1), 0.6, "1")).contains(new Decision.Ask(1, 1, 2));

    // Both wait for it, and it for nothing that could come.
    assertThat(decide(model, new Occurrence.Suggested(1, batch(2, 0, false))))
        .contains(
            new Decision.GiveSet(both.get(0), 1, null), new Decision.GiveSet(both.get(1), 1, null));
  }

  /** The tuner waits for the plan, the plan for a slot, and both slots for the tuner. */
  @Test
  void aFullLineThatWaitsMakesRoomForThePlanThatTheTunerWaitsFor() {
    ExperimentModel model = running(spec(2, null), 2);
    decide(model, suggestions(0, 3));
    List<AttemptRef> both = start(model);
    assertThat(both).hasSize(2);
    ask(model, both.get(0), 1);
    collect(model, both.get(0), 0.5, "0");
    ask(model, both.get(1), 1);
    collect(model, both.get(1), 0.6, "1");
    decide(model, nothing());

    List<Decision> released = decide(model, nothing());

    assertThat(released)
        .as("one of them is enough")
        .containsExactly(new Decision.GiveSet(both.get(0), 1, null));
    end(model, both.get(0), 0.5, "0");
    assertThat(trial(model, both.get(1)).sets().all()).as("goes on waiting").hasSize(1);
    assertThat(model.moving()).extracting(TrialState::phase).containsOnly(RUNNING, SUBMITTED);
    assertThat(model.status()).isEqualTo(ExperimentStatus.RUNNING);
  }

  @Test
  void noPlanIsEndedForOneThatMayYetStart() {
    ExperimentModel model = running(spec(2, null), 2);
    decide(model, suggestions(0, 3));
    List<AttemptRef> both = start(model);
    decide(model, new Occurrence.PauseAsked());
    for (AttemptRef attempt : both) {
      ask(model, attempt, 1);
      collect(model, attempt, 0.5, "" + both.indexOf(attempt));
    }

    decide(model, nothing());
    assertThat(decide(model, nothing())).as("nothing starts in a pause").isEmpty();
    assertThat(decide(model, new Occurrence.ResumeAsked()))
        .containsExactly(new Decision.GiveSet(both.get(0), 1, null));
  }

  /** Its platform has no room for it, and who waits for a set may be in its place. */
  @Test
  void whoHasWaitedForLongMakesRoomForATrialThatItsPlatformCannotStart() {
    ExperimentModel model = running(spec(2, null), 0);
    decide(model, suggestions(0, 2));
    List<AttemptRef> both = submit(model);
    decide(model, new Occurrence.Platform(new PlatformEvent.Started(both.get(0), NOW, "/trial")));
    ask(model, both.get(0), 1);
    collect(model, both.get(0), 0.5, "0");

    assertThat(decide(model, nothing())).as("it may start at any moment").isEmpty();
    assertThat(model.decide(new Occurrence.Woken(), NOW.plus(Duration.ofMinutes(2))))
        .containsExactly(new Decision.GiveSet(both.get(0), 1, null));
  }

  @Test
  void aTrialOnItsWayIsGivenItsTimeHoweverLongOthersHaveWaited() {
    ExperimentModel model = running(spec(2, null), 0);
    decide(model, suggestions(0, 2));
    List<AttemptRef> both = submit(model);
    decide(model, new Occurrence.Platform(new PlatformEvent.Started(both.get(0), NOW, "/trial")));
    ask(model, both.get(0), 1);
    collect(model, both.get(0), 0.5, "0");
    Instant later = NOW.plus(Duration.ofMinutes(5));

    assertThat(model.decide(nothing(), later)).as("it was not awaited before").isEmpty();
    assertThat(model.decide(new Occurrence.Woken(), later.plus(Duration.ofMinutes(2))))
        .containsExactly(new Decision.GiveSet(both.get(0), 1, null));
  }

  @Test
  void setsCountToNoLimitOfTrialsButTimeIsUpForThemToo() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    for (int i = 1; i < 5; i++) {
      next(model, attempt, i, 0.1 * i);
    }
    assertThat(trial(model, attempt).sets().all()).hasSize(5);

    ask(model, attempt, 5);
    List<Decision> late =
        model.decide(
            new Occurrence.ResultCollected(attempt, null, null), NOW.plus(Duration.ofHours(2)));

    assertThat(late).contains(new Decision.GiveSet(attempt, 5, null));
  }

  @Test
  void anotherAttemptTriesTheSameSetsAgain() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    next(model, attempt, 1, 0.5);
    decide(model, new Occurrence.Platform(new PlatformEvent.Ended(attempt, 1, NOW, null)));
    decide(model, new Occurrence.StderrRead(attempt, ""));
    collect(model, attempt, null, null);
    commit(model);
    decide(model, new Occurrence.TunerOpened(2, 1));
    TrialState trial = changed.getLast();
    decide(model, new Occurrence.TrialRetryAsked(trial));
    AttemptRef second = start(model).getFirst();

    assertThat(second.number()).isEqualTo(2);
    ask(model, second, 1);
    assertThat(given(collect(model, second, 0.4, "0"))).containsExactly("1");
    end(model, second, 0.6, "1");
    assertThat(changed.getLast().view().parameters())
        .extracting(ParameterSet::result)
        .containsExactly(MetricValue.of(0.4), MetricValue.of(0.6));
  }

  @Test
  void aResultThatComesAfterItsTrialWentOnIsTold() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    next(model, attempt, 1, null);
    TrialState trial = trial(model, attempt);

    assertThat(told(decide(model, new Occurrence.LateResult(trial, MetricValue.of(0.3), "0"))))
        .containsExactly("0 SUCCEEDED 0.3");
    assertThat(trial.view().metric()).as("it runs").isNull();
  }

  @Test
  void aRequestForASetAfterTheLastOneGetsNone() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);

    assertThat(ask(model, attempt, 7)).containsExactly(new Decision.GiveSet(attempt, 7, null));
  }
}
