package io.orrery.journeys.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Measures steps, and advises what their tasks could ask for. */
@Timeout(180)
class ResourceAdviceIT extends PipelineJourney {
  private static final String ADVICE = "/pipelines/wide/advice";
  private static final long MEGABYTE = 1 << 20;

  @Test
  void aTaskThatUsesLittleOfWhatItAsksForIsToldSo() throws Exception {
    put(
        "wide",
        """
        name: wide
        tasks:
          - name: fill
            command: python3 -c "import time; room = bytearray(80 << 20); time.sleep(5)"
            resources: {memory: 4G}
        """);
    assertThat(server.get(ADVICE).get("items")).isEmpty();

    for (String id : List.of(run("wide", "{}"), run("wide", "{}"), run("wide", "{}"))) {
      assertThat(awaitEnd(id).get("status").textValue()).isEqualTo("SUCCEEDED");
    }

    JsonNode advice = server.get(ADVICE).get("items").get(0);
    assertThat(advice.get("task").textValue()).isEqualTo("fill");
    assertThat(advice.get("runs").intValue()).isEqualTo(3);
    assertThat(advice.get("memoryBytes").longValue()).isBetween(80 * MEGABYTE, 200 * MEGABYTE);
    assertThat(advice.get("suggested").get("memory").textValue()).isIn("128M", "256M", "512M");
    assertThat(advice.get("words").get(0).textValue())
        .matches("memory: asked 4G, used at most [0-9]+M in 3 runs: [0-9]+M would do");
    assertThat(server.get("/pipelines/wide").at("/tasks/0/resources/memory").textValue())
        .isEqualTo("4G");
  }
}
