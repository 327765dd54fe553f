package io.orrery.cli.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.json.Json;
import org.junit.jupiter.api.Test;

/** Prints comparisons of runs. */
class RunDifferencesTest {
  private static JsonNode line(String kind, String left, String right, String change) {
    return Json.parse(
        "{\"kind\": \"%s\", \"step\": \"train\", \"name\": \"x\", \"left\": %s, \"right\": %s, \"change\": %s}"
            .formatted(kind, left, right, change));
  }

  @Test
  void numbersAreRoundedAndTheirChangeHasASign() {
    JsonNode line = line("metric", "0.5", "0.7499999999", "0.2499999999");

    assertThat(RunDifferences.name(line)).isEqualTo("train x");
    assertThat(RunDifferences.cell(line, "left")).isEqualTo("0.5");
    assertThat(RunDifferences.cell(line, "right")).isEqualTo("0.75");
    assertThat(RunDifferences.change(line)).isEqualTo("+0.25");
    assertThat(RunDifferences.change(line("metric", "2", "1", "-1.0"))).isEqualTo("-1");
  }

  @Test
  void aDurationHasItsUnitAndAnArtifactTheBeginningOfItsDigest() {
    String digest = "\"sha256:" + "ab".repeat(32) + "\"";

    assertThat(RunDifferences.cell(line("duration", "2.5", "null", "null"), "left"))
        .isEqualTo("2.5 s");
    assertThat(RunDifferences.cell(line("duration", "2.5", "null", "null"), "right"))
        .isEqualTo("-");
    assertThat(RunDifferences.cell(line("artifact", digest, "null", "null"), "left"))
        .isEqualTo("sha256:abababababab");
    assertThat(RunDifferences.change(line("value", "\"a\"", "\"b\"", "null"))).isEmpty();
  }

  @Test
  void parametersOfAnyTypeAreShown() {
    JsonNode line = line("parameter", "[1, 2]", "true", "null");

    assertThat(RunDifferences.cell(line, "left")).isEqualTo("[1,2]");
    assertThat(RunDifferences.cell(line, "right")).isEqualTo("true");
  }
}
