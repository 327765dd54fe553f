package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.ProcessSignals;
import io.orrery.compute.process.Processes;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrainingServiceFixture;
import io.orrery.core.id.AttemptRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests wrappers that come late or not at all, and processes that are not what their numbers say.
 */
class LocalWrapperIT extends TrainingServiceFixture {
  private static final int CONTINUE = 18;

  private LocalSettings settings = LocalAttempts.QUICK;

  /** Every test runs with names that a shell would take apart. */
  @Override
  protected Path home() {
    return directory.resolve("it's a \"home\" $HOME");
  }

  @Override
  protected Path code() {
    return directory.resolve("the `code` isn't \\ here");
  }

  @Override
  protected TrainingService open(Surroundings surroundings) {
    return LocalAttempts.service(surroundings, settings);
  }

  @Override
  protected void lose(AttemptRef attempt) throws Exception {
    ProcessSignals.toProcess(LocalAttempts.held(home(), attempt).pid(), ProcessSignals.KILL);
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws Exception {
    return LocalAttempts.runs(home(), attempt);
  }

  /** The late wrapper belongs to launch 1, which was revoked; or to the same launch, if not. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aWrapperThatComesLateNeverRunsASecondTime(boolean adopted) throws Exception {
    Submission submission = submission("race", "echo run >>runs\n" + AWAIT_GO);
    freezeWrappers();
    restart();
    submit(submission);
    Path frozen = directory.resolve("frozen");
    Eventually.until("it is frozen", () -> isStopped(frozen));

    settings = LocalAttempts.QUICK;
    restart();
    if (adopted) {
      assertThat(done(service.adopt(List.of(submission)))).containsExactly(submission.attempt());
    }
    submit(submission);
    Eventually.until("it runs", () -> listener.started(submission.attempt()));
    thaw(frozen);
    go();

    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
  }

  @Test
  void whatIsNotKnownDoesNotStartUnbidden() throws Exception {
    Submission submission = submission("unbidden", "echo run >>runs");
    freezeWrappers();
    restart();
    submit(submission);
    Path frozen = directory.resolve("frozen");
    Eventually.until("it is frozen", () -> isStopped(frozen));
    settings = LocalAttempts.QUICK;
    restart();

    assertThat(done(service.adopt(List.of(submission)))).containsExactly(submission.attempt());
    thaw(frozen);

    assertThat(code().resolve("runs")).doesNotExist();
    submit(submission);
    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
  }

  @Test
  void anAttemptThatRunsUnderALateWrapperIsFollowed() throws Exception {
    Submission submission = submission("late", "echo run >>runs; exit 7");
    freezeWrappers();
    restart();
    submit(submission);
    Path frozen = directory.resolve("frozen");
    Eventually.until("it is frozen", () -> isStopped(frozen));

    thaw(frozen);

    assertThat(listener.ended(submission.attempt()).exitCode()).isEqualTo(7);
  }

  @Test
  void cancelingAWrapperThatHasNotStartedKeepsItFromStarting() throws Exception {
    Submission submission = submission("frozen", "touch ran");
    freezeWrappers();
    restart();
    submit(submission);
    Eventually.until("it is frozen", () -> isStopped(directory.resolve("frozen")));

    done(service.cancel(submission.attempt()));

    assertThat(listener.ended(submission.attempt()).reason()).contains("before it started");
    assertThat(listener.started(submission.attempt())).isFalse();
    assertThat(code().resolve("ran")).doesNotExist();
  }

  @Test
  void aProcessThatHasTheNumberOfAnOldWrapperIsNotTouched() throws Exception {
    Process innocent = new ProcessBuilder("setsid", "sleep", "300").start();
    try {
      Submission submission = submission("old", "true");
      Path nni = LocalAttempts.files(home(), submission.attempt()).nni();
      Files.createDirectories(nni);
      Files.writeString(nni.resolve("claim-1"), innocent.pid() + " 12\n");

      assertThat(done(service.adopt(List.of(submission)))).isEmpty();
      done(service.cancel(submission.attempt()));

      Ended ended = listener.ended(submission.attempt());
      assertThat(ended.exitCode()).isNull();
      assertThat(innocent.isAlive()).isTrue();
    } finally {
      innocent.destroyForcibly().waitFor();
    }
  }

  @Test
  void aWrapperThatDiedWhileItClaimedIsReported() throws Exception {
    Submission submission = submission("dead", "touch ran");
    Path nni = LocalAttempts.files(home(), submission.attempt()).nni();
    Files.createDirectories(nni);
    Files.createFile(nni.resolve("claim-1"));

    assertThat(done(service.adopt(List.of(submission)))).isEmpty();

    assertThat(listener.ended(submission.attempt()).reason()).contains("wrapper was killed");
    assertThat(code().resolve("ran")).doesNotExist();
  }

  @Test
  void whatAnEarlierServerLeftOfAnEndedAttemptIsEnded() throws Exception {
    settings =
        new LocalSettings(
            LocalAttempts.QUICK.grace(),
            Duration.ofHours(1),
            1 << 20,
            LocalAttempts.QUICK.interpreter(),
            LocalAttempts.QUICK.spawn());
    restart();
    AttemptRef attempt =
        submit("setsid sh -c 'trap \"\" TERM; while :; do sleep 300; done' & sleep 0.1");
    listener.ended(attempt);
    assertThat(runs(attempt)).isTrue();

    settings = LocalAttempts.QUICK;
    restart();

    Eventually.until("all are gone", () -> !runs(attempt));
  }

  @Test
  void afterTheMachineWasStartedAgainEqualNumbersMeanNothing() throws Exception {
    Process innocent = new ProcessBuilder("setsid", "sleep", "300").start();
    try {
      Submission submission = submission("rebooted", "true");
      claim(submission, innocent.pid(), Processes.startTime(innocent.pid()), "another-boot");

      assertThat(done(service.adopt(List.of(submission)))).isEmpty();
      Ended ended = listener.ended(submission.attempt());
      done(service.cancel(submission.attempt()));

      assertThat(ended.exitCode()).isNull();
      assertThat(ended.reason()).contains("started again");
      assertThat(innocent.isAlive()).isTrue();
    } finally {
      innocent.destroyForcibly().waitFor();
    }
  }

  /**
   * The stranger's own leader has gone, so that nothing but the mark tells whose the session is.
   */
  @Test
  void aSessionOfStrangersWithTheNumberOfAnOldWrapperIsNotTouched() throws Exception {
    Path pids = directory.resolve("pids");
    new ProcessBuilder("setsid", "sh", "-c", "sleep 300 & echo $$ $! >'" + pids + "'")
        .inheritIO()
        .start()
        .waitFor();
    Eventually.until("the stranger is up", () -> Files.exists(pids) && Files.size(pids) > 0);
    String[] numbers = Files.readString(pids).strip().split(" ");
    long stranger = Long.parseLong(numbers[1]);
    try {
      Submission submission = submission("strange", "true");
      claim(submission, Long.parseLong(numbers[0]), 12, Processes.BOOT);

      assertThat(done(service.adopt(List.of(submission)))).isEmpty();
      done(service.cancel(submission.attempt()));

      assertThat(listener.ended(submission.attempt()).exitCode()).isNull();
      assertThat(Processes.startTime(stranger)).isPositive();
    } finally {
      ProcessSignals.toProcess(stranger, ProcessSignals.KILL);
    }
  }

  @Test
  void theClaimNamesTheWrapperAndTheBoot() throws Exception {
    AttemptRef attempt = submit(AWAIT_GO);
    Eventually.until("it runs", () -> listener.started(attempt));

    Taken held = LocalAttempts.held(home(), attempt);

    assertThat(held.boot()).isEqualTo(Processes.BOOT);
    assertThat(held.isAlive()).isTrue();
    go();
    listener.ended(attempt);
    assertThat(held.isAlive()).isFalse();
  }

  private void claim(Submission submission, long pid, long startTime, String boot)
      throws Exception {
    Path nni = LocalAttempts.files(home(), submission.attempt()).nni();
    Files.createDirectories(nni);
    Files.writeString(nni.resolve("claim-1"), "%d %d %s\n".formatted(pid, startTime, boot));
  }

  /** From the next restart on, wrappers stop before their first line. */
  private void freezeWrappers() throws Exception {
    Path shell =
        Files.createFile(
            directory.resolve("frozen-sh"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(
        shell,
        "#!/bin/sh\necho $$ >'%s'\nkill -STOP $$\nexec /bin/sh \"$@\"\n"
            .formatted(directory.resolve("frozen")));
    settings =
        new LocalSettings(
            LocalAttempts.QUICK.grace(),
            LocalAttempts.QUICK.tick(),
            LocalAttempts.QUICK.logQuota(),
            List.of(shell.toString()),
            LocalAttempts.QUICK.spawn());
  }

  /** Lets a frozen wrapper go on and waits until it has gone. */
  private static void thaw(Path pidFile) throws Exception {
    long late = Long.parseLong(Files.readString(pidFile).strip());
    ProcessSignals.toProcess(late, CONTINUE);
    Eventually.until("it has gone", () -> !Files.exists(Path.of("/proc/" + late + "/exe")));
  }

  private static boolean isStopped(Path pidFile) throws Exception {
    if (!Files.exists(pidFile) || Files.size(pidFile) == 0) {
      return false;
    }
    Path stat = Path.of("/proc/" + Files.readString(pidFile).strip() + "/stat");
    return Files.exists(stat) && Files.readString(stat).contains(") T ");
  }
}
