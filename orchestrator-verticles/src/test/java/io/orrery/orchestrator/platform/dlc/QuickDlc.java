package io.orrery.orchestrator.platform.dlc;

import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.batch.QuickBatch;

/** The platform with little patience, for tests. */
public final class QuickDlc {
  private QuickDlc() {}

  public static TrainingService open(Surroundings surroundings) {
    return QuickBatch.open(surroundings, "dlc", new DlcServiceFactory().apis(surroundings));
  }
}
