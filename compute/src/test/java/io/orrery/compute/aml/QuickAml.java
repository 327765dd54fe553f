package io.orrery.compute.aml;

import io.orrery.compute.batch.QuickBatch;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
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
