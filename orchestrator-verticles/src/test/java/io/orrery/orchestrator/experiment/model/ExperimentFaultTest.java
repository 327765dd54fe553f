package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests an experiment whose platform, tuner or server fails. */
class ExperimentFaultTest extends ExperimentModelFixture {
  // ---- platforms -----------------------------------------------------------------------------

  @Test
  void aTrialThatThePlatformHasNoRoomForWaitsWithItsReasonAndIsTriedAgain() {
    ExperimentModel model = running(spec(1, 1L));
    decide(model, suggestions(0, 1));
    AttemptRef attempt = submitted(commit(model)).getFirst();

    decide(model, new Occurrence.Deferred(attempt, "no GPU is free"));
    assertThat(model.moving().getFirst().reason()).isEqualTo("no GPU is free");
    commit(model);
    now = now.plusSeconds(1);

    assertThat(submitted(decide(model, new Occurrence.Woken()))).containsExactly(attempt);
  }

  @Test
  void aTrialThatCanNeverStartFailsWithTheReason() {
    ExperimentModel model = running(spec(1, 1L));
    decide(model, suggestions(0, 1));
    AttemptRef attempt = submitted(commit(model)).getFirst();
    decide(model, new Occurrence.NotSubmitted(attempt, "no parameter is named 'y'"));
    collect(model, attempt, null);

    assertThat(model.status()).isEqualTo(ExperimentStatus.FAILED);
    assertThat(view(model).error()).contains("no parameter is named 'y'");
  }

  @Test
  void newsOfAnEarlierAttemptAreIgnored() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);

    assertThat(end(model, new AttemptRef(attempt.trial(), 7), 0)).isEmpty();
  }

  // ---- after a crash -------------------------------------------------------------------------

  @Test
  void afterACrashPlansAreNotLaunchedUntilThePlatformHasSaidThatItDoesNotKnowThem() {
    ExperimentModel before = running(spec(1, 10L));
    decide(before, suggestions(0, 2));
    AttemptRef running = submitted(commit(before)).getFirst();
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));

    assertThat(submitted(decide(after, new Occurrence.Opened()))).isEmpty();
    List<AttemptRef> all = after.moving().stream().map(TrialState::attempt).toList();
    start(after, running);
    AttemptRef unknown = all.getLast();
    assertThat(submitted(decide(after, new Occurrence.NotAdopted(unknown)))).isEmpty();
    assertThat(submitted(end(after, running, 0))).containsExactly(unknown);
  }

  @Test
  void afterACrashARunningTrialThatThePlatformForgotIsLost() {
    ExperimentModel before = running(spec(1, 1L));
    AttemptRef attempt = launchOne(before);
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));
    decide(after, new Occurrence.Opened());
    decide(after, new Occurrence.NotAdopted(attempt));
    collect(after, attempt, null);

    assertThat(after.record(now).view(now).trialCounts())
        .isEqualTo(Map.of(TrialStatus.SYS_CANCELED, 1L));
  }

  @Test
  void afterACrashACancellationThatWasTakenIsCarriedOut() {
    ExperimentModel before = running(spec(1, 1L));
    AttemptRef attempt = launchOne(before);
    decide(before, new Occurrence.TrialCancelAsked(attempt.trial().trial()));
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));

    assertThat(decide(after, new Occurrence.Opened()))
        .contains(new Decision.CancelAttempt(attempt));
  }

  @Test
  void afterACrashATrialThatWasToEndAndNeverStartedIsOver() {
    ExperimentModel before = running(spec(1, 1L));
    decide(before, suggestions(0, 1));
    AttemptRef attempt = submitted(commit(before)).getFirst();
    decide(before, new Occurrence.TrialCancelAsked(attempt.trial().trial()));
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));
    decide(after, new Occurrence.Opened());

    decide(after, new Occurrence.NotAdopted(attempt));

    assertThat(after.moving()).isEmpty();
    assertThat(after.record(now).view(now).trialCounts())
        .isEqualTo(Map.of(TrialStatus.USER_CANCELED, 1L));
  }

  @Test
  void afterACrashTheNextSuggestionHasTheNumberThatWasNeverStored() {
    ExperimentModel before = running(spec(2, 10L));
    decide(before, suggestions(0, 2));
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));
    decide(after, new Occurrence.Opened());
    after.moving().forEach(trial -> start(after, trial.attempt()));

    assertThat(decide(after, new Occurrence.TunerOpened(1, 1)))
        .containsExactly(new Decision.Ask(1, 1, 2));
  }

  @Test
  void changesThatCouldNotBeStoredAreOfferedAgainWithTheNewestState() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 1));
    Changes lost = model.takeChanges();
    decide(
        model, new Occurrence.Committed(lost.trials().stream().map(t -> t.ref.trial()).toList()));
    Changes later = model.takeChanges();
    later.mergeOlder(lost);

    assertThat(later.trials()).hasSize(1);
    assertThat(later.isEmpty()).isFalse();
  }

  // ---- what must not go wrong ----------------------------------------------------------------

  @Test
  void aTrialThatWasToEndAndCouldNotBeStartedIsOverInsteadOfWaitingForEver() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 1));
    AttemptRef attempt = submitted(commit(model)).getFirst();
    decide(model, new Occurrence.StopAsked());

    decide(model, new Occurrence.Deferred(attempt, "the platform is going down"));

    assertThat(model.moving()).isEmpty();
    assertThat(model.status()).isEqualTo(ExperimentStatus.STOPPED);
    assertThat(view(model).trialCounts()).isEqualTo(Map.of(TrialStatus.USER_CANCELED, 1L));
  }

  @Test
  void anAttemptThatIsGivenUpIsAlsoEndedOnItsPlatformWhichMayHaveTakenIt() {
    ExperimentModel model = running(spec(1, 1L));
    decide(model, suggestions(0, 1));
    AttemptRef attempt = submitted(commit(model)).getFirst();

    assertThat(decide(model, new Occurrence.NotSubmitted(attempt, "no disk")))
        .contains(new Decision.CancelAttempt(attempt));
  }

  @Test
  void aRefusalThatComesAfterTheAttemptWasSeenRunningIsIgnored() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);

    decide(model, new Occurrence.NotSubmitted(attempt, "no answer within a minute"));
    finish(model, attempt, 0, 0.5);

    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
  }

  @Test
  void aTrialIsNotTriedAgainInAnExperimentThatHasFailed() {
    ExperimentModel model = running(spec(1, 10L, Direction.MAXIMIZE, RETRYING));
    AttemptRef attempt = launchOne(model);
    end(model, attempt, 1);

    decide(model, new Occurrence.PlatformFailed("gone"));
    collect(model, attempt, null);

    assertThat(model.moving()).isEmpty();
    assertThat(model.record(now).over()).isTrue();
  }

  @Test
  void aFailedExperimentIsNotOverBeforeItsTrialsHaveEndedNotEvenAfterARestart() {
    ExperimentModel before = running(spec(1, 10L));
    AttemptRef attempt = launchOne(before);
    decide(before, new Occurrence.TunerFailed(1, "broken"));

    assertThat(before.record(now).over()).isFalse();
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));
    assertThat(decide(after, new Occurrence.Opened()))
        .containsExactly(new Decision.CancelAttempt(attempt));
    finish(after, attempt, 143, null);
    assertThat(after.record(now).over()).isTrue();
    assertThat(view(after).error()).contains("broken");
  }

  @Test
  void aTrialThatMovesAgainCannotBeRetriedASecondTime() {
    ExperimentModel model = running(spec(1, 2L));
    decide(model, suggestions(0, 2));
    AttemptRef first = submitted(commit(model)).getFirst();
    TrialState trial = model.moving(first.trial().trial()).orElseThrow();
    start(model, first);
    finish(model, first, 1, null);
    decide(model, new Occurrence.TrialRetryAsked(trial));
    Map<TrialStatus, Long> counts = view(model).trialCounts();

    assertThatThrownBy(() -> decide(model, new Occurrence.TrialRetryAsked(trial)))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("has not ended");
    assertThat(view(model).trialCounts()).isEqualTo(counts);
  }

  @Test
  void aRetryThatCouldNotRunAnyMoreLeavesTheTrialAsItIs() {
    ExperimentModel model = running(limited(Duration.ofSeconds(60), null));
    AttemptRef attempt = launchOne(model);
    TrialState trial = model.moving(attempt.trial().trial()).orElseThrow();
    finish(model, attempt, 1, 0.5);
    now = now.plusSeconds(61);
    decide(model, new Occurrence.Woken());

    assertThatThrownBy(() -> decide(model, new Occurrence.TrialRetryAsked(trial)))
        .hasMessageContaining("maxExperimentDuration");
    assertThat(trial.phase()).isEqualTo(Phase.SETTLED);
    assertThat(trial.sets().metric()).isEqualTo(MetricValue.of(0.5));
  }

  @Test
  void aTrialThatSucceededWhileTheServerWasAwayIsNotStoppedEarlyForTheTimeInBetween() {
    ExperimentModel before = running(limited(null, Duration.ofSeconds(30)));
    AttemptRef attempt = launchOne(before);
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));
    now = now.plusSeconds(3_600);

    decide(after, new Occurrence.Opened());
    decide(after, new Occurrence.Woken());
    start(after, attempt);
    finish(after, attempt, 0, 0.9);

    assertThat(view(after).trialCounts()).isEqualTo(Map.of(TrialStatus.SUCCEEDED, 1L));
  }

  @Test
  void aTrialThatStillRunsPastItsTimeWhenTheServerComesBackIsStopped() {
    ExperimentModel before = running(limited(null, Duration.ofSeconds(30)));
    AttemptRef attempt = launchOne(before);
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));
    Instant started = now;
    now = now.plusSeconds(3_600);
    decide(after, new Occurrence.Opened());

    decide(after, new Occurrence.Platform(new PlatformEvent.Started(attempt, started, "/trial")));

    assertThat(decide(after, new Occurrence.Woken())).contains(new Decision.CancelAttempt(attempt));
  }

  @Test
  void aTunerWhosePlansWereTakenBackIsMadeAnewBeforeItIsAskedAgain() {
    ExperimentModel model = running(limited(Duration.ofSeconds(60), null));
    decide(model, suggestions(0, 2));
    AttemptRef first = submitted(commit(model)).getFirst();
    start(model, first);
    now = now.plusSeconds(61);
    decide(model, new Occurrence.Woken());
    assertThat(model.moving()).hasSize(1);

    List<Decision> raised =
        decide(model, new Occurrence.SpecChanged(limited(Duration.ofSeconds(600), null)));

    assertThat(raised).filteredOn(Decision.OpenTuner.class::isInstance).hasSize(1);
    assertThat(raised).noneMatch(Decision.Ask.class::isInstance);
    assertThat(decide(model, new Occurrence.TunerOpened(2, 1)))
        .anyMatch(Decision.Ask.class::isInstance);
  }

  @Test
  void aTunerThatMissedAResultIsMadeAnew() {
    ExperimentModel model = running(spec(1, 10L));

    assertThat(decide(model, new Occurrence.TunerLost(1)))
        .filteredOn(Decision.OpenTuner.class::isInstance)
        .hasSize(1);
    assertThat(decide(model, new Occurrence.TunerLost(1)))
        .noneMatch(Decision.OpenTuner.class::isInstance);
  }

  @Test
  void whenTheBestTrialTurnsOutWorseTheTableSaysWhichIsBestNow() {
    ExperimentModel model = running(spec(2, 2L));
    decide(model, suggestions(0, 2));
    List<AttemptRef> both = submitted(commit(model));
    TrialState best = model.moving(both.get(0).trial().trial()).orElseThrow();
    both.forEach(attempt -> start(model, attempt));
    finish(model, both.get(0), 0, 0.9);
    finish(model, both.get(1), 0, 0.5);

    assertThat(decide(model, new Occurrence.LateResult(best, MetricValue.of(0.1), null)))
        .contains(new Decision.FindBest());
    assertThat(view(model).best()).isNull();
    decide(
        model,
        new Occurrence.BestFound(
            new Experiment.Best(
                both.get(1).trial().trial(), MetricValue.of(0.5), new Parameters(Map.of()))));
    assertThat(view(model).best().metric()).isEqualTo(MetricValue.of(0.5));
  }

  @Test
  void aBestTrialThatWasBeingLookedUpWhenTheServerWentAwayIsLookedUpAgain() {
    ExperimentModel before = running(spec(1, 1L));
    AttemptRef attempt = launchOne(before);
    TrialState trial = before.moving(attempt.trial().trial()).orElseThrow();
    finish(before, attempt, 0, 0.9);
    decide(before, new Occurrence.LateResult(trial, MetricValue.of(0.1), null));
    ExperimentModel after = new ExperimentModel(before.record(now), List.of());

    assertThat(decide(after, new Occurrence.Opened())).contains(new Decision.FindBest());
  }

  @Test
  void whatAUserAddedAndNeverRanIsCanceledByWhoStopsTheExperiment() {
    ExperimentModel model = running(spec(1, 10L));
    launchOne(model);
    decide(model, new Occurrence.TrialAdded(new Parameters(Map.of("x", 1))));

    decide(model, new Occurrence.StopAsked());

    assertThat(view(model).trialCounts()).containsEntry(TrialStatus.USER_CANCELED, 1L);
  }
}
