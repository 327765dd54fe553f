package io.orrery.compute.openpai;

import io.orrery.compute.batch.QuickBatch;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;

/** The platform with little patience, for tests. */
public final class QuickOpenPai {
  private QuickOpenPai() {}

  public static TrainingService open(Surroundings surroundings) {
    return QuickBatch.open(surroundings, "openpai", new OpenPaiServiceFactory().apis(surroundings));
  }
}
