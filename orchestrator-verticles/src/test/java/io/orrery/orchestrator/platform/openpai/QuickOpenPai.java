package io.orrery.orchestrator.platform.openpai;

import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import io.orrery.orchestrator.platform.batch.QuickBatch;

/** The platform with little patience, for tests. */
public final class QuickOpenPai {
  private QuickOpenPai() {}

  public static TrainingService open(Surroundings surroundings) {
    return QuickBatch.open(surroundings, "openpai", new OpenPaiServiceFactory().apis(surroundings));
  }
}
