package io.orrery.gateway.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.metric.MetricValue;
import io.orrery.core.trial.Parameters;
import io.orrery.gateway.Samples;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExportTableTest {
  @Test
  void noTwoColumnsHaveOneName() { // H
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("lr", 0.1);
    parameters.put("loss", 1);
    parameters.put("trialJobId", 2);
    ExportTable table = new ExportTable();
    TrialResult result =
        new TrialResult(
            Samples.trial(),
            new Parameters(parameters),
            MetricValue.parse("{\"default\": 0.5, \"loss\": 3}"));
    table.learn(result);

    assertThat(table.head().strip().split(","))
        .containsExactly(
            "lr", "loss", "parameter.trialJobId", "default", "metric.loss", "trialJobId");
    assertThat(table.row(result).strip()).isEqualTo("0.1,1,2,0.5,3,abcde");
  }
}
