package io.orrery.orchestrator.platform.aml;

import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.batch.QuickBatch;
import java.util.Map;

/** The platform with little patience, for tests. */
public final class QuickAml {
  private QuickAml() {}

  /**
   * @param environment its server's
   */
  public static TrainingService open(
      Surroundings surroundings, String azure, Map<String, String> environment) {
    return QuickBatch.open(
        surroundings,
        "aml",
        AmlServiceFactory.apis(
            surroundings, new AmlLogin.Places(azure, azure, azure), environment));
  }
}
