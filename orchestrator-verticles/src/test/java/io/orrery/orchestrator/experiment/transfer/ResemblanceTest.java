package io.orrery.orchestrator.experiment.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.Direction;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which earlier experiments are taken without being named. */
class ResemblanceTest {
  private static final Dimension UNIT = new Dimension.Uniform(0, 1);

  private static SearchSpace space(String... names) {
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    for (String name : names) {
      dimensions.put(name, UNIT);
    }
    return new SearchSpace(dimensions);
  }

  private static SearchSpace wide(String prefix) {
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    for (int i = 0; i < 10_000; i++) {
      dimensions.put((i < 5_000 ? "same" : prefix) + i, UNIT);
    }
    return new SearchSpace(dimensions);
  }

  private static Experiment experiment(int number, long succeeded, SearchSpace space) {
    ExperimentSpec spec =
        new ExperimentSpec(
            ExperimentDescription.named(null),
            SearchSpec.random(space, Direction.MINIMIZE, 1),
            JobSpec.of("ls", "/", null, new TrainingServiceSpec("local", Parameters.EMPTY)),
            ExperimentLimits.of(1, null));
    return new Experiment(
        new ExperimentId("exp" + number),
        ResourceOwner.PUBLIC,
        spec,
        ExperimentStatus.DONE,
        Map.of(TrialStatus.SUCCEEDED, succeeded),
        0,
        null,
        0,
        Instant.EPOCH.plusSeconds(number),
        null,
        null,
        null);
  }

  private static List<String> ids(List<ChosenSource> chosen) {
    return chosen.stream().map(source -> source.experiment().id().value()).toList();
  }

  @Test
  void theMostSimilarComeFirstThenTheNewest() {
    List<ChosenSource> best =
        new Resemblance(space("dropout", "momentum", "decay"))
            .best(
                List.of(
                    experiment(1, 10, space("dropout", "momentum")),
                    experiment(2, 10, space("drop_out", "momentum")),
                    experiment(3, 10, space("dropout", "x")),
                    experiment(4, 9, space("dropout", "momentum", "decay")),
                    experiment(5, 10, space("decay", "dropout", "momentun"))),
                5);

    assertThat(ids(best)).containsExactly("exp5", "exp2", "exp1");
    assertThat(best.get(1).renamed()).isEqualTo(Map.of("drop_out", "dropout"));
  }

  /** Comparing each parameter with each takes a hundred million comparisons for every one. */
  @Test
  @Timeout(120)
  void manyExperimentsOfManyParametersAreCompared() {
    SearchSpace earlier = wide("there");
    List<Experiment> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(experiment(i, 10, earlier));
    }

    assertThat(ids(new Resemblance(wide("here")).best(all, 2))).containsExactly("exp199", "exp198");
  }
}
