package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.journeys.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills the server at random instants, also while it starts, during a run of 40 steps: {@code
 * -Dorrery.kills=100} for as many, {@code -Dorrery.kills.seed} for other instants.
 */
@Timeout(1_800)
class KilledRunIT extends PipelineJourney {
  private static final int STEPS = 40;
  private static final int PARALLEL = 4;
  private static final int KILLS = Integer.getInteger("orrery.kills", 5);
  private static final int LONGEST_LIFE_MILLIS = 3_000;

  private String document(String name, Path counter, double seconds) {
    return """
    kind: Pipeline
    name: %s
    parallelism: %d
    tasks:
      - name: part
        command: |
          echo {{each.n}} >> %s; sleep %s; echo part {{each.n}} > "$ORRERY_OUTPUTS/part"
        each: {n: %s}
        outputs: {part: {path: part}}
      - name: whole
        command: |
          echo all >> %s; cat "$ORRERY_INPUTS"/parts/* | sort > "$ORRERY_OUTPUTS/whole"
        inputs: {parts: "{{tasks.part.outputs.part}}"}
        outputs: {whole: {path: whole}}
    """
        .formatted(
            name,
            PARALLEL,
            quoted(counter),
            seconds,
            IntStream.range(1, STEPS).boxed().toList(),
            quoted(counter));
  }

  private static List<String> digests(JsonNode run) {
    List<String> digests = new ArrayList<>();
    run.path("steps")
        .forEach(step ->
            step.path("outputs").forEach(output -> digests.add(output.path("digest").asText())));
    return digests;
  }

  @Test
  void eachStepRunsOnceAndItsOutputsAreThoseOfAnUndisturbedRun() throws Exception {
    Path calm = temp.resolve("calm");
    put("calm", document("calm", calm, 0));
    JsonNode expected = awaitEnd(run("calm", "{}"));
    assertThat(expected.path("status").asText()).isEqualTo("SUCCEEDED");
    Path counter = temp.resolve("counter");
    double seconds = Math.max(0.3, KILLS * LONGEST_LIFE_MILLIS / 2e3 * PARALLEL / STEPS);
    put("killed", document("killed", counter, seconds));
    String id = run("killed", "{}");
    Random random = new Random(Long.getLong("orrery.kills.seed", 7));

    for (int kill = 0; kill < KILLS; kill++) {
      Duration life = Duration.ofMillis(random.nextInt(LONGEST_LIFE_MILLIS));
      await().pollDelay(life).atMost(life.plusSeconds(60)).until(() -> true);
      server.kill();
      server =
          ServerProcess.begin(home(), List.of("--port", "0", "--router-port", "off"), Map.of());
    }
    server.kill();
    begin();

    // While servers live for seconds, few new steps start.
    await()
        .atMost(PATIENCE.plusSeconds((long) (seconds * STEPS / PARALLEL)))
        .until(() -> !run(id).path("endedAt").isNull());
    JsonNode run = run(id);
    assertThat(run.path("status").asText()).as(run.toPrettyString()).isEqualTo("SUCCEEDED");
    assertThat(Files.readAllLines(counter))
        .hasSize(STEPS)
        .containsExactlyInAnyOrderElementsOf(Files.readAllLines(calm));
    assertThat(digests(run)).hasSize(STEPS).isEqualTo(digests(expected));
    assertThat(run.path("steps"))
        .allSatisfy(step -> assertThat(step.path("attempt").asInt()).isEqualTo(1));
  }
}
