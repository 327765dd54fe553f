package io.orrery.compute.dlts;

import io.orrery.compute.batch.QuickBatch;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import java.util.Map;

/** The platform with little patience, for tests. */
public final class QuickDlts {
  private QuickDlts() {}

  /**
   * @param environment its server's
   */
  public static TrainingService open(Surroundings surroundings, Map<String, String> environment) {
    return QuickBatch.open(
        surroundings, "dlts", DltsServiceFactory.apis(surroundings, environment));
  }
}
