package io.orrery.orchestrator.platform.aml;

import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.problem.Finding;
import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory;
import io.orrery.orchestrator.platform.batch.BatchService;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Opens the platform {@code aml}. */
public final class AmlServiceFactory implements TrainingServiceFactory {
  private static final String PLATFORM = "aml";

  @Override
  public String platform() {
    return PLATFORM;
  }

  @Override
  public String summary() {
    return "Jobs of an Azure Machine Learning workspace.";
  }

  /** Nothing: whether the workspace takes jobs is seen when the experiment is prepared. */
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
    Map<String, String> environment = System.getenv();
    return new BatchService(
        surroundings, PLATFORM, apis(surroundings, AmlLogin.Places.of(environment), environment));
  }

  /**
   * How experiments use their workspaces.
   *
   * @param environment the server's
   */
  static BatchService.Apis apis(
      Surroundings surroundings, AmlLogin.Places places, Map<String, String> environment) {
    AmlLogin login = new AmlLogin(places, environment, surroundings.clock()::now);
    return (spec, rest) ->
        new AmlApi(
            AmlSettings.of(spec), login, rest, surroundings.access().serverUrl(), spec.slots());
  }
}
