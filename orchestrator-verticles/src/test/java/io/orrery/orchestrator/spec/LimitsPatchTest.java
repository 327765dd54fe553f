package io.orrery.orchestrator.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitsPatchTest extends SpecFixture {
  @Test
  void whatIsNamedChangesAndTheRestStays() {
    ExperimentSpec before = spec(GOOD);

    ExperimentSpec after =
        patch("{\"trialConcurrency\": 5, \"maxExperimentDuration\": \"90m\"}").applyTo(before);

    assertThat(after.limits().trialConcurrency()).isEqualTo(5);
    assertThat(after.limits().maxExperimentDuration()).isEqualTo(Duration.ofMinutes(90));
    assertThat(after.limits().maxTrialNumber()).isEqualTo(10);
    assertThat(after.search().space()).isEqualTo(before.search().space());
  }

  @Test
  void nullLiftsALimit() {
    ExperimentSpec after =
        patch("{\"maxTrialNumber\": null, \"max_experiment_duration\": null}").applyTo(spec(GOOD));

    assertThat(after.limits().maxTrialNumber()).isNull();
    assertThat(after.limits().maxExperimentDuration()).isNull();
  }

  @Test
  void theConfigurationShownFollows() {
    ExperimentSpec after =
        patch(
                "{\"maxTrialNumber\": 3, \"maxExperimentDuration\": null, \"searchSpace\": {\"n\":"
                    + " {\"_type\": \"choice\", \"_value\": [1, 2]}}}")
            .applyTo(spec(GOOD));

    assertThat(after.search().space().dimensions()).containsOnlyKeys("n");
    assertThat(spec(after.description().config())).isEqualTo(after);
  }

  @Test
  void everythingWrongIsSaidAtOnce() {
    assertThat(
            faults(
                """
                {"trialConcurrency": null, "maxTrialNum": 3, "maxTrialNumber": 0,
                 "maxExperimentDuration": "soon", "tuner": {},
                 "searchSpace": {"lr": {"_type": "uniform", "_value": [1, 0]}}}
                """))
        .extracting(Finding::pointer)
        .containsExactlyInAnyOrder(
            "/trialConcurrency",
            "/maxTrialNum",
            "/maxTrialNumber",
            "/maxExperimentDuration",
            "/tuner",
            "/searchSpace/lr/_value");
  }

  @Test
  void aMisspeltKeyIsToldTheRightOne() {
    assertThat(faults("{\"trialConcurency\": 3}"))
        .extracting(Finding::message)
        .containsExactly("'trialConcurency' is not a known key (did you mean 'trialConcurrency'?)");
  }

  @Test
  void whatIsNoObjectIsRefused() {
    assertThat(faults("[1]")).hasSize(1);
    assertThat(faults("{")).hasSize(1);
    assertThat(faults("")).hasSize(1);
  }

  private static List<Finding> faults(String body) {
    ProblemException refused = catchThrowableOfType(ProblemException.class, () -> patch(body));
    assertThat(refused.problem()).isInstanceOf(Problem.Refused.class);
    return ((Problem.Refused) refused.problem()).findings();
  }

  @Test
  void aSpaceWithoutWhatTheCommandNamesIsRefused() {
    ExperimentSpec before = spec(with("python3 trial.py", "x {{params.lr}}"));
    LimitsPatch patch =
        patch("{\"searchSpace\": {\"lrr\": {\"_type\": \"choice\", \"_value\": [1]}}}");

    ProblemException refused =
        catchThrowableOfType(ProblemException.class, () -> patch.applyTo(before));

    assertThat(refused.problem().detail())
        .contains("/searchSpace", "{{params.lr}}", "did you mean 'lrr'?");
  }

  @Test
  void theSpaceOfATunerThatIsNotOursMayHaveAnyForm() {
    // D3
    AlgorithmSpec own = new AlgorithmSpec(null, "a.Mine", "/code", Parameters.EMPTY);
    LimitsPatch patch = LimitsPatch.read("{\"searchSpace\": {\"x\": [1, 50]}}", own);
    ExperimentSpec after = patch.applyTo(spec(GOOD));

    assertThat(after.search().space().toNniJson().toString()).isEqualTo("{\"x\":[1,50]}");
    assertThat(after.description().config()).contains("\"searchSpace\":{\"x\":[1,50]}");
  }

  private static LimitsPatch patch(String json) {
    return LimitsPatch.read(json, AlgorithmSpec.named("TPE"));
  }
}
