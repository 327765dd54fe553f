package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests how trials end, when they are tried again, and what that means for their experiment. */
class TrialEndTest extends ExperimentModelFixture {
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
}
