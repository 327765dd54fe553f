package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.FailureLimits;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reads as the specification of an experiment: what happens, and what is done about it. */
class ExperimentModelTest {
  private static final ExperimentId ID = new ExperimentId("exp00001");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final RetryPolicy RETRYING =
      new RetryPolicy(5, Duration.ZERO, Set.of(RetryPolicy.Cause.FAILED, RetryPolicy.Cause.LOST));

  private Instant now = START;

  // ---- planning ------------------------------------------------------------------------------

  @Test
  void aNewExperimentOpensItsTunerAndAsksForSlotsAndAsFarAheadAsTheTunerAllows() {
    ExperimentModel model = model(spec(2, 10L));

    assertThat(decide(model, new Occurrence.Opened()))
        .containsExactly(new Decision.OpenTuner(1, model.spec(), 0));
    assertThat(model.status()).isEqualTo(ExperimentStatus.RUNNING);
    assertThat(decide(model, new Occurrence.TunerOpened(1, 100)))
        .containsExactly(new Decision.Ask(1, 4, 0));
  }

  @Test
  void aTunerThatMustNotBeAskedAheadIsAskedForFreeSlotsOnly() {
    ExperimentModel model = model(spec(2, 10L));
    decide(model, new Occurrence.Opened());

    assertThat(decide(model, new Occurrence.TunerOpened(1, 0)))
        .containsExactly(new Decision.Ask(1, 2, 0));
  }

  @Test
  void aTunerIsAskedAheadOnlyWhenHalfOfWhatWasPlannedAheadHasStarted() {
    ExperimentModel model = model(spec(4, 100L));
    decide(model, new Occurrence.Opened());
    assertThat(decide(model, new Occurrence.TunerOpened(1, 1_000)))
        .containsExactly(new Decision.Ask(1, 8, 0));
    decide(model, suggestions(0, 8));
    List<AttemptRef> running = submitted(commit(model));

    assertThat(end(model, running.getFirst(), 0)).noneMatch(Decision.Ask.class::isInstance);
    assertThat(end(model, running.getLast(), 0)).contains(new Decision.Ask(1, 2, 8));
  }

  @Test
  void aSlotThatIsFreeIsAskedForWhateverWaitsForItsTime() {
    RetryPolicy later = new RetryPolicy(5, Duration.ofMinutes(1), Set.of(RetryPolicy.Cause.FAILED));
    ExperimentModel model = model(spec(4, 100L, Direction.MAXIMIZE, later));
    decide(model, new Occurrence.Opened());
    decide(model, new Occurrence.TunerOpened(1, 1_000));
    decide(model, suggestions(0, 8));
    List<AttemptRef> first = submitted(commit(model));
    List<AttemptRef> second = new ArrayList<>();
    first.forEach(failed -> second.addAll(submitted(finish(model, failed, 1, null))));
    commit(model);

    assertThat(end(model, second.getFirst(), 0)).contains(new Decision.Ask(1, 1, 8));
  }

  @Test
  void manySlotsAreFilledByMoreThanOneQuestion() {
    ExperimentModel model = model(spec(1_500, null));
    decide(model, new Occurrence.Opened());

    assertThat(decide(model, new Occurrence.TunerOpened(1, 0)))
        .containsExactly(new Decision.Ask(1, 1_000, 0));
    assertThat(decide(model, suggestions(0, 1_000))).contains(new Decision.Ask(1, 500, 1_000));
  }

  @Test
  void neverMoreTrialsArePlannedThanMaxTrialNumber() {
    ExperimentModel model = model(spec(5, 3L));
    decide(model, new Occurrence.Opened());

    assertThat(decide(model, new Occurrence.TunerOpened(1, 5)))
        .containsExactly(new Decision.Ask(1, 3, 0));
  }

  @Test
  void aPlanIsLaunchedOnlyAfterItIsDurable() {
    ExperimentModel model = running(spec(1, 10L));

    List<Decision> planned = decide(model, suggestions(0, 1));
    List<Decision> committed = commit(model);

    assertThat(planned).noneMatch(Decision.Submit.class::isInstance);
    assertThat(submitted(committed)).hasSize(1);
  }

  @Test
  void theTurnOfASlotNeedsNoCommitBecauseTheNextPlanIsDurableAlready() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 2));
    AttemptRef first = submitted(commit(model)).getFirst();
    start(model, first);
    commit(model);

    assertThat(submitted(end(model, first, 0))).hasSize(1);
  }

  @Test
  void aCommitIsWaitedForWhileASlotThatFallsFreeWouldFindNoPlanThatIsDurable() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 2));
    assertThat(model.awaitsCommit()).isTrue();

    AttemptRef first = submitted(commit(model)).getFirst();
    start(model, first);
    assertThat(model.awaitsCommit()).as("the second plan is durable").isFalse();

    end(model, first, 0);
    decide(model, suggestions(2, 1));
    assertThat(model.awaitsCommit()).as("the third is not").isTrue();

    decide(model, new Occurrence.PauseAsked());
    assertThat(model.awaitsCommit()).as("nothing starts").isFalse();
  }

  @Test
  void aSlotIsFreeAsSoonAsTheProcessesAreGoneThoughTheirReportsAreStillBeingRead() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 2));
    AttemptRef first = submitted(commit(model)).getFirst();
    start(model, first);

    List<Decision> vacated =
        decide(model, new Occurrence.Platform(new PlatformEvent.Vacated(first)));
    assertThat(submitted(vacated)).hasSize(1);
    assertThat(vacated).noneMatch(Decision.CollectResult.class::isInstance);
    assertThat(end(model, first, 0)).anyMatch(Decision.CollectResult.class::isInstance);
  }

  @Test
  void afterACrashATrialWhoseReportsWereStillBeingReadIsAskedAbout() {
    ExperimentModel before = running(spec(1, 1L));
    AttemptRef attempt = launchOne(before);
    decide(before, new Occurrence.Platform(new PlatformEvent.Vacated(attempt)));
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));

    assertThat(decide(after, new Occurrence.Opened()))
        .noneMatch(Decision.CollectResult.class::isInstance);
    finish(after, attempt, 0, 0.5);
    assertThat(after.status()).isEqualTo(ExperimentStatus.DONE);
  }

  @Test
  void sequenceNumbersOrdinalsAndIdsNeverRepeatEvenAcrossWithdrawnPlans() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 3));
    List<TrialId> before = model.moving().stream().map(t -> t.ref.trial()).toList();
    commit(model);
    decide(model, new Occurrence.SpecChanged(model.spec().withSearchSpace(otherSpace())));
    decide(model, new Occurrence.TunerOpened(2, 5));
    decide(model, new Occurrence.Suggested(2, batch(3, 2, false)));

    assertThat(model.moving().stream().map(t -> t.sequence)).containsExactly(0L, 3L, 4L);
    assertThat(model.moving().subList(1, 3).stream().map(t -> t.ref.trial()))
        .doesNotContainAnyElementsOf(before);
  }

  @Test
  void anAnswerOfATunerThatWasReplacedIsDropped() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, new Occurrence.SpecChanged(model.spec().withSearchSpace(otherSpace())));

    decide(model, suggestions(0, 2));

    assertThat(model.moving()).isEmpty();
  }

  @Test
  void aResultThatComesWhileTheTunerIsBeingOpenedIsToldToTheNewOne() {
    ExperimentModel model = running(spec(1, 10L));
    AttemptRef attempt = launchOne(model);
    decide(model, new Occurrence.SpecChanged(model.spec().withSearchSpace(otherSpace())));

    assertThat(finish(model, attempt, 0, 0.5)).noneMatch(Decision.Tell.class::isInstance);
    assertThat(decide(model, new Occurrence.TunerOpened(2, 0)))
        .filteredOn(Decision.Tell.class::isInstance)
        .hasSize(1);
  }

  @Test
  void aTunerThatGaveLessIsAskedAgainOnlyAfterAResult() {
    ExperimentModel model = running(spec(2, 10L));
    decide(model, suggestions(0, 1));
    AttemptRef only = submitted(commit(model)).getFirst();
    start(model, only);

    assertThat(commit(model)).noneMatch(Decision.Ask.class::isInstance);
    end(model, only, 0);
    assertThat(collect(model, only, 0.5)).anyMatch(Decision.Ask.class::isInstance);
  }

  /** As when the last two trials of a round end at nearly the same time. */
  @Test
  void aTunerThatGaveNothingBecauseItDidNotKnowOfAResultYetIsAskedAgain() {
    ExperimentModel model = running(spec(2, 10L));
    decide(model, suggestions(0, 2));
    List<AttemptRef> both = submitted(commit(model));
    both.forEach(attempt -> start(model, attempt));
    both.forEach(attempt -> end(model, attempt, 0));
    assertThat(collect(model, both.getFirst(), 0.5)).anyMatch(Decision.Ask.class::isInstance);
    collect(model, both.getLast(), 0.6);

    assertThat(decide(model, suggestions(2, 0))).anyMatch(Decision.Ask.class::isInstance);
    assertThat(model.status()).isEqualTo(ExperimentStatus.RUNNING);
  }

  // ---- ends ----------------------------------------------------------------------------------

  @Test
  void aTrialSettlesOnceItsResultIsInAndTheTunerIsToldOnce() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);

    assertThat(end(model, attempt, 0))
        .containsExactly(new Decision.CollectResult(attempt, Duration.ZERO));
    List<Decision> settled = collect(model, attempt, 0.9);

    assertThat(settled).filteredOn(Decision.Tell.class::isInstance).hasSize(1);
    assertThat(collect(model, attempt, 0.9)).isEmpty();
    assertThat(view(model).trialCounts()).isEqualTo(Map.of(TrialStatus.SUCCEEDED, 1L));
    assertThat(view(model).best().metric()).isEqualTo(MetricValue.of(0.9));
    assertThat(model.moving()).isEmpty();
  }

  @Test
  void aSecondEndOfTheSameAttemptChangesNothing() {
    ExperimentModel model = running(spec(1, 2L));
    AttemptRef attempt = launchOne(model);
    end(model, attempt, 0);

    assertThat(end(model, attempt, 1)).isEmpty();
  }

  @Test
  void aTrialThatEndsBeforeItsStartWasSeenSettlesAllTheSame() {
    ExperimentModel model = running(spec(1, 1L));
    decide(model, suggestions(0, 1));
    AttemptRef attempt = submitted(commit(model)).getFirst();

    end(model, attempt, 0);
    collect(model, attempt, 1.0);

    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
  }

  @Test
  void aSuccessWithoutAResultIsGivenAMomentForOneThatIsStillOnItsWay() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    end(model, attempt, 0);

    List<Decision> again = collect(model, attempt, null);
    assertThat(again)
        .singleElement()
        .isInstanceOfSatisfying(
            Decision.CollectResult.class, c -> assertThat(c.delay()).isPositive());
    collect(model, attempt, null);

    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
    assertThat(view(model).best()).isNull();
  }

  @Test
  void aLateResultIsTakenAndTold() {
    ExperimentModel model = running(spec(1, 5L));
    AttemptRef attempt = launchOne(model);
    end(model, attempt, 0);
    collect(model, attempt, null);
    TrialState trial = model.moving(attempt.trial().trial()).orElseThrow();
    collect(model, attempt, null);

    List<Decision> late =
        decide(model, new Occurrence.LateResult(trial, MetricValue.of(0.7), null));

    assertThat(late).anyMatch(Decision.Tell.class::isInstance);
    assertThat(view(model).best().metric().number()).isEqualTo(0.7);
  }

  @Test
  void theExperimentIsNoMoreTrialWhileTheLastOnesRunAndThenDone() {
    ExperimentModel model = running(spec(2, 2L));
    decide(model, suggestions(0, 2));
    List<AttemptRef> both = submitted(commit(model));
    both.forEach(attempt -> start(model, attempt));
    assertThat(model.status()).isEqualTo(ExperimentStatus.NO_MORE_TRIAL);

    both.forEach(attempt -> finish(model, attempt, 0, 0.1));

    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
    assertThat(view(model).endedAt()).isEqualTo(now);
  }

  @Test
  void anExhaustedTunerEndsTheExperimentInsteadOfLeavingItRunning() {
    ExperimentModel model = running(spec(1, null));
    decide(model, new Occurrence.Suggested(1, batch(0, 1, true)));
    AttemptRef only = submitted(commit(model)).getFirst();

    List<Decision> last = finish(model, only, 0, 0.1);

    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
    assertThat(last).contains(new Decision.Retire());
  }

  @Test
  void aTunerThatHasNothingWhileNothingRunsEndsTheExperimentToo() {
    ExperimentModel model = running(spec(1, null));

    decide(model, new Occurrence.Suggested(1, batch(0, 0, false)));

    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
  }

  @Test
  void anExperimentThatItsPlatformCannotTakeUpIsAnErrorAndNotRunningForEver() {
    ExperimentModel model = running(spec(1, 10L));

    decide(model, new Occurrence.PlatformFailed("there is no directory /gone"));

    assertThat(model.status()).isEqualTo(ExperimentStatus.ERROR);
    assertThat(view(model).error()).contains("there is no directory /gone");
  }

  @Test
  void anExperimentWhoseEveryTrialFailedIsFailedAndSaysWhy() {
    ExperimentModel model = running(spec(1, 2L));
    for (int i = 0; i < 2; i++) {
      decide(model, suggestions(i, 1));
      finish(model, submitted(commit(model)).getFirst(), 3, null);
    }

    assertThat(model.status()).isEqualTo(ExperimentStatus.FAILED);
    assertThat(view(model).error()).contains("all 2 trials failed").contains("exit code 3");
  }

  /** K8. */
  @Test
  void anExperimentWhoseEveryTrialWasLostIsFailedAndSaysWhy() {
    ExperimentModel model = running(spec(1, 2L));
    for (int i = 0; i < 2; i++) {
      decide(model, suggestions(i, 1));
      AttemptRef attempt = submitted(commit(model)).getFirst();
      decide(
          model,
          new Occurrence.Platform(
              new PlatformEvent.Ended(attempt, null, now, "its pod was evicted")));
      collect(model, attempt, null);
    }

    assertThat(model.status()).isEqualTo(ExperimentStatus.FAILED);
    assertThat(view(model).error())
        .contains("all 2 trials were lost")
        .contains("its pod was evicted");
  }

  @Test
  void oneSuccessAmongFailuresIsEnoughForDone() {
    ExperimentModel model = running(spec(1, 2L));
    decide(model, suggestions(0, 1));
    finish(model, submitted(commit(model)).getFirst(), 1, null);
    decide(model, suggestions(1, 1));
    finish(model, submitted(commit(model)).getFirst(), 0, 0.3);

    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
  }

  @Test
  void notANumberIsKeptButNeverTheBest() {
    ExperimentModel model = running(spec(1, 2L));
    decide(model, suggestions(0, 1));
    finish(model, submitted(commit(model)).getFirst(), 0, Double.NaN);
    decide(model, suggestions(1, 1));
    finish(model, submitted(commit(model)).getFirst(), 0, -5.0);

    assertThat(view(model).best().metric().number()).isEqualTo(-5.0);
  }

  @Test
  void theSmallestIsBestWhenMinimising() {
    ExperimentModel model = running(spec(1, 2L, Direction.MINIMIZE, RetryPolicy.NONE));
    decide(model, suggestions(0, 1));
    finish(model, submitted(commit(model)).getFirst(), 0, 2.0);
    decide(model, suggestions(1, 1));
    finish(model, submitted(commit(model)).getFirst(), 0, 1.0);

    assertThat(view(model).best().metric().number()).isEqualTo(1.0);
  }

  @Test
  void anAttemptThatThePlatformLostIsSystemCanceled() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    decide(
        model,
        new Occurrence.Platform(new PlatformEvent.Ended(attempt, null, now, "its wrapper died")));
    collect(model, attempt, null);

    assertThat(view(model).trialCounts()).containsKey(TrialStatus.SYS_CANCELED);
  }

  // ---- retries -------------------------------------------------------------------------------

  @Test
  void aFailedTrialIsTriedAgainAfterThePauseAsItsNextAttempt() {
    RetryPolicy policy =
        new RetryPolicy(2, Duration.ofSeconds(10), Set.of(RetryPolicy.Cause.FAILED));
    ExperimentModel model = running(spec(1, 1L, Direction.MAXIMIZE, policy));
    AttemptRef first = launchOne(model);
    finish(model, first, 1, null);
    assertThat(view(model).trialCounts()).isEqualTo(Map.of(TrialStatus.WAITING, 1L));
    assertThat(submitted(commit(model))).isEmpty();

    now = now.plusSeconds(10);
    List<AttemptRef> again = submitted(decide(model, new Occurrence.Woken()));

    assertThat(again).containsExactly(new AttemptRef(first.trial(), 2));
    finish(model, again.getFirst(), 1, null);
    assertThat(model.status()).isEqualTo(ExperimentStatus.FAILED);
  }

  @Test
  void aTrialThatWasCanceledIsNotTriedAgain() {
    RetryPolicy policy =
        new RetryPolicy(5, Duration.ZERO, Set.of(RetryPolicy.Cause.FAILED, RetryPolicy.Cause.LOST));
    ExperimentModel model = running(spec(1, 1L, Direction.MAXIMIZE, policy));
    AttemptRef attempt = launchOne(model);
    decide(model, new Occurrence.TrialCancelAsked(attempt.trial().trial()));
    finish(model, attempt, 143, null);

    assertThat(view(model).trialCounts()).isEqualTo(Map.of(TrialStatus.USER_CANCELED, 1L));
  }

  @Test
  void aUserMayRetryAFailedTrialOfAnEndedExperimentWhichThenGoesOn() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    end(model, attempt, 1);
    TrialState trial = model.moving(attempt.trial().trial()).orElseThrow();
    collect(model, attempt, null);
    assertThat(model.status()).isEqualTo(ExperimentStatus.FAILED);

    decide(model, new Occurrence.TrialRetryAsked(trial));
    List<AttemptRef> again = submitted(commit(model));

    assertThat(model.status()).isEqualTo(ExperimentStatus.NO_MORE_TRIAL);
    assertThat(again).containsExactly(new AttemptRef(attempt.trial(), 2));
    finish(model, again.getFirst(), 0, 1.0);
    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
    assertThat(view(model).error()).isNull();
  }

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

  // ---- pause, stop, cancel -------------------------------------------------------------------

  @Test
  void whilePausedNothingStartsAndWhatRunsGoesOn() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 2));
    AttemptRef first = submitted(commit(model)).getFirst();
    decide(model, new Occurrence.PauseAsked());

    assertThat(submitted(finish(model, first, 0, 0.1))).isEmpty();
    assertThat(model.status()).isEqualTo(ExperimentStatus.PAUSED);
    assertThat(submitted(decide(model, new Occurrence.ResumeAsked()))).hasSize(1);
  }

  @Test
  void aPauseTakesBackWhatItsPlatformHasNotBegunToStart() {
    ExperimentModel model = running(spec(2, 10L));
    decide(model, suggestions(0, 2));
    List<AttemptRef> both = submitted(commit(model));
    start(model, both.getFirst());

    assertThat(decide(model, new Occurrence.PauseAsked()))
        .containsExactly(new Decision.Withdraw(both.getLast()));
    assertThat(submitted(decide(model, new Occurrence.Withdrawn(both.getLast())))).isEmpty();
    assertThat(model.moving().getLast().phase()).isEqualTo(Phase.PLANNED);
    assertThat(model.moving().getLast().reason()).isEqualTo("the experiment is paused");
    commit(model);

    assertThat(submitted(decide(model, new Occurrence.ResumeAsked())))
        .containsExactly(both.getLast());
  }

  @Test
  void whatReachesThePlatformsLineOnlyAfterThePauseIsTakenBackThen() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 1));
    AttemptRef attempt = submitted(commit(model)).getFirst();
    decide(model, new Occurrence.PauseAsked());

    assertThat(
            decide(model, new Occurrence.Platform(new PlatformEvent.Waiting(attempt, "for a GPU"))))
        .containsExactly(new Decision.Withdraw(attempt));
    decide(model, new Occurrence.ResumeAsked());
    assertThat(submitted(decide(model, new Occurrence.Withdrawn(attempt))))
        .containsExactly(attempt);
    assertThat(
            decide(
                model, new Occurrence.Platform(new PlatformEvent.Waiting(attempt, "for a disk"))))
        .isEmpty();
  }

  @Test
  void whatStillWaitsForItsPlatformWhenTheTimeIsOverNeverStarts() {
    ExperimentModel model = running(limited(Duration.ofSeconds(60), null));
    decide(model, suggestions(0, 1));
    AttemptRef attempt = submitted(commit(model)).getFirst();
    now = now.plusSeconds(61);

    assertThat(
            decide(model, new Occurrence.Platform(new PlatformEvent.Waiting(attempt, "for a GPU"))))
        .containsExactly(new Decision.Withdraw(attempt));
    decide(model, new Occurrence.Withdrawn(attempt));
    assertThat(model.moving()).isEmpty();
    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
  }

  @Test
  void stoppingEndsWhatRunsAndForgetsWhatWasOnlyPlanned() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 2));
    AttemptRef running = submitted(commit(model)).getFirst();
    start(model, running);
    model.takeChanges();

    assertThat(decide(model, new Occurrence.StopAsked()))
        .contains(new Decision.CancelAttempt(running));
    assertThat(model.status()).isEqualTo(ExperimentStatus.STOPPING);
    assertThat(model.takeChanges().withdrawn()).hasSize(1);
    finish(model, running, 143, null);

    assertThat(model.status()).isEqualTo(ExperimentStatus.STOPPED);
    assertThat(view(model).trialCounts()).isEqualTo(Map.of(TrialStatus.USER_CANCELED, 1L));
  }

  @Test
  void aStoppedExperimentCanBeResumedAndNumbersGoOn() {
    ExperimentModel model = running(spec(1, 10L));
    AttemptRef running = launchOne(model);
    decide(model, new Occurrence.StopAsked());
    finish(model, running, 143, null);

    assertThat(decide(model, new Occurrence.ResumeAsked()))
        .anyMatch(Decision.OpenTuner.class::isInstance);
    assertThat(decide(model, new Occurrence.TunerOpened(2, 0)))
        .containsExactly(new Decision.Ask(2, 1, 1));
  }

  @Test
  void aDoneExperimentIsNotResumedWithoutARaisedLimit() {
    ExperimentModel model = running(spec(1, 1L));
    finish(model, launchOne(model), 0, 0.1);

    assertThatThrownBy(() -> decide(model, new Occurrence.ResumeAsked()))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("raise maxTrialNumber");
  }

  @Test
  void aPlannedTrialThatIsCanceledNeverStarts() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 2));
    submitted(commit(model));
    TrialId waiting = model.moving().getLast().ref.trial();

    assertThat(decide(model, new Occurrence.TrialCancelAsked(waiting)))
        .noneMatch(Decision.CancelAttempt.class::isInstance);
    assertThat(model.moving(waiting)).isEmpty();
  }

  @Test
  void anAddedTrialRunsWithItsParametersAndCountsToTheLimit() {
    ExperimentModel model = running(spec(1, 1L));
    decide(model, new Occurrence.TrialAdded(new Parameters(Map.of("x", 7))));

    List<Decision> committed = commit(model);
    assertThat(((Decision.Submit) committed.getFirst()).submission().parameters().values())
        .isEqualTo(new Parameters(Map.of("x", 7)));
    assertThatThrownBy(() -> decide(model, new Occurrence.TrialAdded(Parameters.EMPTY)))
        .hasMessageContaining("reached its limit");
  }

  @Test
  void importedResultsAreTrialsThatHaveSettledAndCountToNoLimit() {
    ExperimentModel model = running(spec(2, 1L));

    List<Decision> imported = decide(model, imported(0.4, 0.6));

    assertThat(imported).anyMatch(Decision.OpenTuner.class::isInstance);
    assertThat(model.moving()).isEmpty();
    assertThat(model.takeChanges().trials())
        .extracting(
            trial -> trial.sequence, trial -> trial.status(), trial -> trial.sets().metric())
        .containsExactly(
            tuple(0L, TrialStatus.SUCCEEDED, MetricValue.of(0.4)),
            tuple(1L, TrialStatus.SUCCEEDED, MetricValue.of(0.6)));
    assertThat(view(model).best().metric()).isEqualTo(MetricValue.of(0.6));
    assertThat(decide(model, new Occurrence.TunerOpened(2, 1)))
        .containsExactly(new Decision.Ask(2, 1, 0));
  }

  @Test
  void theTunerIsOpenedOverAHistoryThatHasTheImportedResultsInIt() {
    ExperimentModel model = running(spec(1, 10L));

    List<Decision> decisions = decide(model, imported(0.4, 0.6));

    List<TrialState> trials = List.copyOf(model.takeChanges().trials());
    assertThat(trials).map(trial -> trial.ends(0).getFirst().ordinal()).containsExactly(2L, 4L);
    assertThat(decisions).contains(new Decision.OpenTuner(2, model.spec(), 4));
  }

  @Test
  void anImportIntoAnExperimentThatIsOverLeavesItOver() {
    ExperimentModel model = running(spec(1, 1L));
    finish(model, launchOne(model), 0, 0.5);

    assertThat(decide(model, imported(0.9))).isEmpty();

    assertThat(model.status()).isEqualTo(ExperimentStatus.DONE);
    assertThat(view(model).best().metric()).isEqualTo(MetricValue.of(0.9));
    assertThat(view(model).trialCounts()).isEqualTo(Map.of(TrialStatus.SUCCEEDED, 2L));
  }

  @Test
  void importedResultsDoNotHideThatEveryTrialFailed() {
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef only = launchOne(model);
    decide(model, imported(0.9));

    finish(model, only, 3, null);

    assertThat(model.status()).isEqualTo(ExperimentStatus.FAILED);
  }

  @Test
  void aTunerThatFailsForGoodEndsTheExperimentWithItsReason() {
    ExperimentModel model = running(spec(1, 10L));
    AttemptRef running = launchOne(model);

    assertThat(decide(model, new Occurrence.TunerFailed(1, "singular matrix")))
        .contains(new Decision.CancelAttempt(running));
    finish(model, running, 143, null);

    assertThat(model.status()).isEqualTo(ExperimentStatus.ERROR);
    assertThat(view(model).error()).contains("singular matrix");
  }

  @Test
  void everyTrialThatWaitsSaysWhatItWaitsFor() {
    ExperimentModel model = running(spec(1, 10L));
    decide(model, suggestions(0, 2));
    commit(model);

    assertThat(model.moving().stream().map(TrialState::reason))
        .containsExactly("waits for its platform to start it", TrialState.FOR_A_SLOT);
    decide(model, new Occurrence.PauseAsked());
    assertThat(model.moving().getLast().reason()).isEqualTo("the experiment is paused");
    decide(model, new Occurrence.ResumeAsked());
    assertThat(model.moving().getLast().reason()).isEqualTo(TrialState.FOR_A_SLOT);
  }

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

  @Test
  void anExperimentWithoutALimitWhoseTrialsAllFailAtOnceIsSlowedDownAndSaysSo() {
    ExperimentModel model = running(spec(1, null));
    finish(model, launchOne(model), 0, 0.5);
    fail(model, 20);
    decide(model, suggestions(20, 1));

    assertThat(submitted(commit(model))).isEmpty();
    assertThat(model.moving().getFirst().reason()).contains("the last 20 trials failed at once");
    now = now.plusSeconds(1);
    assertThat(model.nextWake(now)).hasValueSatisfying(at -> assertThat(at).isBeforeOrEqualTo(now));
    AttemptRef next = submitted(decide(model, new Occurrence.Woken())).getFirst();
    start(model, next);
    finish(model, next, 0, 0.5);
    decide(model, suggestions(21, 1));
    assertThat(submitted(commit(model))).as("a success releases the brake").hasSize(1);
  }

  @Test
  void theReasonOfAFailureHasTheCodeInWordsAndTheLastLinesOfStderr() { // B1
    ExperimentModel model = running(spec(1, 1L));
    AttemptRef attempt = launchOne(model);
    end(model, attempt, 127, "line 1: trian.py: command not found");
    collect(model, attempt, null);

    assertThat(view(model).error())
        .contains("exit code 127 (command not found)")
        .endsWith("\nline 1: trian.py: command not found");
  }

  @Test
  void twentyFailuresBeforeAnySuccessEndTheExperimentWithTheLastReason() { // B4
    ExperimentModel model = running(spec(1, null));
    fail(model, 19);
    assertThat(model.status()).isEqualTo(ExperimentStatus.RUNNING);
    fail(model, 1);

    assertThat(model.status()).isEqualTo(ExperimentStatus.ERROR);
    assertThat(view(model).error())
        .startsWith("20 trials failed and none succeeded")
        .contains("exit code 1");
    assertThat(view(model).endedAt()).isNotNull();
    decide(model, new Occurrence.ResumeAsked());
    assertThat(model.status())
        .as("its cause is taken as repaired when it is resumed")
        .isEqualTo(ExperimentStatus.RUNNING);
  }

  @Test
  void asManyTrialsAsRunAtOnceMayFailBeforeTheFirstSuccess() { // B4
    ExperimentModel model = running(spec(30, 1_000L));
    fail(model, 29);
    assertThat(model.status()).isEqualTo(ExperimentStatus.RUNNING);
    fail(model, 1);
    assertThat(model.status()).isEqualTo(ExperimentStatus.ERROR);
  }

  @Test
  void aSuccessLiftsTheStandardLimitOfFailures() { // B4
    ExperimentModel model = running(spec(1, 100L));
    finish(model, launchOne(model), 0, 0.5);
    fail(model, 40);
    assertThat(model.status()).isEqualTo(ExperimentStatus.RUNNING);
  }

  @Test
  void failuresInARowAreCountedFromTheLastSuccess() { // B4
    ExperimentModel model = running(spec(1, 100L).withFailures(new FailureLimits(null, 3L)));
    fail(model, 2);
    finish(model, launchOne(model), 0, 0.5);
    fail(model, 2);
    assertThat(model.status()).isEqualTo(ExperimentStatus.RUNNING);
    fail(model, 1);
    assertThat(view(model).error())
        .startsWith("the last 3 trials failed")
        .contains("maxFailuresInRow");
  }

  @Test
  void theRowOfFailuresGoesOnWithTheNextServer() { // B4
    ExperimentModel before = running(spec(1, 100L).withFailures(new FailureLimits(null, 3L)));
    finish(before, launchOne(before), 0, 0.5);
    fail(before, 2);

    ExperimentModel after = restarted(before);
    assertThat(after.status()).isEqualTo(ExperimentStatus.RUNNING);
    fail(after, 1);
    assertThat(view(after).error()).startsWith("the last 3 trials failed");

    decide(after, new Occurrence.ResumeAsked());
    ExperimentModel resumed = restarted(after);
    fail(resumed, 2);
    assertThat(resumed.status())
        .as("of a row that began when its user resumed it")
        .isEqualTo(ExperimentStatus.RUNNING);
  }

  private ExperimentModel restarted(ExperimentModel before) {
    ExperimentModel after = new ExperimentModel(before.record(now), stored(before));
    decide(after, new Occurrence.Opened());
    decide(after, new Occurrence.TunerOpened(1, 1));
    return after;
  }

  @Test
  void failuresInAllEndTheExperimentUntilTheLimitIsRaised() { // B4
    ExperimentModel model = running(spec(1, 100L).withFailures(new FailureLimits(2L, null)));
    fail(model, 1);
    finish(model, launchOne(model), 0, 0.5);
    fail(model, 1);

    assertThat(model.status()).isEqualTo(ExperimentStatus.ERROR);
    assertThatThrownBy(() -> decide(model, new Occurrence.ResumeAsked()))
        .hasMessageContaining("raise maxFailedTrials");
    decide(
        model, new Occurrence.SpecChanged(model.spec().withFailures(new FailureLimits(3L, null))));
    decide(model, new Occurrence.ResumeAsked());
    assertThat(model.status()).isEqualTo(ExperimentStatus.RUNNING);
  }

  /** Lets so many trials fail, one after the other. */
  private void fail(ExperimentModel model, int trials) {
    for (int n = 0; n < trials; n++) {
      decide(model, suggestions(100 + n, 1));
      AttemptRef attempt = submitted(commit(model)).getFirst();
      start(model, attempt);
      finish(model, attempt, 1, null);
    }
  }

  @Test
  void executionTimeGrowsBetweenTwoWrites() {
    ExperimentModel model = running(spec(1, 10L));
    now = now.plusSeconds(3);
    ExperimentRecord written = model.record(now);

    assertThat(written.view(now.plusSeconds(4)).executionSeconds()).isEqualTo(7);
    assertThat(written.view(now.plusSeconds(4_000)).executionSeconds())
        .as("it has not run since")
        .isEqualTo(3);
  }

  // ---- how it is driven ----------------------------------------------------------------------

  private List<Decision> decide(ExperimentModel model, Occurrence occurrence) {
    return CheckedDecision.of(model, occurrence, now);
  }

  /** Stores what has changed, as the owner does. */
  private List<Decision> commit(ExperimentModel model) {
    List<TrialId> planned =
        model.takeChanges().trials().stream()
            .filter(trial -> trial.phase() == Phase.PLANNED)
            .map(trial -> trial.ref.trial())
            .toList();
    return decide(model, new Occurrence.Committed(planned));
  }

  /** The trials as a restarted server reads them. */
  private static List<TrialState> stored(ExperimentModel model) {
    List<TrialState> copies = new ArrayList<>();
    for (TrialState t : model.moving()) {
      TrialState copy = new TrialState(t.ref, t.sequence, t.sets().all(), t.createdAt);
      TrialState.Stored s = t.stored();
      // A submission is not stored: the row still says PLANNED.
      Phase phase = s.phase() == Phase.SUBMITTED ? Phase.PLANNED : s.phase();
      copies.add(
          copy.restore(
              new TrialState.Stored(
                  phase,
                  s.status(),
                  s.attempt(),
                  s.reason(),
                  s.ending(),
                  s.notBefore(),
                  s.metric(),
                  s.exitCode(),
                  s.directory(),
                  s.startedAt(),
                  s.endedAt(),
                  s.settledOrdinal())));
    }
    return copies;
  }

  private ExperimentModel model(ExperimentSpec spec) {
    return new ExperimentModel(ExperimentRecord.of(ID, spec, START), List.of());
  }

  private ExperimentModel running(ExperimentSpec spec) {
    ExperimentModel model = model(spec);
    decide(model, new Occurrence.Opened());
    decide(model, new Occurrence.TunerOpened(1, 1));
    return model;
  }

  private AttemptRef launchOne(ExperimentModel model) {
    decide(model, suggestions(0, 1));
    AttemptRef attempt = submitted(commit(model)).getFirst();
    start(model, attempt);
    return attempt;
  }

  private void start(ExperimentModel model, AttemptRef attempt) {
    decide(model, new Occurrence.Platform(new PlatformEvent.Started(attempt, now, "/trial")));
  }

  private List<Decision> end(ExperimentModel model, AttemptRef attempt, int code) {
    return end(model, attempt, code, "");
  }

  private List<Decision> end(
      ExperimentModel model, AttemptRef attempt, int code, String lastLines) {
    List<Decision> decisions =
        new ArrayList<>(
            decide(
                model, new Occurrence.Platform(new PlatformEvent.Ended(attempt, code, now, null))));
    if (decisions.contains(new Decision.ReadStderr(attempt))) {
      decisions.addAll(decide(model, new Occurrence.StderrRead(attempt, lastLines)));
    }
    return decisions;
  }

  private List<Decision> collect(
      ExperimentModel model, AttemptRef attempt, @Nullable Double result) {
    return decide(
        model,
        new Occurrence.ResultCollected(
            attempt, result == null ? null : MetricValue.of(result), null));
  }

  private List<Decision> finish(
      ExperimentModel model, AttemptRef attempt, int code, @Nullable Double result) {
    List<Decision> decisions = new ArrayList<>(end(model, attempt, code));
    decisions.addAll(collect(model, attempt, result));
    return decisions;
  }

  private static List<AttemptRef> submitted(List<Decision> decisions) {
    return decisions.stream()
        .filter(Decision.Submit.class::isInstance)
        .map(decision -> ((Decision.Submit) decision).submission().attempt())
        .toList();
  }

  private Experiment view(ExperimentModel model) {
    return model.record(now).view(now);
  }

  private static Occurrence imported(double... values) {
    return new Occurrence.ResultsImported(
        DoubleStream.of(values)
            .mapToObj(
                value -> new ImportedResult(new Parameters(Map.of("x", 1)), MetricValue.of(value)))
            .toList());
  }

  private static Occurrence suggestions(long first, int count) {
    return new Occurrence.Suggested(1, batch(first, count, false));
  }

  private static Tuners.Suggestions batch(long first, int count, boolean exhausted) {
    return new Tuners.Suggestions(
        LongStream.range(first, first + count)
            .mapToObj(n -> new Tuners.Suggestion("" + n, new Parameters(Map.of("x", n))))
            .toList(),
        exhausted);
  }

  private static SearchSpace otherSpace() {
    return new SearchSpace(Map.of("y", new Dimension.Uniform(0, 1)));
  }

  private static ExperimentSpec spec(int concurrency, @Nullable Long maxTrials) {
    return spec(concurrency, maxTrials, Direction.MAXIMIZE, RetryPolicy.NONE);
  }

  private static ExperimentSpec spec(
      int concurrency, @Nullable Long maxTrials, Direction direction, RetryPolicy retry) {
    return new ExperimentSpec(
        ExperimentDescription.named("test"),
        SearchSpec.random(
            new SearchSpace(Map.of("x", new Dimension.RandInt(0, 100))), direction, 7),
        JobSpec.of("true", "/code", null, new TrainingServiceSpec("local", Parameters.EMPTY)),
        ExperimentLimits.of(concurrency, maxTrials).withRetry(retry));
  }

  private static ExperimentSpec limited(@Nullable Duration experiment, @Nullable Duration trial) {
    return spec(1, null).withLimits(ExperimentLimits.of(1, null).withDurations(experiment, trial));
  }
}
