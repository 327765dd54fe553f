package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.gpu.GpuProbe;
import io.orrery.compute.process.LaunchClaims.Taken;
import io.orrery.compute.process.ProcessSignals;
import io.orrery.compute.process.Processes;
import io.orrery.compute.service.Eventually;
import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.RecordingListener;
import io.orrery.compute.service.Submission;
import io.orrery.compute.service.TrainingService;
import io.orrery.compute.service.TrainingServiceContract;
import io.orrery.compute.service.TrainingServiceFactory;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.process.SearchPath;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalServiceIT extends TrainingServiceContract {
  private static final LocalSettings QUICK =
      new LocalSettings(
          Duration.ofMillis(500),
          Duration.ofMillis(200),
          1 << 20,
          LocalSettings.DEFAULT.interpreter(),
          LocalSettings.DEFAULT.spawn());

  private static final int CONTINUE = 18;

  private LocalSettings settings = QUICK;

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
    return new LocalService(
        surroundings,
        settings,
        System.getenv(),
        LocalServiceFactory.alone(surroundings, new GpuProbe(new SearchPath(""), GpuProbe.LIMIT)));
  }

  @Override
  protected void lose(AttemptRef attempt) throws Exception {
    ProcessSignals.toProcess(held(attempt).pid(), ProcessSignals.KILL);
  }

  @Override
  protected boolean runs(AttemptRef attempt) throws Exception {
    String mark = new ProcessMarks(home()).of(attempt);
    return Processes.all(ProcessMarks.VARIABLE).stream()
        .anyMatch(process -> mark.equals(process.mark()));
  }

  @Test
  void theFactoryIsFoundByItsName() {
    assertThat(ServiceLoader.load(TrainingServiceFactory.class))
        .anyMatch(factory -> factory.platform().equals("local"));
  }

  @Test
  void theWrapperRunsUnderBashAsWell() throws Exception {
    settings =
        new LocalSettings(
            QUICK.grace(),
            QUICK.tick(),
            QUICK.logQuota(),
            List.of("bash", "--posix"),
            QUICK.spawn());
    restart();

    AttemptRef attempt = submit("exit 3");

    assertThat(listener.ended(attempt).exitCode()).isEqualTo(3);
    assertThat(Duration.between(listener.ended(attempt).at(), surroundings().clock().now()).abs())
        .isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void aTrialRunsInTheCodeDirectoryItself() throws Exception {
    AttemptRef attempt = submit("pwd; touch made");

    listener.ended(attempt);

    assertThat(log(attempt, Stream.STDOUT)).isEqualTo(code().toRealPath() + "\n");
    assertThat(code().resolve("made")).exists();
  }

  @Test
  void aHundredThousandRecordsArriveWholeAndInOrder() throws Exception {
    String records =
        IntStream.range(0, 100_000)
            .mapToObj(i -> record("PERIODICAL", i, "0." + i))
            .collect(Collectors.joining());
    Files.writeString(code().resolve("records"), records);

    AttemptRef attempt = submit("cat records >>\"$NNI_SYS_DIR/.nni/metrics\"");

    listener.ended(attempt);
    List<MetricPoint> points = listener.points(attempt);
    assertThat(points).hasSize(100_000);
    for (int i = 0; i < points.size(); i++) {
      assertThat(points.get(i).ordinal()).isEqualTo(i);
      assertThat(points.get(i).sequence()).isEqualTo(i);
    }
  }

  @Test
  void halfARecordWaitsForItsOtherHalf() throws Exception {
    String record = record("FINAL", 0, "0.25");
    Files.writeString(code().resolve("half1"), record.substring(0, 30));
    Files.writeString(code().resolve("half2"), record.substring(30));

    AttemptRef attempt =
        submit(
            "m=\"$NNI_SYS_DIR/.nni/metrics\"; cat half1 >>\"$m\"; touch half\n"
                + AWAIT_GO
                + "cat half2 >>\"$m\"");
    Eventually.until("a half", () -> Files.exists(code().resolve("half")));
    assertThat(listener.points(attempt)).isEmpty();
    go();

    assertThat(listener.ended(attempt).reason()).isNull();
    assertThat(listener.points(attempt)).hasSize(1);
  }

  @Test
  void aTornLastRecordIsDroppedAndSaid() throws Exception {
    AttemptRef attempt =
        submit(
            REPORT + "report FINAL 0 0.5; printf 'ME000090{\"ty' >>\"$NNI_SYS_DIR/.nni/metrics\"");

    assertThat(listener.ended(attempt).reason()).contains("12 bytes");
    assertThat(listener.points(attempt)).hasSize(1);
  }

  @Test
  void twoFinalsAreBothReportedInOrder() throws Exception {
    AttemptRef attempt = submit(REPORT + "report FINAL 0 0.5; report FINAL 0 NaN");

    listener.ended(attempt);

    assertThat(listener.points(attempt))
        .extracting(MetricPoint::kind)
        .containsExactly(MetricKind.FINAL, MetricKind.FINAL);
    assertThat(listener.points(attempt))
        .extracting(point -> point.value().number())
        .containsExactly(0.5, Double.NaN);
  }

  @Test
  void printedReportsAreFoundAmongBinaryOutput() throws Exception {
    AttemptRef attempt =
        submit(
            """
            head -c 100000 /dev/urandom; echo
            echo 'orrery: intermediate {"default": 0.5, "loss": 2}'
            head -c 10000 /dev/urandom; echo
            echo 'orrery: final 0.75'
            """);

    assertThat(listener.ended(attempt).exitCode()).isZero();
    assertThat(listener.points(attempt))
        .filteredOn(point -> point.source().equals("stdout"))
        .extracting(point -> point.value().number())
        .containsExactly(0.5, 0.75);
  }

  @Test
  void aRunawayLogEndsTheAttemptWithAReasonAndItsReports() throws Exception {
    AttemptRef attempt = submit(REPORT + "report FINAL 0 0.5; trap 'exit 0' TERM; yes");

    Ended ended = listener.ended(attempt);

    assertThat(ended.exitCode()).isNotEqualTo(Integer.valueOf(0));
    assertThat(ended.reason()).contains("limit of 1,048,576");
    assertThat(listener.points(attempt)).hasSize(1);
  }

  @Test
  void childrenLeftInTheSessionAreEndedBeforeTheEnd() throws Exception {
    AttemptRef attempt = submit("sleep 300 & trap '' TERM; sleep 301 &");

    assertThat(listener.ended(attempt).exitCode()).isZero();

    assertThat(runs(attempt)).isFalse();
  }

  @Test
  void childrenThatEscapedAreEndedSoonAfterANormalEnd() throws Exception {
    AttemptRef attempt = submit("setsid sh -c 'trap \"\" TERM; while :; do sleep 300; done' &");

    assertThat(listener.ended(attempt).exitCode()).isZero();

    Eventually.until("all are gone", () -> !runs(attempt));
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

    settings = QUICK;
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
    settings = QUICK;
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
      Path nni = files(submission.attempt()).nni();
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
    Path nni = files(submission.attempt()).nni();
    Files.createDirectories(nni);
    Files.createFile(nni.resolve("claim-1"));

    assertThat(done(service.adopt(List.of(submission)))).isEmpty();

    assertThat(listener.ended(submission.attempt()).reason()).contains("wrapper was killed");
    assertThat(code().resolve("ran")).doesNotExist();
  }

  @Test
  void aCommandThatIsTooLongIsRefusedForGood() {
    assertThatThrownBy(() -> submit("true " + "x".repeat(200_000)))
        .hasMessageContaining("/trialCommand")
        .hasMessageContaining("longer than the system allows");
  }

  @Test
  void whatAnEarlierServerLeftOfAnEndedAttemptIsEnded() throws Exception {
    settings =
        new LocalSettings(
            QUICK.grace(), Duration.ofHours(1), 1 << 20, QUICK.interpreter(), QUICK.spawn());
    restart();
    AttemptRef attempt =
        submit("setsid sh -c 'trap \"\" TERM; while :; do sleep 300; done' & sleep 0.1");
    listener.ended(attempt);
    assertThat(runs(attempt)).isTrue();

    settings = QUICK;
    restart();

    Eventually.until("all are gone", () -> !runs(attempt));
  }

  @Test
  void aClosingPlatformPutsOffWhatItCannotFollowAndNothingRunsTwice() throws Exception {
    List<Submission> all =
        IntStream.range(0, 60)
            .mapToObj(i -> submission("close" + i, "echo run >>runs-%d".formatted(i)))
            .toList();
    List<Future<Void>> answers = new ArrayList<>();
    for (Submission each : all.subList(0, 40)) {
      answers.add(service.submit(each));
    }
    Future<Void> closed = service.close();
    for (Submission each : all.subList(40, 60)) {
      answers.add(service.submit(each));
    }
    Eventually.until("all are answered", () -> answers.stream().allMatch(Future::isComplete));

    assertThat(answers.subList(40, 60)).allMatch(Future::failed);
    assertThat(answers)
        .filteredOn(Future::failed)
        .allSatisfy(
            answer -> assertThat(Problem.of(answer.cause())).isInstanceOf(Problem.Busy.class));
    done(closed);
    listener = new RecordingListener();
    service = open(surroundings());
    List<AttemptRef> unknown = done(service.adopt(all));
    for (Submission each : all) {
      if (unknown.contains(each.attempt())) {
        submit(each);
      }
      assertThat(listener.ended(each.attempt()).exitCode()).isZero();
    }
    for (int i = 0; i < 60; i++) {
      assertThat(Files.readAllLines(code().resolve("runs-" + i))).hasSize(1);
    }
  }

  @Test
  void aTrialThatRemovesItsDirectoryEndsWithAReason() throws Exception {
    AttemptRef attempt = submit("rm -rf \"$NNI_SYS_DIR\"");

    Ended ended = listener.ended(attempt);

    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("directory", "was removed");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTrialThatHasRemovedItsDirectoryCanBeCanceled(boolean restarted) throws Exception {
    Submission submission =
        submission("bare", "rm -rf \"$NNI_SYS_DIR\"; echo run >>runs; sleep 300; true");
    submit(submission);
    Eventually.until("it runs", () -> Files.exists(code().resolve("runs")));
    if (restarted) {
      restart();
      assertThat(done(service.adopt(List.of(submission)))).as("unknown").isEmpty();
    }

    done(service.cancel(submission.attempt()));

    assertThat(runs(submission.attempt())).isFalse();
    assertThat(listener.ended(submission.attempt()).exitCode()).isNull();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
  }

  @Test
  void aTrialThatNeverWasIsNotKnownByItsMissingDirectory() throws Exception {
    Submission submission = submission("nowhere", "true");

    assertThat(done(service.adopt(List.of(submission)))).containsExactly(submission.attempt());
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

    Taken held = held(attempt);

    assertThat(held.boot()).isEqualTo(Processes.BOOT);
    assertThat(held.isAlive()).isTrue();
    go();
    listener.ended(attempt);
    assertThat(held.isAlive()).isFalse();
  }

  @Test
  void aReportThatCanNeverBeStoredCostsNoOther() throws Exception {
    String id = "x".repeat(2_000);
    String json =
        "{\"parameter_id\": \"%s\", \"type\": \"FINAL\", \"value\": \"1\"}\n".formatted(id);
    Files.writeString(
        code().resolve("records"),
        "ME%06d%s".formatted(json.length(), json) + record("FINAL", 1, "0.5"));

    AttemptRef attempt = submit("cat records >>\"$NNI_SYS_DIR/.nni/metrics\"");

    Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.reason()).contains("1 records no metric");
    assertThat(listener.points(attempt)).hasSize(1);
  }

  private void claim(Submission submission, long pid, long startTime, String boot)
      throws Exception {
    Path nni = files(submission.attempt()).nni();
    Files.createDirectories(nni);
    Files.writeString(nni.resolve("claim-1"), "%d %d %s\n".formatted(pid, startTime, boot));
  }

  private static String record(String type, int sequence, String value) {
    String json =
        "{\"parameter_id\": 7, \"type\": \"%s\", \"sequence\": %d, \"value\": \"%s\"}\n"
            .formatted(type, sequence, value);
    return "ME%06d%s".formatted(json.getBytes(StandardCharsets.UTF_8).length, json);
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
            QUICK.grace(),
            QUICK.tick(),
            QUICK.logQuota(),
            List.of(shell.toString()),
            QUICK.spawn());
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

  private Taken held(AttemptRef attempt) throws Exception {
    return (Taken) files(attempt).claims().current();
  }

  private AttemptFiles files(AttemptRef attempt) {
    return AttemptFiles.of(home(), attempt);
  }
}
