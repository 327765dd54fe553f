package io.orrery.journeys.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.journeys.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.mlflow.api.proto.Service.Metric;
import org.mlflow.tracking.MlflowClient;

/** Measures what points that MLflow's client logs cost the server, and that none is lost. */
@EnabledIfSystemProperty(named = "orrery.slow", matches = "true")
class TrackingCostIT {
  private static final int BATCH = 1_000;
  private static final int METRICS = 4;
  private static final int WARM_UP = 1_000;
  private static final int BATCHES = 100;

  @TempDir Path temp;

  @Test
  void everyPointIsThereAndItsCostIsPrinted() throws Exception {
    try (ServerProcess server = ServerProcess.start(temp.toAbsolutePath().resolve("home"));
        MlflowClient client = new MlflowClient(server.url().toString())) {
      String warm = client.createRun().getRunId();
      for (int i = 0; i < WARM_UP; i++) {
        client.logBatch(warm, batch(i), List.of(), List.of());
      }
      String run = client.createRun().getRunId();
      List<List<Metric>> batches = new ArrayList<>();
      for (int i = 0; i < BATCHES; i++) {
        batches.add(batch(i));
      }
      Duration before = server.processorTime();
      long begin = System.nanoTime();
      for (List<Metric> batch : batches) {
        client.logBatch(run, batch, List.of(), List.of());
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      double micros = server.processorTime().minus(before).toNanos() / 1e3;

      System.out.printf(
          "%,d points in %.2f s; %.2f µs of processor time of the server each%n",
          BATCH * BATCHES, seconds, micros / (BATCH * BATCHES));
      for (int metric = 0; metric < METRICS; metric++) {
        assertThat(client.getMetricHistory(run, "metric-" + metric))
            .hasSize(BATCH * BATCHES / METRICS);
      }
    }
  }

  private static List<Metric> batch(int number) {
    List<Metric> metrics = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      metrics.add(
          Metric.newBuilder()
              .setKey("metric-" + i % METRICS)
              .setValue(Math.sin(i) * number)
              .setTimestamp(1_700_000_000_000L + (long) number * BATCH + i)
              .setStep((long) number * BATCH + i)
              .build());
    }
    return metrics;
  }
}
