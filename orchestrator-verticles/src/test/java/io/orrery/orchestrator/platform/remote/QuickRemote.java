package io.orrery.orchestrator.platform.remote;

import io.orrery.orchestrator.platform.TrainingService;
import io.orrery.orchestrator.platform.TrainingServiceFactory.Surroundings;
import java.time.Duration;
import java.util.Map;
import java.util.Random;

/** The platform with little patience, for tests. */
public final class QuickRemote {
  private QuickRemote() {}

  /**
   * @param variables the environment of its server
   */
  public static TrainingService open(Surroundings surroundings, Map<String, String> variables) {
    return new RemoteService(
        surroundings,
        new Patience(
            Duration.ofMillis(250),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofSeconds(20),
            Duration.ofSeconds(30),
            Duration.ofMillis(200),
            Duration.ofSeconds(1),
            Duration.ofSeconds(12),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2)),
        variables,
        new Random(7));
  }
}
