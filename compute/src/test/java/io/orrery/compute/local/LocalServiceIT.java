package io.orrery.compute.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.compute.process.ProcessSignals;
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
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests trials on this machine: what they report and leave behind, and how they end. */
class LocalServiceIT extends TrainingServiceContract {
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

  @Test
  void theFactoryIsFoundByItsName() {
    assertThat(ServiceLoader.load(TrainingServiceFactory.class))
        .anyMatch(factory -> factory.platform().equals("local"));
  }

  @Test
  void theWrapperRunsUnderBashAsWell() throws Exception {
    settings =
        new LocalSettings(
            LocalAttempts.QUICK.grace(),
            LocalAttempts.QUICK.tick(),
            LocalAttempts.QUICK.logQuota(),
            List.of("bash", "--posix"),
            LocalAttempts.QUICK.spawn());
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

  @Test
  void aCommandThatIsTooLongIsRefusedForGood() {
    assertThatThrownBy(() -> submit("true " + "x".repeat(200_000)))
        .hasMessageContaining("/trialCommand")
        .hasMessageContaining("longer than the system allows");
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
    Eventually.until("it runs", () -> code().resolve("runs").toFile().length() > 0);
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

  private static String record(String type, int sequence, String value) {
    String json =
        "{\"parameter_id\": 7, \"type\": \"%s\", \"sequence\": %d, \"value\": \"%s\"}\n"
            .formatted(type, sequence, value);
    return "ME%06d%s".formatted(json.getBytes(StandardCharsets.UTF_8).length, json);
  }
}
