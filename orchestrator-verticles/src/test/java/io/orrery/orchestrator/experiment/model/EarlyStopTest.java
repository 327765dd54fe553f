package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests how trials are stopped early, by assessors and by limits of time. */
class EarlyStopTest extends ExperimentModelFixture {
  // ---- assessor ------------------------------------------------------------------------------

  @Test
  void aTrialThatIsFoundBadIsStoppedEarlyOnceThatIsDurable() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    commit(model);

    assertThat(decide(model, new Occurrence.Assessed(attempt, "Medianstop: lags behind")))
        .containsExactly(new Decision.CancelAttempt(attempt))
        .allMatch(Decision.AfterCommit.class::isInstance);
    assertThat(model.hasChanges()).isTrue();
    assertThat(model.mayBeAssessed(attempt)).isFalse();
    finish(model, attempt, 143, 0.4);

    assertThat(view(model).trialCounts()).containsExactly(Map.entry(TrialStatus.EARLY_STOPPED, 1L));
    assertThat(view(model).best().metric().number()).isEqualTo(0.4);
    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
  }

  @Test
  void theLastIntermediateResultOfATrialThatWasStoppedEarlyCountsAndIsToldToTheTuner() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    TrialState trial = model.moving().getFirst();
    decide(model, new Occurrence.Assessed(attempt, "Medianstop: lags behind"));
    end(model, attempt, 143);

    assertThat(collect(model, attempt, null)).contains(new Decision.CollectLatest(attempt));
    assertThat(trial.phase()).isEqualTo(Phase.SETTLING);
    List<Decision> settled = collect(model, attempt, 0.25);

    assertThat(settled).contains(new Decision.Tell(1, trial.ends(0).getFirst()));
    assertThat(trial.ends(0).getFirst().result()).isEqualTo(MetricValue.of(0.25));
    assertThat(trial.reason()).isEqualTo("Medianstop: lags behind");
  }

  @Test
  void aTrialThatWasStoppedEarlyWithoutAnyReportHasNoResult() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    decide(model, new Occurrence.Assessed(attempt, "bad"));
    end(model, attempt, 143);
    collect(model, attempt, null);
    collect(model, attempt, null);

    assertThat(view(model).trialCounts()).containsExactly(Map.entry(TrialStatus.EARLY_STOPPED, 1L));
    assertThat(view(model).best()).isNull();
  }

  @Test
  void aTrialThatEndsByItselfMeanwhileIsNotStopped() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    end(model, attempt, 0);

    assertThat(decide(model, new Occurrence.Assessed(attempt, "bad")))
        .noneMatch(Decision.CancelAttempt.class::isInstance);
    collect(model, attempt, 0.5);
    assertThat(decide(model, new Occurrence.Assessed(attempt, "bad"))).isEmpty();

    assertThat(view(model).trialCounts()).containsExactly(Map.entry(TrialStatus.SUCCEEDED, 1L));
  }

  @Test
  void afterACrashATrialThatWasFoundBadIsEndedAgain() {
    ExperimentModel before = running(spec(1, 1L));
    AttemptRef attempt = launchOne(before);
    decide(before, new Occurrence.Assessed(attempt, "Medianstop: lags behind"));
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));

    assertThat(decide(after, new Occurrence.Opened()))
        .contains(new Decision.CancelAttempt(attempt));
    end(after, attempt, 143);
    assertThat(collect(after, attempt, null)).contains(new Decision.CollectLatest(attempt));
    collect(after, attempt, 0.25);

    assertThat(view(after).trialCounts()).containsExactly(Map.entry(TrialStatus.EARLY_STOPPED, 1L));
    assertThat(view(after).best().metric().number()).isEqualTo(0.25);
  }

  @Test
  void anAssessorThatCannotAnswerIsAnErrorWithItsReason() {
    ExperimentModel model = running(spec(1, 1L));
    launchOne(model);
    decide(model, new Occurrence.AssessorFailed("it crashed"));

    assertThat(model.status()).isEqualTo(ExperimentStatus.ERROR);
    assertThat(view(model).error()).isEqualTo("the assessor failed: it crashed");
  }

  @Test
  void whatKeepsItWaitingIsShownForAsLongAsItDoes() {
    ExperimentModel model = running(spec(1, 1L));
    decide(
        model,
        new Occurrence.Delayed(Occurrence.Delayer.TUNER, "the tuner TPE has not answered for 5 s"));
    assertThat(view(model).error()).isEqualTo("the tuner TPE has not answered for 5 s");
    ExperimentModel again = new ExperimentModel(model.record(now), stored(model));
    decide(again, new Occurrence.Opened());
    assertThat(view(again).error()).as("after a restart it is a new tuner").isNull();

    decide(model, new Occurrence.Delayed(Occurrence.Delayer.TUNER, null));
    assertThat(view(model).error()).isNull();
    decide(model, new Occurrence.StopAsked());
    decide(model, new Occurrence.Delayed(Occurrence.Delayer.TUNER, "too late"));
    assertThat(model.status()).isEqualTo(ExperimentStatus.STOPPED);
    assertThat(view(model).error()).isNull();
  }

  // ---- limits --------------------------------------------------------------------------------

  @Test
  void aTrialThatRunsTooLongIsStoppedEarly() {
    ExperimentModel model = running(limited(null, Duration.ofSeconds(30)));
    AttemptRef attempt = launchOne(model);
    now = now.plusSeconds(30);

    assertThat(decide(model, new Occurrence.Woken())).contains(new Decision.CancelAttempt(attempt));
    finish(model, attempt, 143, 0.4);

    assertThat(view(model).trialCounts()).containsEntry(TrialStatus.EARLY_STOPPED, 1L);
    assertThat(view(model).best().metric().number()).isEqualTo(0.4);
  }

  @Test
  void whenTheTimeIsUpNothingStartsAndThePlansAreTakenBack() {
    ExperimentModel model = running(limited(Duration.ofSeconds(60), null));
    decide(model, suggestions(0, 3));
    AttemptRef running = submitted(commit(model)).getFirst();
    start(model, running);
    now = now.plusSeconds(60);
    decide(model, new Occurrence.Woken());

    assertThat(model.status()).isEqualTo(ExperimentStatus.NO_MORE_TRIAL);
    assertThat(model.takeChanges().withdrawn()).hasSize(2);
    finish(model, running, 0, 0.1);
    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
  }

  @Test
  void aPauseDoesNotCountAsExecutionTime() {
    ExperimentModel model = running(limited(Duration.ofSeconds(60), null));
    now = now.plusSeconds(20);
    decide(model, new Occurrence.PauseAsked());
    now = now.plusSeconds(1000);
    decide(model, new Occurrence.ResumeAsked());
    now = now.plusSeconds(5);

    assertThat(model.record(now).ran()).isEqualTo(Duration.ofSeconds(25));
  }

  @Test
  void raisingMaxTrialNumberBringsADoneExperimentBack() {
    ExperimentModel model = running(spec(1, 1L));
    finish(model, launchOne(model), 0, 0.1);
    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);

    List<Decision> decisions =
        decide(model, new Occurrence.SpecChanged(model.spec().withLimits(1, 2L, null)));

    assertThat(model.status()).isEqualTo(ExperimentStatus.RUNNING);
    assertThat(decisions).anyMatch(Decision.OpenTuner.class::isInstance);
    assertThat(view(model).endedAt()).isNull();
  }

  @Test
  void aHigherConcurrencyTakesEffectAtOnceAndALowerOneAsTrialsEnd() {
    ExperimentModel model = running(spec(1, 100L));
    decide(model, suggestions(0, 2));
    AttemptRef first = submitted(commit(model)).getFirst();

    List<AttemptRef> more =
        submitted(
            decide(model, new Occurrence.SpecChanged(model.spec().withLimits(2, 100L, null))));
    assertThat(more).hasSize(1);
    decide(model, new Occurrence.SpecChanged(model.spec().withLimits(1, 100L, null)));
    assertThat(submitted(finish(model, first, 0, 0.1))).isEmpty();
  }
}
