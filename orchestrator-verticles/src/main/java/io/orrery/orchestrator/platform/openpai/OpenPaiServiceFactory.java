package io.orrery.orchestrator.platform.openpai;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory;
import io.orrery.orchestrator.platform.batch.BatchService;
import io.orrery.orchestrator.secret.SecretBox;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Opens the platform {@code openpai}. */
public final class OpenPaiServiceFactory implements TrainingServiceFactory {
  private static final String PLATFORM = "openpai";

  @Override
  public String platform() {
    return PLATFORM;
  }

  @Override
  public String summary() {
    return "Jobs of an OpenPAI cluster.";
  }

  /** Nothing: whether the cluster takes jobs is seen when the first is submitted. */
  @Override
  public List<Finding> check(ExperimentSpec spec) {
    return List.of();
  }

  @Override
  public Map<String, Path> codeDirectories(ExperimentSpec spec) {
    return Map.of("/trialCodeDirectory", Path.of(spec.trialCodeDirectory()));
  }

  @Override
  public boolean givesFurtherSets() {
    return true;
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return new BatchService(surroundings, PLATFORM, apis(surroundings));
  }

  /** How experiments use their clusters. */
  static BatchService.Apis apis(Surroundings surroundings) {
    OpenPaiLogin.Desk desk =
        new OpenPaiLogin.Desk(
            new SecretBox(surroundings.home().toAbsolutePath().normalize(), System.getenv()));
    return (spec, rest) -> {
      OpenPaiSettings settings = OpenPaiSettings.of(spec);
      return new OpenPaiApi(
          settings,
          desk.of(settings.account()),
          rest,
          surroundings.access().serverUrl(),
          spec.slots());
    };
  }
}
