package io.orrery.orchestrator.platform.dlts;

import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.batch.QuickBatch;
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
