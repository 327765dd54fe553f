package io.orrery.orchestrator.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.FailureLimits;
import io.orrery.core.id.AttemptRef;
import org.junit.jupiter.api.Test;

/** Tests what failures say, and how many of them end an experiment. */
class FailureLimitTest extends ExperimentModelFixture {
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
}
