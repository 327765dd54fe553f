package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.PlatformEvent;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests when trials are planned, and when their plans are launched. */
class TrialPlanningTest extends ExperimentModelFixture {
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
}
