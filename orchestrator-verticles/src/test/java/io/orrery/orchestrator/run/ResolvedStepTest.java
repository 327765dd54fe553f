package io.orrery.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.run.OutputRef;
import io.orrery.core.run.OutputSpec;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.StepOutput;
import io.orrery.core.run.ValueText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tries which variables of a step are secrets, and which steps have a key. */
class ResolvedStepTest {
  private static final String REFERENCE = "secret:hub";

  @Test
  void onlyWhatTheDocumentItselfWritesIsAReferenceToASecret() {
    RunSpec run =
        RunSpecs.run(
            1,
            RunSpecs.Step.named("say").output(new OutputSpec("word", true, "word")),
            RunSpecs.Step.named("use")
                .variable("WRITTEN", ValueText.of(REFERENCE))
                .variable("GIVEN", new ValueText(List.of(new ValueText.Given(REFERENCE))))
                .variable(
                    "PUT_TOGETHER",
                    new ValueText(
                        List.of(new ValueText.Written("secret:"), new ValueText.Given("hub"))))
                .variable(
                    "OUTPUT",
                    new ValueText(List.of(new ValueText.Output(new OutputRef("say", "word")))))
                .variable("PLAIN", ValueText.of("hub")));
    RunGraph graph = new RunGraph(run);
    StepState said =
        RunModel.fresh(run)
            .getFirst()
            .cached(
                run.id(),
                List.of(StepOutput.of("word", REFERENCE)),
                "for this test",
                Instant.EPOCH);
    RunOutputs outputs =
        new RunOutputs(graph, number -> number == 0 ? said : RunModel.fresh(run).get(number));

    ResolvedStep resolved = ResolvedStep.of(run, run.steps().get(1), outputs);

    assertThat(resolved.secrets()).containsExactly("WRITTEN");
    assertThat(resolved.environment())
        .containsEntry("GIVEN", REFERENCE)
        .containsEntry("PUT_TOGETHER", REFERENCE)
        .containsEntry("OUTPUT", REFERENCE)
        .containsEntry("PLAIN", "hub");
  }

  private static String key(RunSpecs.Step step) {
    RunSpec run = RunSpecs.run(1, step);
    RunOutputs outputs = new RunOutputs(new RunGraph(run), number -> StepState.NEW);
    return ResolvedStep.of(run, run.steps().getFirst(), outputs).key();
  }

  @Test
  void aStepWithACacheHasTheKeyOfAllThatDoTheSame() {
    Duration day = Duration.ofDays(1);
    ValueText seven = ValueText.of("7");

    assertThat(key(RunSpecs.Step.named("train").cache(day)))
        .hasSize(64)
        .isEqualTo(key(RunSpecs.Step.named("again").cache(day.plusDays(1))))
        .isNotEqualTo(key(RunSpecs.Step.named("train").cache(day).variable("SEED", seven)));
    assertThat(key(RunSpecs.Step.named("train"))).isEmpty();
  }
}
