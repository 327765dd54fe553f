package io.orrery.cli.nni;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.json.Json;
import org.junit.jupiter.api.Test;

class ExportTest {
  @Test
  void noTextInATableIsAFormulaAndNumbersAreNumbers() {
    String results =
        """
        [{"parameter": {"=x": "@SUM(A1)", "lr": -0.5}, "value": "-0.25", "trialJobId": "one"},
         {"parameter": {"=x": "plain, or not", "lr": 1}, "value": "{\\"note\\":\\"=1\\"}", "trialJobId": "two"}]
        """;

    assertThat(Export.csv(Json.parse(results), false))
        .isEqualTo(
            """
            '=x,lr,reward,trialJobId,note\r
            '@SUM(A1),-0.5,-0.25,one,\r
            "plain, or not",1,,two,'=1\r
            """);
  }
}
