package io.orrery.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.run.OutputRef;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.StepStatus;
import io.orrery.core.run.StepWork;
import io.orrery.core.run.ValueText;
import io.orrery.orchestrator.run.RunSpecs.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Plays runs with steps that ask people. */
class ApprovalTest {
  private static final Instant T0 = Instant.parse("2026-01-31T12:00:00Z");

  private static Step ask(String... by) {
    ValueText message =
        new ValueText(
            List.of(
                new ValueText.Written("Deploy "),
                new ValueText.Output(new OutputRef("train", "score"))));
    return Step.named("ask").command(new StepWork.Approval(message, List.of(by)));
  }

  /** A run whose step {@code ask} waits. */
  private static RunModel waiting(Step ask) {
    RunSpec spec =
        RunSpecs.run(
            1,
            Step.named("train"),
            ask,
            Step.named("deploy").after("ask"),
            Step.named("other").after("train"));
    RunModel run = new RunModel(spec, RunState.NEW, RunModel.fresh(spec));
    run.decide(new RunEvent.Opened(), T0);
    run.decide(new RunEvent.Started(0, 1, T0), T0);
    run.decide(new RunEvent.Ended(0, 1, 0, null, T0), T0);
    List<RunDecision> last =
        run.decide(
            new RunEvent.Collected(0, 1, List.of(StepOutput.of("score", "{{7*7}}; rm -rf"))), T0);
    // What asks people takes no room: the other step starts beside it.
    assertThat(last).contains(new RunDecision.Launch(3, 1)).doesNotContain(launchOfAsk());
    return run;
  }

  private static RunDecision launchOfAsk() {
    return new RunDecision.Launch(1, 1);
  }

  private static RunEvent.Decided answer(boolean approved, String by, boolean operates) {
    return new RunEvent.Decided("ask", approved, by, operates, "looks good");
  }

  private static List<RunDecision> decide(RunModel run, RunEvent event) {
    return CheckedRunDecision.of(run, event, T0);
  }

  private static Problem refusal(RunModel run, RunEvent event) {
    return catchThrowableOfType(ProblemException.class, () -> decide(run, event)).problem();
  }

  @Test
  void theStepSaysWhatIsAskedAndAnApprovalSaysWhoAndWhy() {
    RunModel run = waiting(ask());
    assertThat(run.step(1).status()).isEqualTo(StepStatus.RUNNING);
    assertThat(run.step(1).reason()).isEqualTo("waits for an approval: Deploy {{7*7}}; rm -rf");

    decide(run, answer(true, "ann", true));

    assertThat(run.step(1).status()).isEqualTo(StepStatus.SUCCEEDED);
    assertThat(run.step(1).reason()).isEqualTo("approved by ann: looks good");
    assertThat(run.step(1).outputs())
        .containsExactly(StepOutput.of("by", "ann"), StepOutput.of("why", "looks good"));
    assertThat(run.step(2).status()).isEqualTo(StepStatus.READY);
  }

  @Test
  void anApprovalIsAskedForWhileThereIsNoRoom() {
    RunSpec spec = RunSpecs.run(1, Step.named("train"), approval(), Step.named("third"));
    RunModel run = new RunModel(spec, RunState.NEW, RunModel.fresh(spec));

    assertThat(run.decide(new RunEvent.Opened(), T0))
        .filteredOn(RunDecision.Launch.class::isInstance)
        .containsExactly(new RunDecision.Launch(0, 1));
    assertThat(run.step(1).status()).isEqualTo(StepStatus.RUNNING);
    assertThat(run.step(2).status()).isEqualTo(StepStatus.READY);
  }

  /** An approval that waits for no other step. */
  private static Step approval() {
    ValueText message = new ValueText(List.of(new ValueText.Written("Go on?")));
    return Step.named("ask").command(new StepWork.Approval(message, List.of()));
  }

  @Test
  void aRefusalFailsTheStepForGoodAndOmitsThoseAfterIt() {
    Step often =
        ask().retry(new RetryPolicy(5, Duration.ofSeconds(1), Set.of(RetryPolicy.Cause.FAILED)));
    RunModel run = waiting(often);

    decide(run, answer(false, "ann", true));

    assertThat(run.step(1).status()).isEqualTo(StepStatus.FAILED);
    assertThat(run.step(1).reason()).isEqualTo("refused by ann: looks good");
    assertThat(run.step(2).status()).isEqualTo(StepStatus.OMITTED);
    assertThat(refusal(run, answer(true, "ann", true))).isInstanceOf(Problem.Conflict.class);
  }

  @Test
  void onlyThoseWhoAreNamedMayAnswerAndElseWhoOperatesTheRun() {
    RunModel named = waiting(ask("bob"));
    assertThat(refusal(named, answer(true, "ann", true))).isInstanceOf(Problem.Forbidden.class);
    decide(named, answer(true, "bob", false));
    assertThat(named.step(1).status()).isEqualTo(StepStatus.SUCCEEDED);

    RunModel open = waiting(ask());
    assertThat(refusal(open, answer(true, "bob", false))).isInstanceOf(Problem.Forbidden.class);
    assertThat(open.step(1).status()).isEqualTo(StepStatus.RUNNING);
    assertThat(refusal(open, new RunEvent.Decided("train", true, "ann", true, "")))
        .isInstanceOf(Problem.NotFound.class);
  }

  @Test
  void aStopAndATimeoutEndTheQuestionAtOnce() {
    RunModel stopped = waiting(ask());
    decide(stopped, new RunEvent.Stop());
    assertThat(stopped.step(1).status()).isEqualTo(StepStatus.STOPPED);

    RunModel late = waiting(ask().timeout(Duration.ofHours(1)));
    late.decide(new RunEvent.Ticked(), T0.plusSeconds(3_601));
    assertThat(late.step(1).status()).isEqualTo(StepStatus.FAILED);
    assertThat(late.step(1).reason()).isEqualTo("there was no answer within its timeout of 1h");
    assertThat(late.step(2).status()).isEqualTo(StepStatus.OMITTED);
  }

  @Test
  void anOwnerThatTakesOverGoesOnWaiting() {
    RunModel run = waiting(ask());
    RunModel next =
        new RunModel(
            RunSpecs.run(
                1,
                Step.named("train"),
                ask(),
                Step.named("deploy").after("ask"),
                Step.named("other").after("train")),
            run.state(),
            List.of(run.step(0), run.step(1), run.step(2), run.step(3)));

    assertThat(next.decide(new RunEvent.Opened(), T0)).containsExactly(new RunDecision.Adopt(3, 1));
    decide(next, answer(true, "ann", true));
    next.decide(new RunEvent.Ended(3, 1, 0, null, T0), T0);
    next.decide(new RunEvent.Collected(3, 1, List.of()), T0);
    next.decide(new RunEvent.Ended(2, 1, 0, null, T0), T0);
    next.decide(new RunEvent.Collected(2, 1, List.of()), T0);
    assertThat(next.state().status()).isEqualTo(RunStatus.SUCCEEDED);
  }
}
