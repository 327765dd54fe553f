package io.orrery.compute.dlc;

import io.orrery.compute.batch.QuickBatch;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;

/** The platform with little patience, for tests. */
public final class QuickDlc {
  private QuickDlc() {}

  public static TrainingService open(Surroundings surroundings) {
    return QuickBatch.open(surroundings, "dlc", new DlcServiceFactory().apis(surroundings));
  }
}
