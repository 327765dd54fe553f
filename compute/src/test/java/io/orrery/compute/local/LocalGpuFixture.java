package io.orrery.compute.local;

import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.gpu.StandInSmi;
import io.orrery.compute.process.Processes;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrainingServiceFixture;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.process.SearchPath;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Parameters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** A machine of four GPUs, as nvidia-smi shows them, and trials that end when they are told to. */
abstract class LocalGpuFixture extends TrainingServiceFixture {
  static final String VISIBLE = "echo \"gpus $CUDA_VISIBLE_DEVICES $CUDA_DEVICE_ORDER\"\n";
  static final String RUNS = "until [ -e \"$NNI_OUTPUT_DIR/end\" ]; do sleep 0.02; done\n";

  StandInSmi smi;
  List<String> interpreter = LocalSettings.DEFAULT.interpreter();
  Duration limit = GpuProbe.LIMIT;
  @Nullable Integer gpus = 1;
  Map<String, @Nullable Object> settings = Map.of();

  @BeforeEach
  @Override
  protected void start() throws Exception {
    smi = new StandInSmi(directory.resolve("bin"));
    super.start();
  }

  @Override
  protected TrainingService open(Surroundings given) {
    Surroundings hurried =
        new Surroundings(
            given.vertx(),
            new Hurried(given.clock()),
            given.home(),
            given.sdk(),
            given.access(),
            given.listener(),
            given.keepers());
    return new LocalService(
        hurried,
        new LocalSettings(
            LocalSettings.DEFAULT.grace(),
            LocalSettings.DEFAULT.tick(),
            LocalSettings.DEFAULT.logQuota(),
            interpreter,
            LocalSettings.DEFAULT.spawn()),
        environment(),
        LocalServiceFactory.alone(hurried, new GpuProbe(new SearchPath(smi.path()), limit)));
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

  @Override
  protected TrainingServiceSpec platform() {
    return new TrainingServiceSpec("local", new Parameters(settings));
  }

  @Override
  protected @Nullable Integer gpus() {
    return gpus;
  }

  final AttemptRef submitWithoutGpus() throws Exception {
    gpus = null;
    return submit("true");
  }

  static String waitingShell() {
    return "sh -c 'until [ -e \"$NNI_OUTPUT_DIR/end\" ]; do sleep 0.02; done'";
  }

  final void end(AttemptRef attempt) throws Exception {
    Path trials = AttemptFiles.of(home(), attempt).directory();
    Files.createFile(trials.resolve("end"));
  }

  final void untilItWaits(AttemptRef attempt, String reason) throws Exception {
    Eventually.until(
        reason,
        () ->
            listener.events(attempt).stream()
                .anyMatch(
                    event -> event instanceof Waiting waiting && waiting.reason().equals(reason)));
  }

  final Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("PATH", smi.path());
    environment.put("CUDA_VISIBLE_DEVICES", "7");
    environment.remove("CUDA_DEVICE_ORDER");
    return environment;
  }

  /** A clock whose long pauses are short. */
  private record Hurried(Clock clock) implements Clock {
    @Override
    public Instant now() {
      return clock.now();
    }

    @Override
    public Timer after(Duration delay, Runnable action) {
      Duration most = Duration.ofMillis(200);
      return clock.after(delay.compareTo(most) < 0 ? delay : most, action);
    }
  }
}
