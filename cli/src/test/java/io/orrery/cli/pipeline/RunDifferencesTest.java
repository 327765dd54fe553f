package io.orrery.cli.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares runs. */
class RunDifferencesTest {
  private static JsonNode run(String id, int epochs, String score, String digest, String more) {
    return Json.parse(
        """
        {"id": "%s", "pipeline": "digits", "version": 3, "status": "SUCCEEDED",
         "parameters": {"epochs": %d}, "startedAt": "2026-01-31T12:00:00Z",
         "endedAt": "2026-01-31T12:00:02.500Z",
         "steps": [{"name": "train", "status": "SUCCEEDED", "startedAt": "2026-01-31T12:00:00Z",
                    "endedAt": "2026-01-31T12:00:01Z", "outputs": {
                      "score": {"kind": "value", "value": "%s", "digest": null},
                      "model": {"kind": "file", "value": null, "digest": "%s"}}}%s]}
        """
            .formatted(id, epochs, score, digest, more));
  }

  @Test
  void whatDiffersIsToldApartFromWhatIsTheSame() {
    JsonNode left = run("r1", 3, "0.9", "ab".repeat(32), "");
    JsonNode right =
        run("r2", 5, "0.9", "cd".repeat(32), ", {\"name\": \"test\", \"status\": \"FAILED\"}");

    Map<String, JsonNode> lines = new HashMap<>();
    RunDifferences.of(left, right).forEach(line -> lines.put(line.path("what").asText(), line));

    assertThat(lines.get("parameter epochs").path("left").asText()).isEqualTo("3");
    assertThat(lines.get("parameter epochs").path("same").asBoolean()).isFalse();
    assertThat(lines.get("train.score").path("same").asBoolean()).isTrue();
    assertThat(lines.get("train.model").path("right").asText()).isEqualTo("sha256:cdcdcdcdcdcd");
    assertThat(lines.get("train took").path("left").asText()).isEqualTo("1.0 s");
    assertThat(lines.get("took").path("left").asText()).isEqualTo("2.5 s");
    assertThat(lines.get("test status").path("left").isNull()).isTrue();
    assertThat(lines.get("test status").path("same").asBoolean()).isFalse();
  }
}
