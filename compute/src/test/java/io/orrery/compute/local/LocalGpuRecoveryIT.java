package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests GPUs over restarts, and while nvidia-smi or the start of a trial fails. */
class LocalGpuRecoveryIT extends LocalGpuFixture {
  @Test
  void givenDevicesAreHeldOverARestartInAnyOrderOfAdoption() throws Exception {
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
    submit(new Submission(attempt, 4, submission("x", "true").parameters(), job("true")));
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
}
