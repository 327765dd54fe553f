package io.orrery.orchestrator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.workload.Readings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricTextTest {
  private static final String TEXT =
      """
      # HELP queue_length Requests that wait.
      # TYPE queue_length gauge
      queue_length{model="a",note="x} 9 \\"y\\" {"} 3 1700000000000
      queue_length{model="b"} 4.5
      queue_length_sum 100
      # TYPE done counter
      done 7
      served_total{code="200"} 1e3
      bad{a="b"} NaN
      bad +Inf
      worse{a="b
      # EOF
      """;

  private static Readings read(String... names) {
    return MetricText.read(TEXT, List.of(names));
  }

  @Test
  void allSeriesOfANameAreAddedUp() {
    assertThat(read("queue_length").levels()).isEqualTo(Map.of("queue_length", 7.5));
  }

  @Test
  void countersAreTotals() {
    assertThat(read("done", "served_total"))
        .isEqualTo(new Readings(Map.of(), Map.of("done", 7.0, "served_total", 1000.0)));
  }

  @Test
  void whatIsNoNumberOrNotThereIsLeftOut() {
    assertThat(read("bad", "worse", "queue", "model")).isEqualTo(Readings.NONE);
  }
}
