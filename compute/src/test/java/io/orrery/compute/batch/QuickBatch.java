package io.orrery.compute.batch;

import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import java.time.Duration;
import java.util.SplittableRandom;

/** A factory of batch services that are given little time, for tests. */
public final class QuickBatch {
  private QuickBatch() {}

  public static TrainingService open(
      Surroundings surroundings, String platform, BatchService.Apis apis) {
    return new BatchService(
        surroundings,
        platform,
        apis,
        new BatchTimeouts(
            Duration.ofMillis(50),
            Duration.ofMillis(400),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(2),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofSeconds(1)),
        new SplittableRandom(1));
  }
}
