package io.orrery.compute.local;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.gpu.StandInSmi;
import io.orrery.compute.process.Processes;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.GpuReport;
import io.orrery.compute.service.MachineState;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrainingServiceFixture;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Finding;
import io.orrery.core.process.SearchPath;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Parameters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Trials that need GPUs, on a machine whose nvidia-smi knows of four. */
class LocalGpuIT extends TrainingServiceFixture {
  private static final String VISIBLE = "echo \"gpus $CUDA_VISIBLE_DEVICES $CUDA_DEVICE_ORDER\"\n";
  private static final String RUNS = "until [ -e \"$NNI_OUTPUT_DIR/end\" ]; do sleep 0.02; done\n";

  private StandInSmi smi;
  private List<String> interpreter = LocalSettings.DEFAULT.interpreter();
  private Duration limit = GpuProbe.LIMIT;
  private @Nullable Integer gpus = 1;
  private Map<String, @Nullable Object> settings = Map.of();

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

  @Test
  void aTrialSeesTheGpusThatItWasGivenInTheOrderOfTheirNumbers() throws Exception {
    gpus = 2;
    settings = Map.of("gpuIndices", List.of(3L, 1L), "maxTrialNumberPerGpu", 1L);

    AttemptRef attempt = submit(VISIBLE);

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(log(attempt, Stream.STDOUT)).isEqualTo("gpus 1,3 PCI_BUS_ID\n");
    assertThat(smi.looks()).isEqualTo(1);
  }

  @Test
  void withoutTrialGpuNumberNothingIsTouchedAndNothingIsLookedAt() throws Exception {
    gpus = null;
    AttemptRef untouched = submit(VISIBLE);
    gpus = 0;
    AttemptRef hidden = submit(VISIBLE);

    listener.ended(untouched);
    listener.ended(hidden);

    assertThat(log(untouched, Stream.STDOUT)).isEqualTo("gpus 7 \n");
    assertThat(log(hidden, Stream.STDOUT)).isEqualTo("gpus -1 \n");
    assertThat(smi.looks()).isZero();
  }

  @Test
  void aTrialWaitsWithItsReasonUntilDevicesFallFree() throws Exception {
    gpus = 3;
    AttemptRef first = submit(RUNS);
    Eventually.until("it runs", () -> listener.started(first));
    gpus = 2;
    AttemptRef second = submit(VISIBLE);
    untilItWaits(second, "waits for 2 GPUs: 1 of 4 free (gpu 0, 1, 2: 1 trial)");
    assertThat(listener.started(second)).isFalse();
    MachineState machine = service.machines(EXPERIMENT, spec(RUNS)).getFirst();
    assertThat(machine.attempts()).containsExactlyInAnyOrder(first, second);
    assertThat(Objects.requireNonNull(machine.gpus()).gpus())
        .extracting(GpuReport.Gpu::trials)
        .containsExactly(List.of(first), List.of(first), List.of(first), List.of());

    end(first);

    assertThat(listener.ended(second).exitCode()).isZero();
    assertThat(log(second, Stream.STDOUT)).isEqualTo("gpus 0,1 PCI_BUS_ID\n");
  }

  @Test
  void whatWaitsIsTakenBackAsIfItHadNeverComeAndMayComeAgain() throws Exception {
    gpus = 4;
    AttemptRef first = submit(RUNS);
    Eventually.until("it runs", () -> listener.started(first));
    Submission waiting = submission("waiting", VISIBLE);
    submit(waiting);
    untilItWaits(waiting.attempt(), "waits for 4 GPUs: 0 of 4 free (gpu 0, 1, 2, 3: 1 trial)");

    assertThat(service.withdraw(waiting.attempt()).await(20, SECONDS)).isTrue();
    assertThat(service.withdraw(waiting.attempt()).await(20, SECONDS)).isFalse();
    assertThat(service.withdraw(first).await(20, SECONDS)).isFalse();
    end(first);
    // A foreign process gets them first, so they were free and not taken.
    AttemptRef third = submit("true");
    assertThat(listener.ended(third).exitCode()).isZero();
    assertThat(listener.started(waiting.attempt())).isFalse();

    submit(waiting);
    assertThat(listener.ended(waiting.attempt()).exitCode()).isZero();
    assertThat(log(waiting.attempt(), Stream.STDOUT)).isEqualTo("gpus 0,1,2,3 PCI_BUS_ID\n");
  }

  @Test
  void trialsShareAsManyAsTheyAllow() throws Exception {
    settings = Map.of("maxTrialNumberPerGpu", 2L, "gpuIndices", List.of(2L));
    AttemptRef first = submit(VISIBLE + RUNS);
    AttemptRef second = submit(VISIBLE + RUNS);
    Eventually.until("both run", () -> listener.started(first) && listener.started(second));

    AttemptRef third = submit("true");

    untilItWaits(third, "waits for 1 GPU: 0 of 1 free (gpu 2: 2 trials)");
    end(first);
    assertThat(listener.ended(third).exitCode()).isZero();
    end(second);
  }

  @Test
  void whatAStrangerUsesIsLeftToHimUntilHeIsGone() throws Exception {
    long stranger = ProcessHandle.current().parent().orElseThrow().pid();
    smi.processes(stranger + ", 00000000:0F:00.0, /opt/conda/bin/python3\n");
    settings = Map.of("gpuIndices", List.of(1L));

    AttemptRef attempt = submit("true");

    untilItWaits(
        attempt,
        "waits for 1 GPU: 0 of 1 free (gpu 1: in use by another process (pid "
            + stranger
            + ", python3))");
    smi.processes("");
    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  @Test
  void aBusyGpuIsTakenWhenItMayBe() throws Exception {
    smi.processes("1, 00000000:0F:00.0, Xorg\n");
    settings = Map.of("gpuIndices", List.of(1L), "useActiveGpu", true);

    AttemptRef attempt = submit(VISIBLE);

    listener.ended(attempt);
    assertThat(log(attempt, Stream.STDOUT)).isEqualTo("gpus 1 PCI_BUS_ID\n");
  }

  @Test
  void aTrialsOwnProcessIsNoStranger() throws Exception {
    settings = Map.of("maxTrialNumberPerGpu", 2L, "gpuIndices", List.of(0L));
    AttemptRef first = submit("echo $$; exec " + waitingShell());
    Eventually.until("it runs", () -> listener.started(first));
    Eventually.until("its pid", () -> log(first, Stream.STDOUT).endsWith("\n"));
    smi.processes(log(first, Stream.STDOUT).strip() + ", 00000000:07:00.0, python3\n");

    AttemptRef second = submit("true");

    assertThat(listener.ended(second).exitCode()).isZero();
    end(first);
  }

  @Test
  void aCanceledTrialNeverTakesAGpu() throws Exception {
    gpus = 4;
    AttemptRef first = submit(RUNS);
    Eventually.until("it runs", () -> listener.started(first));
    AttemptRef waiting = submit("touch ran");
    AttemptRef next = submit("true");
    untilItWaits(waiting, "waits for 4 GPUs: 0 of 4 free (gpu 0, 1, 2, 3: 1 trial)");

    done(service.cancel(waiting));

    Ended ended = listener.ended(waiting);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).isEqualTo("canceled before it started");
    end(first);
    assertThat(listener.ended(next).exitCode()).isZero();
    assertThat(code().resolve("ran")).doesNotExist();
    assertThat(listener.started(waiting)).isFalse();
  }

  @Test
  void aRepeatedSubmissionWaitsOnce() throws Exception {
    gpus = 4;
    AttemptRef first = submit(RUNS);
    Eventually.until("it runs", () -> listener.started(first));
    Submission submission = submission("twice", "echo run >>runs");
    submit(submission);
    submit(submission);

    end(first);

    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
  }

  @Test
  void whatWasGivenIsHeldOverARestartWhoeverIsAdoptedFirst() throws Exception {
    gpus = 3;
    Submission before = submission("before", VISIBLE + RUNS);
    submit(before);
    Eventually.until("it runs", () -> listener.started(before.attempt()));

    restart();
    gpus = 2;
    Submission after = submission("after", VISIBLE);
    submit(after);
    untilItWaits(after.attempt(), "waits for 2 GPUs: 1 of 4 free (gpu 0, 1, 2: 1 trial)");
    assertThat(done(service.adopt(List.of(before)))).isEmpty();
    submit(before);
    end(before.attempt());

    assertThat(listener.ended(before.attempt()).exitCode()).isZero();
    assertThat(listener.ended(after.attempt()).exitCode()).isZero();
  }

  @Test
  void whatWaitedBeforeARestartIsUnknownAndWaitsAgain() throws Exception {
    gpus = 4;
    Submission first = submission("first", RUNS);
    submit(first);
    Eventually.until("it runs", () -> listener.started(first.attempt()));
    Submission waiting = submission("waiting", "echo run >>runs");
    submit(waiting);

    restart();

    assertThat(done(service.adopt(List.of(first, waiting)))).containsExactly(waiting.attempt());
    submit(waiting);
    end(first.attempt());
    assertThat(listener.ended(waiting.attempt()).exitCode()).isZero();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
  }

  @Test
  void aProbeThatHangsIsSaidAndOvercome() throws Exception {
    limit = Duration.ofMillis(200);
    restart();
    smi.script("#!/bin/sh\nexec sleep 300\n");

    AttemptRef attempt = submit("true");
    AttemptRef other = submitWithoutGpus();

    assertThat(listener.ended(other).exitCode()).as("no other is held up").isZero();
    untilItWaits(
        attempt, "waits for GPUs, but nvidia-smi did not answer within 0.2 s; it is tried again");
    smi.recover();
    limit = GpuProbe.LIMIT;
    restart();
    gpus = 1;
    submit(new Submission(attempt, 4, submission("x", "true").parameters(), spec("true")));
    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  @Test
  void aDriverThatComesBackIsNoticed() throws Exception {
    smi.script(
        "#!/bin/sh\necho 'Failed to initialize NVML: Driver/library version mismatch'\nexit 18\n");
    AttemptRef attempt = submit("true");
    untilItWaits(
        attempt,
        "waits for GPUs, but nvidia-smi ended with exit code 18: Failed to initialize NVML:"
            + " Driver/library version mismatch; it is tried again");

    smi.recover();

    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  @Test
  void whatTheMachineCannotStartNowGivesItsGpusBackAndIsTriedAgain() throws Exception {
    Path starter = directory.resolve("bin/starter");
    interpreter = List.of(starter.toString());
    restart();
    gpus = 4;
    AttemptRef attempt = submit(VISIBLE);
    Eventually.until(
        "a reason",
        () ->
            listener.events(attempt).stream()
                .anyMatch(event ->
                    event instanceof Waiting waiting
                        && waiting.reason().startsWith("this machine cannot start it now")));

    Path draft = directory.resolve("bin/draft-starter");
    Files.writeString(draft, "#!/bin/sh\nexec /bin/sh \"$@\"\n");
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(draft, starter);

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(log(attempt, Stream.STDOUT)).isEqualTo("gpus 0,1,2,3 PCI_BUS_ID\n");
  }

  @Test
  void aSubmissionThatCanNeverStartIsRefusedBeforeItWaits() {
    assertThatThrownBy(() -> submit("echo {{params.nothing}}")).hasMessageContaining("nothing");
  }

  @Test
  void whatCannotBeStartedWhenItsTurnComesEndsWithItsReason() throws Exception {
    gpus = 4;
    AttemptRef first = submit(RUNS);
    Eventually.until("it runs", () -> listener.started(first));
    AttemptRef waiting = submit("true");
    untilItWaits(waiting, "waits for 4 GPUs: 0 of 4 free (gpu 0, 1, 2, 3: 1 trial)");
    Files.delete(code());
    end(first);

    assertThat(listener.ended(waiting).reason())
        .startsWith("it could not be started: /trialCodeDirectory: there is no directory");
    Files.createDirectories(code());
    AttemptRef next = submit("true");
    assertThat(listener.ended(next).exitCode()).as("its devices are free").isZero();
  }

  @Test
  void whatThisMachineCanNeverGiveIsFoundBeforeTheExperimentStarts() throws Exception {
    LocalServiceFactory factory = new LocalServiceFactory(environment());
    gpus = 4;
    assertThat(factory.check(spec("true"))).isEmpty();
    gpus = 5;
    assertThat(factory.check(spec("true")))
        .containsExactly(
            new Finding(
                "/trialGpuNumber",
                "a trial needs 5 GPUs, but this machine has only gpu 0, 1, 2, 3"));
    gpus = 1;
    settings = Map.of("gpuIndices", List.of(4L));
    assertThat(factory.check(spec("true")))
        .extracting(Finding::pointer)
        .containsExactly("/trainingService/gpuIndices");
    gpus = null;
    assertThat(factory.check(spec("true"))).isEmpty();
  }

  private AttemptRef submitWithoutGpus() throws Exception {
    gpus = null;
    return submit("true");
  }

  private static String waitingShell() {
    return "sh -c 'until [ -e \"$NNI_OUTPUT_DIR/end\" ]; do sleep 0.02; done'";
  }

  private void end(AttemptRef attempt) throws Exception {
    Path trials = AttemptFiles.of(home(), attempt).directory();
    Files.createFile(trials.resolve("end"));
  }

  private void untilItWaits(AttemptRef attempt, String reason) throws Exception {
    Eventually.until(
        reason,
        () ->
            listener.events(attempt).stream()
                .anyMatch(
                    event -> event instanceof Waiting waiting && waiting.reason().equals(reason)));
  }

  private Map<String, String> environment() {
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
