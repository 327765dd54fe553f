package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.BareJob;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.process.Sandbox;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TrialEnvironmentTest {
  private static final AttemptRef ATTEMPT =
      new AttemptRef(new TrialRef(new ExperimentId("exp1"), new TrialId("abcde")), 2);
  private static final TrialAccess ACCESS =
      new TrialAccess() {
        @Override
        public String serverUrl() {
          return "http://localhost:8080";
        }

        @Override
        public String token(AttemptRef attempt) {
          return "secret";
        }
      };

  @Test
  void aTrialSeesWhatTheProtocolSays() {
    assertThat(environment(Map.of("PATH", "/bin"), null, "{}"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("PATH", "/bin"),
                Map.entry("NNI_PLATFORM", "local"),
                Map.entry("NNI_EXP_ID", "exp1"),
                Map.entry("NNI_TRIAL_JOB_ID", "abcde"),
                Map.entry("NNI_TRIAL_SEQ_ID", "11"),
                Map.entry("NNI_SYS_DIR", "/home/experiments/exp1/trials/abcde/attempt-2"),
                Map.entry("NNI_OUTPUT_DIR", "/home/experiments/exp1/trials/abcde/attempt-2"),
                Map.entry("NNI_CODE_DIR", "/code"),
                Map.entry("NNI_TRIAL_COMMAND_CHANNEL", "http://localhost:8080/trial/secret"),
                Map.entry(
                    "MLFLOW_RUN_CONTEXT",
                    "{\"orrery.experiment\":\"exp1\",\"orrery.trial\":\"abcde\"}"),
                Map.entry("ORRERY_URL", "http://localhost:8080"),
                Map.entry("ORRERY_TRIAL_TOKEN", "secret"),
                Map.entry("ORRERY_ATTEMPT", "mark"),
                Map.entry("PYTHONPATH", "/sdk/compat")));
  }

  @Test
  void whatIsMeantForTheServerIsNotPassedOn() {
    assertThat(
            environment(
                Map.of("ORRERY_TOKEN", "x", "ORRERY_HOME", "x", "NNI_X", "x", "REUSE_MODE", "true"),
                null,
                "{}"))
        .doesNotContainKeys("ORRERY_TOKEN", "ORRERY_HOME", "NNI_X", "REUSE_MODE", "MULTI_PHASE");
  }

  @Test
  void ourSdkComesBeforeTheInheritedPath() {
    assertThat(environment(Map.of("PYTHONPATH", "/mine"), null, "{}"))
        .containsEntry("PYTHONPATH", "/sdk/compat:/mine");
  }

  @Test
  void noGpusAreHiddenAndUnmanagedOnesLeftAlone() {
    Map<String, String> inherited = Map.of("CUDA_VISIBLE_DEVICES", "3");
    assertThat(environment(inherited, 0, "{}")).containsEntry("CUDA_VISIBLE_DEVICES", "-1");
    assertThat(environment(inherited, null, "{}")).containsEntry("CUDA_VISIBLE_DEVICES", "3");
  }

  @Test
  void everyParameterIsAVariable() {
    assertThat(
            environment(
                Map.of(),
                null,
                """
                {"lr": 1e-3, "batch-size": 32, "név": "a 'b'", "opt": {"_name": "sgd", "lr": 0.5},
                 "on": true, "none": null, "l": [1, "x"]}
                """))
        .containsEntry("ORRERY_PARAM_LR", "0.001")
        .containsEntry("ORRERY_PARAM_BATCH_SIZE", "32")
        .containsEntry("ORRERY_PARAM_N_V", "a 'b'")
        .containsEntry("ORRERY_PARAM_OPT", "{\"_name\":\"sgd\",\"lr\":0.5}")
        .containsEntry("ORRERY_PARAM_ON", "true")
        .containsEntry("ORRERY_PARAM_NONE", "null")
        .containsEntry("ORRERY_PARAM_L", "[1,\"x\"]");
  }

  @Test
  void aParameterThatNoVariableCanHoldIsLeftOut() {
    String huge = "{\"huge\": \"" + "x".repeat(200_000) + "\", \"small\": 1}";
    assertThat(environment(Map.of(), null, huge))
        .containsKey("ORRERY_PARAM_SMALL")
        .doesNotContainKey("ORRERY_PARAM_HUGE");
  }

  private static Map<String, String> environment(
      Map<String, String> inherited, @Nullable Integer gpus, String parameters) {
    JobSpec job = BareJob.on("local", "true", "/code", gpus);
    Submission submission =
        new Submission(
            ATTEMPT,
            11,
            new ParameterSet(
                0, "1", ParameterSource.ALGORITHM, Json.read(parameters, Parameters.class)),
            job);
    return new TrialEnvironment(inherited, Path.of("/sdk"), ACCESS, Sandbox.NONE)
        .of(submission, AttemptFiles.of(Path.of("/home"), ATTEMPT), "mark", null);
  }
}
