package io.orrery.compute.aml;

import io.orrery.compute.batch.BatchService;
import io.orrery.compute.batch.BatchServiceFactory;
import io.orrery.compute.section.ServiceSection;
import java.util.Map;

/** Opens the platform {@code aml}. */
public final class AmlServiceFactory implements BatchServiceFactory {
  @Override
  public String platform() {
    return "aml";
  }

  @Override
  public ServiceSection section() {
    return new AmlSection();
  }

  @Override
  public String summary() {
    return "Jobs of an Azure Machine Learning workspace.";
  }

  @Override
  public BatchService.Apis apis(Surroundings surroundings) {
    Map<String, String> environment = System.getenv();
    return apis(surroundings, AmlLogin.Places.of(environment), environment);
  }

  /**
   * How experiments use their workspaces.
   *
   * @param environment the server's
   */
  static BatchService.Apis apis(
      Surroundings surroundings, AmlLogin.Places places, Map<String, String> environment) {
    AmlLogin login = new AmlLogin(places, environment, surroundings.clock()::now);
    return (job, rest) ->
        new AmlApi(AmlSettings.of(job), login, rest, surroundings.access().serverUrl());
  }
}
