package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs thousands of steps in one run: complaint 7 of {@code docs/guarantees.md}. They are on the
 * simulated training service, so that the server alone is tried.
 */
@Timeout(240)
class LongRunIT extends PipelineJourney {
  private static final Duration LONG = Duration.ofMinutes(3);

  /** The most values that a task may have. */
  private static final List<Integer> VALUES = IntStream.range(0, 1_000).boxed().toList();

  @Test
  void aRunOfThousandsOfStepsEndsAndEachOfThemRanOnce() throws Exception {
    put(
        "long",
        """
        kind: Pipeline
        name: long
        parallelism: 100
        tasks:
          - {name: a, command: 'true', each: {n: %1$s}, trainingService: {platform: simulated, duration: 1s, speed: 100}}
          - {name: b, command: 'true', each: {n: %1$s}, trainingService: {platform: simulated, duration: 1s, speed: 100}, after: [a]}
          - {name: c, command: 'true', each: {n: %1$s}, trainingService: {platform: simulated, duration: 1s, speed: 100}, after: [b]}
        """
            .formatted(VALUES));

    String id = run("long", "{}");
    await()
        .atMost(LONG)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> !server.get("/runs?limit=1").at("/items/0/endedAt").isNull());
    JsonNode run = run(id);

    Map<String, Integer> counts = new HashMap<>();
    for (JsonNode step : run.path("steps")) {
      String what = step.path("status").asText() + " in attempt " + step.path("attempt").asInt();
      counts.merge(what, 1, Integer::sum);
    }
    assertThat(counts).containsExactly(Map.entry("SUCCEEDED in attempt 1", 3 * VALUES.size()));
    assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");
  }
}
