package io.orrery.compute.local;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.GpuReport;
import io.orrery.compute.service.MachineState;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.problem.Finding;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Trials that need GPUs, on a machine whose nvidia-smi knows of four. */
class LocalGpuIT extends LocalGpuFixture {
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
    MachineState machine = service.machines(EXPERIMENT, job(RUNS)).getFirst();
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
  void whatThisMachineCanNeverGiveIsFoundBeforeTheExperimentStarts() throws Exception {
    LocalServiceFactory factory = new LocalServiceFactory(environment());
    gpus = 4;
    assertThat(factory.check(job("true"))).isEmpty();
    gpus = 5;
    assertThat(factory.check(job("true")))
        .containsExactly(
            new Finding(
                "/trialGpuNumber",
                "a trial needs 5 GPUs, but this machine has only gpu 0, 1, 2, 3"));
    gpus = 1;
    settings = Map.of("gpuIndices", List.of(4L));
    assertThat(factory.check(job("true")))
        .extracting(Finding::pointer)
        .containsExactly("/trainingService/gpuIndices");
    gpus = null;
    assertThat(factory.check(job("true"))).isEmpty();
  }
}
