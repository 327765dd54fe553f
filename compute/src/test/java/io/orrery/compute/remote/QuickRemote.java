package io.orrery.compute.remote;

import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/** The platform with little patience, for tests. */
public final class QuickRemote {
  private QuickRemote() {}

  /**
   * @param variables the environment of its server
   * @param gathering how long the other machines are waited for when one is there
   */
  public static TrainingService open(
      Surroundings surroundings, Map<String, String> variables, Duration gathering) {
    return MachineSharing.open(
        surroundings,
        new MachineTimeouts(
            Duration.ofMillis(250),
            Duration.ofSeconds(10),
            gathering,
            Duration.ofSeconds(20),
            Duration.ofSeconds(30),
            Duration.ofMillis(200),
            Duration.ofMillis(400),
            Duration.ofSeconds(12),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2)),
        variables,
        new Random(7));
  }
}
