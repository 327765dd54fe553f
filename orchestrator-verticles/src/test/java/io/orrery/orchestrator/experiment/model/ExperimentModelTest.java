package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Reads as the specification of an experiment: what people ask of it, and what is done about it.
 */
class ExperimentModelTest extends ExperimentModelFixture {
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
}
