package io.orrery.core.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Exchanges jobs with a release that stored the whole experiment in their place. */
class StoredJobTest {
  private static final JobSpec JOB =
      new JobSpec(
          "python3 trial.py",
          "/code",
          2,
          true,
          true,
          new TrainingServiceSpec(
              "remote", new Parameters(Map.of("machineList", List.of(Map.of("host", "m1"))))),
          new SharedStorageSpec.Nfs("/here", "/there", false, null, null),
          new MetricPolicy(Duration.ofHours(1), 100, true));

  /** The file of an experiment as the release before has written it. */
  private static final String OF_AN_EXPERIMENT =
      """
      {"name":"digits","trialCommand":"python3 trial.py","trialCodeDirectory":"/code",\
      "trialConcurrency":4,"trialGpuNumber":2,"maxExperimentDuration":null,"maxTrialNumber":10,\
      "maxTrialDuration":null,"searchSpace":{"x":{"_type":"uniform","_value":[0.0,1.0]}},\
      "tuner":{"name":"Random","className":null,"codeDirectory":null,"classArgs":{},\
      "foreign":false,"stock":false},"assessor":null,\
      "objectives":[{"metric":"default","goal":"minimize"}],"seed":7,\
      "retry":{"attempts":1,"backoff":10.000000000,"on":["FAILED","LOST"]},\
      "failures":{"total":null,"inRow":null},"parametersAsArguments":false,"multiPhase":false,\
      "quota":null,"share":{"priority":50,"weight":1.0},\
      "trainingService":{"platform":"local","settings":{"debug":false}},"sharedStorage":null,\
      "metrics":{"intermediate":null,"rollup":1000,"readEventFiles":false},"config":"{}"}
      """;

  @Test
  void theReleaseBeforeReadsAJobAsThatOfAnExperiment() {
    ExperimentSpec read = Json.read(Json.write(new StoredJob(JOB)), ExperimentSpec.class);

    assertThat(read.job()).isEqualTo(JOB);
  }

  @Test
  void theJobOfAnExperimentIsReadThatTheReleaseBeforeHasStored() {
    ExperimentSpec experiment =
        new ExperimentSpec(
            ExperimentDescription.named("digits"),
            SearchSpec.random(
                new SearchSpace(Map.of("x", new Dimension.Uniform(0, 1))), Direction.MINIMIZE, 7),
            JOB,
            ExperimentLimits.of(4, 10L));

    assertThat(Json.read(Json.write(experiment), StoredJob.class).job()).isEqualTo(JOB);
  }

  @Test
  void aFileOfTheReleaseBeforeIsRead() {
    assertThat(Json.read(OF_AN_EXPERIMENT, StoredJob.class).job())
        .isEqualTo(
            JobSpec.of(
                "python3 trial.py",
                "/code",
                2,
                new TrainingServiceSpec("local", new Parameters(Map.of("debug", false)))));
  }
}
