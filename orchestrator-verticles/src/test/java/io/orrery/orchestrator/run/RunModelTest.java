package io.orrery.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.RetryPolicy.Cause;
import io.orrery.core.run.Condition;
import io.orrery.core.run.Condition.Operator;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepStatus;
import io.orrery.core.run.ValueText;
import io.orrery.orchestrator.run.RunSpecs.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Plays runs event by event. */
class RunModelTest {
  private static final Instant T0 = Instant.parse("2026-01-31T12:00:00Z");
  private static final OutputRef ROWS = new OutputRef("prepare", "rows");

  /** A run with the launches that it has decided on. */
  private static final class Played {
    final RunModel model;
    Instant now = T0;
    List<RunDecision> last = List.of();

    Played(RunSpec spec) {
      model = new RunModel(spec, RunState.NEW, RunModel.fresh(spec));
      tell(new RunEvent.Opened());
    }

    void tell(RunEvent event) {
      last = CheckedRunDecision.of(model, event, now);
    }

    List<String> launched() {
      return last.stream()
          .filter(RunDecision.Launch.class::isInstance)
          .map(each -> model.graph().step(((RunDecision.Launch) each).step()).name())
          .toList();
    }

    void start(String name) {
      int number = model.graph().number(name);
      tell(new RunEvent.Started(number, model.step(number).attempt(), now));
    }

    void end(String name, Integer exitCode) {
      int number = model.graph().number(name);
      tell(new RunEvent.Ended(number, model.step(number).attempt(), exitCode, null, now));
    }

    /** Ends a step well, with values as its outputs. */
    void succeed(String name, StepOutput... outputs) {
      start(name);
      end(name, 0);
      int number = model.graph().number(name);
      assertThat(last).contains(new RunDecision.Collect(number, model.step(number).attempt()));
      tell(new RunEvent.Collected(number, model.step(number).attempt(), List.of(outputs)));
    }

    StepStatus status(String name) {
      return model.step(model.graph().number(name)).status();
    }

    String reason(String name) {
      return String.valueOf(model.step(model.graph().number(name)).reason());
    }
  }

  private static StepOutput value(String name, String text) {
    return new StepOutput(name, StepOutput.Kind.VALUE, text, null, text.length());
  }

  private static ValueText output(OutputRef ref) {
    return new ValueText(List.of(new ValueText.Output(ref)));
  }

  private static RetryPolicy twice() {
    return new RetryPolicy(2, Duration.ofSeconds(30), Set.of(Cause.FAILED, Cause.LOST));
  }

  @Test
  void stepsStartWhenThoseBeforeThemHaveSucceededAndNoMoreThanMayRunAtOnce() {
    Played run =
        new Played(
            RunSpecs.run(
                2,
                Step.named("prepare"),
                Step.of("train", 1).input("data", "prepare", "data"),
                Step.of("train", 2).input("data", "prepare", "data"),
                Step.of("train", 3).input("data", "prepare", "data"),
                Step.named("pick").after("train")));
    assertThat(run.launched()).containsExactly("prepare");

    run.succeed("prepare", value("data", "x"));
    assertThat(run.launched()).containsExactly("train-1", "train-2");

    run.succeed("train-2");
    assertThat(run.launched()).containsExactly("train-3");
    run.succeed("train-3");
    assertThat(run.status("pick")).isEqualTo(StepStatus.BLOCKED);
    run.succeed("train-1");
    assertThat(run.launched()).containsExactly("pick");
    run.succeed("pick");

    assertThat(run.model.state().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.last).contains(new RunDecision.Finish());
  }

  @Test
  void aStepIsNotOverBeforeItsOutputsAreKept() {
    Played run = new Played(RunSpecs.run(2, Step.named("a"), Step.named("b").after("a")));
    run.start("a");

    run.end("a", 0);

    assertThat(run.status("a")).isEqualTo(StepStatus.RUNNING);
    assertThat(run.launched()).isEmpty();
  }

  @Test
  void stepsBehindAFailedOneAreOmittedAndOtherBranchesGoOn() {
    Played run =
        new Played(
            RunSpecs.run(
                9,
                Step.named("a"),
                Step.named("b").after("a"),
                Step.named("c").after("b"),
                Step.named("d"),
                Step.named("e").after("d")));

    run.end("a", 3);

    assertThat(run.status("a")).isEqualTo(StepStatus.FAILED);
    assertThat(run.reason("a")).contains("exit code 3");
    assertThat(run.status("c")).isEqualTo(StepStatus.OMITTED);
    assertThat(run.reason("b")).contains("a did not succeed");
    run.succeed("d");
    run.succeed("e");
    assertThat(run.model.state().status()).isEqualTo(RunStatus.FAILED);
    assertThat(run.model.state().error()).contains("a: it ended with exit code 3");
  }

  @Test
  void aConditionComparesNumbersAsNumbers() {
    Condition more = new Condition(output(ROWS), Operator.MORE, ValueText.of("100"));
    RunSpec spec =
        RunSpecs.run(
            2,
            Step.named("prepare"),
            Step.named("train").when(more),
            Step.named("tell").after("train"),
            Step.named("use").input("model", "train", "model"));
    Played few = new Played(spec);
    Played many = new Played(spec);

    few.succeed("prepare", value("rows", "99"));
    many.succeed("prepare", value("rows", "1e3"));

    assertThat(few.status("train")).isEqualTo(StepStatus.SKIPPED);
    assertThat(few.reason("train")).isEqualTo("when is false: 99 > 100");
    assertThat(few.launched()).containsExactly("tell");
    assertThat(few.status("use")).isEqualTo(StepStatus.OMITTED);
    assertThat(many.launched()).containsExactly("train");
  }

  @Test
  void aConditionThatCannotBeComparedFailsTheStepAndSaysWhy() {
    Played run =
        new Played(
            RunSpecs.run(
                1,
                Step.named("prepare"),
                Step.named("train")
                    .when(new Condition(output(ROWS), Operator.LESS, ValueText.of("5")))));

    run.succeed("prepare", value("rows", "many"));

    assertThat(run.status("train")).isEqualTo(StepStatus.FAILED);
    assertThat(run.reason("train")).contains("many < 5");
  }

  @Test
  void aFailedAttemptIsRepeatedAfterItsPauseAndNoMoreOftenThanSaid() {
    Played run = new Played(RunSpecs.run(1, Step.named("a").retry(twice())));
    run.start("a");

    run.end("a", 1);
    assertThat(run.status("a")).isEqualTo(StepStatus.READY);
    assertThat(run.last).containsExactly(new RunDecision.WakeAt(T0.plusSeconds(30)));
    run.tell(new RunEvent.Ticked());
    assertThat(run.launched()).isEmpty();

    run.now = T0.plusSeconds(30);
    run.tell(new RunEvent.Ticked());
    assertThat(run.last).containsExactly(new RunDecision.Launch(0, 2));
    run.end("a", null);
    assertThat(run.model.state().status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void anAttemptBeyondItsTimeoutIsEndedAndSaysSo() {
    Played run = new Played(RunSpecs.run(1, Step.named("a").timeout(Duration.ofMinutes(2))));
    run.start("a");
    assertThat(run.last).containsExactly(new RunDecision.WakeAt(T0.plusSeconds(120)));

    run.now = T0.plusSeconds(120);
    run.tell(new RunEvent.Ticked());
    assertThat(run.last).containsExactly(new RunDecision.Cancel(0, 1));
    run.end("a", 143);

    assertThat(run.status("a")).isEqualTo(StepStatus.FAILED);
    assertThat(run.reason("a")).isEqualTo("it ran longer than its timeout of 2m");
  }

  @Test
  void aStoppedRunEndsWhatRunsAndStartsNothingMore() {
    Played run =
        new Played(RunSpecs.run(1, Step.named("a"), Step.named("b").after("a"), Step.named("c")));
    run.start("a");

    run.tell(new RunEvent.Stop());
    assertThat(run.last).containsExactly(new RunDecision.Cancel(0, 1));
    assertThat(run.model.state().status()).isEqualTo(RunStatus.STOPPING);
    run.end("a", 143);

    assertThat(run.model.state().status()).isEqualTo(RunStatus.STOPPED);
    assertThat(run.status("a")).isEqualTo(StepStatus.STOPPED);
    assertThat(run.status("b")).isEqualTo(StepStatus.STOPPED);
    assertThat(run.status("c")).isEqualTo(StepStatus.STOPPED);
    assertThatThrownBy(() -> run.tell(new RunEvent.Stop())).hasMessageContaining("is over already");
  }

  @Test
  void theExitStepRunsHoweverTheRunEnds() {
    for (int exitCode = 0; exitCode < 2; exitCode++) {
      Played run = new Played(RunSpecs.run(1, List.of(Step.named("a")), Step.named("tell")));
      run.start("a");
      if (exitCode == 0) {
        run.succeed("a");
      } else {
        run.end("a", exitCode);
      }
      assertThat(run.launched()).containsExactly("tell");
      run.succeed("tell");
      assertThat(run.model.state().status())
          .isEqualTo(exitCode == 0 ? RunStatus.SUCCEEDED : RunStatus.FAILED);
    }
  }

  @Test
  void aPausedRunStartsNothingUntilItIsResumed() {
    Played run = new Played(RunSpecs.run(1, Step.named("a"), Step.named("b")));
    run.tell(new RunEvent.Pause());
    run.succeed("a");
    assertThat(run.launched()).isEmpty();
    assertThat(run.model.state().status()).isEqualTo(RunStatus.PAUSED);

    run.tell(new RunEvent.Resume());

    assertThat(run.launched()).containsExactly("b");
  }

  /** Argo Workflows 1803: a run cannot be resumed from a step with its inputs. */
  @Test
  void aRetryRunsWhatFailedAndWhatDependsOnItInTheSameRun() {
    Played run =
        new Played(
            RunSpecs.run(
                1,
                Step.named("prepare"),
                Step.named("train").input("data", "prepare", "data"),
                Step.named("pick").after("train")));
    run.succeed("prepare", value("data", "x"));
    run.end("train", 1);
    assertThat(run.model.state().status()).isEqualTo(RunStatus.FAILED);

    run.tell(new RunEvent.Retry(Set.of()));

    assertThat(run.last).containsExactly(new RunDecision.Launch(1, 2));
    assertThat(run.status("prepare")).isEqualTo(StepStatus.SUCCEEDED);
    run.succeed("train");
    run.succeed("pick");
    assertThat(run.model.state().status()).isEqualTo(RunStatus.SUCCEEDED);

    run.tell(new RunEvent.Retry(Set.of("train")));
    assertThat(run.launched()).containsExactly("train");
    assertThat(run.status("pick")).isEqualTo(StepStatus.BLOCKED);
    assertThatThrownBy(() -> run.tell(new RunEvent.Retry(Set.of())))
        .hasMessageContaining("is not over");
  }

  @Test
  void aRetryOfAStepThatIsNotThereNamesTheNearest() {
    Played run = new Played(RunSpecs.run(1, Step.named("train")));
    run.succeed("train");

    assertThatThrownBy(() -> run.tell(new RunEvent.Retry(Set.of("trian"))))
        .hasMessageContaining("train");
    assertThat(run.model.state().status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  void outputsOfStepsForEachValueAreAList() {
    RunModel model =
        new Played(
                RunSpecs.run(
                    9,
                    Step.of("train", 1),
                    Step.of("train", 2),
                    Step.named("pick").input("models", "train", "score")))
            .model;
    for (int i = 0; i < 2; i++) {
      model.decide(new RunEvent.Started(i, 1, T0), T0);
      model.decide(new RunEvent.Ended(i, 1, 0, null, T0), T0);
      model.decide(new RunEvent.Collected(i, 1, List.of(value("score", "0." + i))), T0);
    }

    assertThat(model.outputs().text(new OutputRef("train", "score")))
        .isEqualTo("[\"0.0\",\"0.1\"]");
  }

  @Test
  void aStepWhoseOutputsWereTakenFromAnEarlierRunIsCached() {
    Played run = new Played(RunSpecs.run(1, Step.named("a"), Step.named("b").after("a")));

    run.tell(
        new RunEvent.CacheHit(
            0, 1, "key", new RunId("old"), List.of(value("x", "1")), "taken from run old"));

    assertThat(run.status("a")).isEqualTo(StepStatus.CACHED);
    assertThat(run.launched()).containsExactly("b");
  }

  @Test
  void newsOfAnEarlierAttemptChangeNothing() {
    Played run = new Played(RunSpecs.run(1, Step.named("a").retry(twice())));
    run.end("a", 1);
    run.now = T0.plusSeconds(60);
    run.tell(new RunEvent.Ticked());

    run.tell(new RunEvent.Ended(0, 1, 0, null, T0));

    assertThat(run.status("a")).isEqualTo(StepStatus.WAITING);
    assertThat(run.last).isEmpty();
  }

  @Test
  void aNewOwnerTakesUpWhatIsUnderWayAndLaunchesWhatNeverStarted() {
    Played run = new Played(RunSpecs.run(1, Step.named("a")));

    run.tell(new RunEvent.Opened());
    assertThat(run.last).containsExactly(new RunDecision.Adopt(0, 1));
    run.tell(new RunEvent.Unknown(0, 1));

    assertThat(run.last).containsExactly(new RunDecision.Launch(0, 1));
  }
}
