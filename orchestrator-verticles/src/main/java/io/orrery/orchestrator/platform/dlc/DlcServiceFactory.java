package io.orrery.orchestrator.platform.dlc;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory;
import io.orrery.orchestrator.platform.batch.BatchService;
import io.orrery.orchestrator.secret.SecretBox;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Opens the platform {@code dlc}. */
public final class DlcServiceFactory implements TrainingServiceFactory {
  private static final String PLATFORM = "dlc";

  @Override
  public String platform() {
    return PLATFORM;
  }

  @Override
  public String summary() {
    return "Jobs of Alibaba Cloud's PAI-DLC.";
  }

  /** Nothing: whether the region takes jobs is seen when the first is submitted. */
  @Override
  public List<Finding> check(ExperimentSpec spec) {
    return List.of();
  }

  @Override
  public Map<String, Path> codeDirectories(ExperimentSpec spec) {
    return Map.of("/trialCodeDirectory", Path.of(spec.trialCodeDirectory()));
  }

  @Override
  public TrainingService open(Surroundings surroundings) {
    return new BatchService(surroundings, PLATFORM, apis(surroundings));
  }

  /** How experiments use their workspaces. */
  static BatchService.Apis apis(Surroundings surroundings) {
    SecretBox secrets =
        new SecretBox(surroundings.home().toAbsolutePath().normalize(), System.getenv());
    return (spec, rest) ->
        new DlcApi(
            DlcSettings.of(spec),
            secrets,
            rest,
            surroundings.clock()::now,
            surroundings.access().serverUrl());
  }
}
