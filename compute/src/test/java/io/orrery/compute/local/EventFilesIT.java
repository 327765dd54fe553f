package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.process.Processes;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.RecordingListener;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrainingServiceFixture;
import io.orrery.core.experiment.MetricPolicy;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.process.SearchPath;
import io.orrery.core.tensorboard.EventFileWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Trials that write TensorBoard files, of which half is there for a while. */
class EventFilesIT extends TrainingServiceFixture {
  private static final LocalSettings QUICK =
      new LocalSettings(
          Duration.ofMillis(500),
          Duration.ofMillis(50),
          1 << 20,
          LocalSettings.DEFAULT.interpreter(),
          LocalSettings.DEFAULT.spawn());

  private static final String IN_TWO_PARTS =
      "mkdir -p \"$NNI_OUTPUT_DIR/runs/a\";"
          + " f=\"$NNI_OUTPUT_DIR/runs/a/events.out.tfevents.1.host\"\n"
          + "cat first >>\"$f\"; until [ -e go ]; do sleep 0.02; done; cat second >>\"$f\"";

  @Override
  protected TrainingService open(Surroundings surroundings) {
    return new LocalService(
        surroundings,
        QUICK,
        System.getenv(),
        LocalServiceFactory.alone(surroundings, new GpuProbe(new SearchPath(""), GpuProbe.LIMIT)));
  }

  @Override
  protected void lose(AttemptRef attempt) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws Exception {
    String mark = new ProcessMarks(home()).of(attempt);
    return Processes.all(ProcessMarks.VARIABLE).stream()
        .anyMatch(process -> mark.equals(process.mark()));
  }

  /** A file of ten events, cut in the midst of the sixth. */
  private void writeHalves() throws Exception {
    EventFileWriter file = new EventFileWriter(1_700_000_000_000L);
    for (int step = 0; step < 5; step++) {
      file.add(1_700_000_000_000L, step, Map.of("loss", 1.0 / (1 << step)));
    }
    byte[] half = file.take();
    for (int step = 5; step < 10; step++) {
      file.add(1_700_000_000_000L, step, Map.of("loss", 1.0 / (1 << step)));
    }
    byte[] rest = file.take();
    byte[] first = Arrays.copyOf(half, half.length + 9);
    System.arraycopy(rest, 0, first, half.length, 9);
    Files.write(code().resolve("first"), first);
    Files.write(code().resolve("second"), Arrays.copyOfRange(rest, 9, rest.length));
  }

  private static Submission reading(Submission submission) {
    return submission.with(
        submission.job().withMetrics(new MetricPolicy(null, MetricPolicy.STANDARD_ROLLUP, true)));
  }

  @Test
  void scalarsAreReadWhileTheTrialWritesThemAndItsCutRecordIsWaitedFor() throws Exception {
    writeHalves();
    Submission submission = reading(submission("writes", IN_TWO_PARTS));
    submit(submission);
    Eventually.until("half of them", () -> listener.points(submission.attempt()).size() == 5);
    go();

    assertThat(listener.ended(submission.attempt()).reason()).isNull();
    List<MetricPoint> points = listener.points(submission.attempt());
    assertThat(points).hasSize(10);
    for (int i = 0; i < 10; i++) {
      MetricPoint point = points.get(i);
      assertThat(point.kind()).isEqualTo(MetricKind.INTERMEDIATE);
      assertThat(point.sequence()).isEqualTo(i);
      assertThat(point.ordinal()).isEqualTo(i);
      assertThat(point.source()).isEqualTo("tfevents:runs/a/events.out.tfevents.1.host");
      assertThat(point.time()).isEqualTo(1_700_000_000_000L);
      assertThat(point.value().document()).isEqualTo("{\"loss\":" + 1.0 / (1 << i) + "}");
      assertThat(point.value().isNamedOnly()).isTrue();
    }
  }

  /** The store drops what it has had; so it matters that the numbers of points are the same. */
  @Test
  void afterARestartTheSamePointsHaveTheSameNumbers() throws Exception {
    writeHalves();
    Submission submission = reading(submission("writes", IN_TWO_PARTS));
    submit(submission);
    Eventually.until("half of them", () -> listener.points(submission.attempt()).size() == 5);
    List<MetricPoint> before = listener.points(submission.attempt());

    done(service.close());
    listener = new RecordingListener();
    service = open(surroundings());
    done(service.adopt(List.of(submission)));
    go();

    listener.ended(submission.attempt());
    assertThat(listener.points(submission.attempt()))
        .hasSize(10)
        .startsWith(before.toArray(MetricPoint[]::new));
  }

  @Test
  void aDamagedFileIsSaidAndHarmsNothingElse() throws Exception {
    writeHalves();
    AttemptRef attempt = reading(submission("cut", "true")).attempt();
    submit(
        reading(
            submission(
                "cut",
                "cat first >\"$NNI_OUTPUT_DIR/x.tfevents\"; echo junk that is no record at all"
                    + " >\"$NNI_OUTPUT_DIR/y.tfevents\"; ln -s /proc/self/environ"
                    + " \"$NNI_OUTPUT_DIR/z.tfevents\"; echo 'orrery: final 0.5'")));

    assertThat(listener.ended(attempt).reason()).contains("2 records were damaged");
    assertThat(listener.points(attempt)).hasSize(6);
  }

  @Test
  void whoDoesNotAskForItIsNotReadAndPaysNothing() throws Exception {
    writeHalves();
    AttemptRef attempt =
        submit("cat first >\"$NNI_OUTPUT_DIR/x.tfevents\"; echo 'orrery: final 0.5'");

    listener.ended(attempt);
    assertThat(listener.points(attempt)).hasSize(1);
  }
}
