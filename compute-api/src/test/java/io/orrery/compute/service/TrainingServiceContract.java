package io.orrery.compute.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.PlatformEvent.Started;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of every platform, driven through one life: run, report, succeed, fail, be
 * cancelled, lose the platform, restart the server. A platform's own suite extends this one, opens
 * its service, and adds what only it does.
 */
public abstract class TrainingServiceContract extends TrainingServiceFixture {
  @Test
  void anAttemptRunsReportsAndSucceeds() throws Exception {
    AttemptRef attempt =
        submit(REPORT + "report PERIODICAL 0 0.1; report PERIODICAL 1 0.2; report FINAL 0 0.3");

    Ended ended = listener.ended(attempt);

    assertThat(ended.exitCode()).isZero();
    assertThat(ended.reason()).isNull();
    List<PlatformEvent> story = listener.story(attempt);
    assertThat(story.getFirst()).isInstanceOf(Started.class);
    assertThat(story.getLast()).isEqualTo(ended);
    assertThat(story.subList(1, story.size() - 1))
        .as("between start and end only that its place is free, once")
        .isSubsetOf(List.of(new PlatformEvent.Vacated(attempt)))
        .doesNotHaveDuplicates();
    assertThat(listener.points(attempt))
        .extracting(MetricPoint::kind, MetricPoint::sequence, point -> point.value().number())
        .containsExactly(
            tuple(MetricKind.INTERMEDIATE, 0L, 0.1),
            tuple(MetricKind.INTERMEDIATE, 1L, 0.2),
            tuple(MetricKind.FINAL, 0L, 0.3));
    assertThat(listener.points(attempt)).extracting(MetricPoint::ordinal).doesNotHaveDuplicates();
    assertThat(listener.points(attempt)).extracting(MetricPoint::parameterId).containsOnly("7");
  }

  @Test
  void anIntermediateArrivesWhileTheAttemptRuns() throws Exception {
    AttemptRef attempt = submit(REPORT + "report PERIODICAL 0 0.1\n" + AWAIT_GO);

    Eventually.until(
        "the point, or the end that it would come after",
        () -> !listener.points(attempt).isEmpty() || !listener.endedOf(attempt).isEmpty());

    assertThat(listener.endedOf(attempt)).isEmpty();
    assertThat(listener.points(attempt)).isNotEmpty();
    go();
    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  @Test
  void aCommandThatFailsEndsWithItsExitCode() throws Exception {
    assertThat(listener.ended(submit("exit 3")).exitCode()).isEqualTo(3);
  }

  @Test
  void reportsThatFindNoRoomAreHandedInAgainBeforeTheEnd() throws Exception {
    listener.busy.set(3);

    AttemptRef attempt = submit(REPORT + "report PERIODICAL 0 0.1; report FINAL 0 0.2");

    listener.ended(attempt);
    assertThat(listener.points(attempt)).hasSize(2);
  }

  @Test
  void aCanceledAttemptLeavesNoProcess() throws Exception {
    AttemptRef attempt =
        submit(
            """
            trap '' TERM
            (sleep 300; sleep 300) &
            setsid sh -c 'sleep 301; sleep 301' &
            touch up
            while :; do sleep 302; done
            """);
    Eventually.until("it is up", () -> Files.exists(code().resolve("up")));

    done(service.cancel(attempt));

    assertThat(runs(attempt)).isFalse();
    assertThat(listener.ended(attempt).exitCode()).isNotEqualTo(Integer.valueOf(0));
  }

  @Test
  void cancelingTwiceEndsOnce() throws Exception {
    AttemptRef attempt = submit("sleep 300");
    Eventually.until("it runs", () -> listener.started(attempt));

    done(Future.all(service.cancel(attempt), service.cancel(attempt)));
    done(service.cancel(attempt));

    assertThat(listener.endedOf(attempt)).hasSize(1);
  }

  @Test
  void cancelingWhatIsOverChangesNothing() throws Exception {
    AttemptRef attempt = submit("exit 4");
    listener.ended(attempt);

    done(service.cancel(attempt));

    assertThat(listener.endedOf(attempt)).hasSize(1);
  }

  @Test
  void whatIsCanceledBeforeItsSubmissionNeverStarts() throws Exception {
    Submission submission = submission("early", "touch ran");

    done(service.cancel(submission.attempt()));
    submit(submission);

    Ended ended = listener.ended(submission.attempt());
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).contains("before it started");
    assertThat(listener.started(submission.attempt())).isFalse();
    assertThat(code().resolve("ran")).doesNotExist();
  }

  @Test
  void aRepeatedSubmissionFindsTheFirst() throws Exception {
    Submission submission = submission("twice", "echo run >>runs\n" + AWAIT_GO);

    done(Future.all(service.submit(submission), service.submit(submission)));
    submit(submission);
    go();

    assertThat(listener.ended(submission.attempt()).exitCode()).isZero();
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
  }

  @Test
  void anAttemptWhoseEndIsUnknownEndsWithAReason() throws Exception {
    AttemptRef attempt = submit("sleep 300; true");
    Eventually.until("it runs", () -> listener.started(attempt));

    lose(attempt);

    Ended ended = listener.ended(attempt);
    assertThat(ended.exitCode()).isNull();
    assertThat(ended.reason()).isNotBlank();
    // Its end is told when it is decided; the processes of a lost pod take a moment to go.
    Eventually.until("nothing of it runs", () -> !runs(attempt));
  }

  @Test
  void attemptsOutliveTheServerAndAreTakenUp() throws Exception {
    Submission running =
        submission(
            "runs",
            "touch runs-up\n"
                + REPORT
                + AWAIT_GO
                + "report FINAL 0 0.5\nuntil [ -e on ]; do sleep 0.02; done; exit 5");
    Submission ending =
        submission(
            "ends", "touch ends-up\n" + REPORT + AWAIT_GO + "report FINAL 0 0.7; touch gone");
    Submission never = submission("never", "touch ran");
    submit(running);
    submit(ending);
    Eventually.until(
        "both run",
        () -> listener.started(running.attempt()) && listener.started(ending.attempt()));
    // A keeper that has told of its start waits for an answer before it starts the command.
    Eventually.until(
        "their commands run",
        () -> Files.exists(code().resolve("runs-up")) && Files.exists(code().resolve("ends-up")));

    done(service.close());
    go();
    Eventually.until("one has ended", () -> Files.exists(code().resolve("gone")));
    listener = new RecordingListener();
    service = open(surroundings());
    List<AttemptRef> unknown = done(service.adopt(List.of(running, ending, never)));

    assertThat(unknown).containsExactly(never.attempt());
    assertThat(listener.ended(ending.attempt()).exitCode()).isZero();
    assertThat(listener.points(ending.attempt())).hasSize(1);
    Eventually.until("its report", () -> !listener.points(running.attempt()).isEmpty());
    assertThat(listener.endedOf(running.attempt())).isEmpty();
    Files.createFile(code().resolve("on"));
    assertThat(listener.ended(running.attempt()).exitCode()).isEqualTo(5);
    assertThat(code().resolve("ran")).doesNotExist();

    submit(never);
    assertThat(listener.ended(never.attempt()).exitCode()).isZero();
    assertThat(code().resolve("ran")).exists();
  }

  @Test
  void aSubmissionRepeatedAfterARestartFindsTheFirst() throws Exception {
    Submission submission = submission("again", "echo run >>runs\n" + AWAIT_GO + "exit 6");
    submit(submission);
    Eventually.until("it runs", () -> Files.exists(code().resolve("runs")));

    restart();
    submit(submission);
    go();

    assertThat(listener.ended(submission.attempt()).exitCode()).isEqualTo(6);
    assertThat(Files.readAllLines(code().resolve("runs"))).hasSize(1);
  }

  @Test
  void anAttemptThatIsNotAdoptedCanBeCanceled() throws Exception {
    AttemptRef attempt = submit("touch up; sleep 300");
    Eventually.until("it runs", () -> listener.started(attempt));
    Eventually.until("its command runs", () -> Files.exists(code().resolve("up")));

    restart();
    done(service.cancel(attempt));

    Eventually.until("its processes are gone", () -> !runs(attempt));
    assertThat(listener.endedOf(attempt)).hasSize(1);
  }

  @Test
  void whatWasCanceledBeforeItStartedStaysSoAfterARestart() throws Exception {
    Submission submission = submission("early", "touch ran");
    done(service.cancel(submission.attempt()));

    restart();

    assertThat(done(service.adopt(List.of(submission)))).isEmpty();
    assertThat(listener.ended(submission.attempt()).exitCode()).isNull();
    assertThat(code().resolve("ran")).doesNotExist();
  }

  @Test
  void parametersAndIdentityAreVisibleToTheTrial() throws Exception {
    AttemptRef attempt =
        submit(
            """
            echo "$NNI_EXP_ID $NNI_TRIAL_JOB_ID $NNI_TRIAL_SEQ_ID $ORRERY_PARAM_LR {{params.opt.lr}}"
            echo "$NNI_TRIAL_COMMAND_CHANNEL $ORRERY_TRIAL_TOKEN"
            cat "$NNI_SYS_DIR/parameter.cfg"
            """);

    listener.ended(attempt);

    assertThat(log(attempt, Stream.STDOUT))
        .contains("contract " + attempt.trial().trial() + " 4 0.01 0.5")
        .contains(identity(attempt))
        .contains("\"parameter_id\":7", "\"parameter_index\":0", "\"lr\":0.01");
  }

  @Test
  void aTemplateThatNamesNoParameterIsRefusedForGood() {
    Submission submission = submission("wrong", "echo {{params.lrr}}");

    assertThatThrownBy(() -> submit(submission))
        .hasMessageContaining("params.lrr")
        .hasMessageContaining("did you mean 'lr'")
        .hasMessageContaining("opt.lr");
  }

  @Test
  void logsAreReadWhileItRunsAndAfterwards() throws Exception {
    AttemptRef attempt =
        submit("echo out; echo err >&2; echo log >\"$NNI_OUTPUT_DIR/trial.log\"\n" + AWAIT_GO);
    Eventually.until("trial.log", () -> log(attempt, Stream.TRIAL).equals("log\n"));

    assertThat(done(service.readLog(attempt, Stream.STDOUT, 0, 100)).complete()).isFalse();
    go();
    listener.ended(attempt);

    LogPiece end = done(service.readLog(attempt, Stream.STDOUT, -3, 2));
    assertThat(new String(end.bytes(), StandardCharsets.UTF_8)).isEqualTo("ut");
    assertThat(end.complete()).isFalse();
    assertThat(done(service.readLog(attempt, Stream.STDOUT, end.next(), 9)).complete()).isTrue();
    assertThat(log(attempt, Stream.STDERR)).isEqualTo("err\n");
    AttemptRef unknown = submission("unknown", "true").attempt();
    assertThatThrownBy(() -> done(service.readLog(unknown, Stream.STDOUT, 0, 100)))
        .hasMessageContaining("unknown");
  }

  @Test
  void aLaterAttemptHasFilesOfItsOwn() throws Exception {
    Submission first = submission("retry", "echo one; exit 1");
    submit(first);
    listener.ended(first.attempt());
    Submission second =
        new Submission(
            new AttemptRef(first.attempt().trial(), 2), 4, first.parameters(), job("echo two"));

    submit(second);

    assertThat(listener.ended(second.attempt()).exitCode()).isZero();
    assertThat(log(first.attempt(), Stream.STDOUT)).isEqualTo("one\n");
    assertThat(log(second.attempt(), Stream.STDOUT)).isEqualTo("two\n");
  }

  @Test
  void cleaningUpLeavesNothing() throws Exception {
    AttemptRef attempt = submit("ln -s \"$NNI_CODE_DIR\" \"$NNI_OUTPUT_DIR/link\"; touch kept");
    listener.ended(attempt);

    done(service.cleanUp(EXPERIMENT));
    done(service.cleanUp(EXPERIMENT));

    assertThat(code().resolve("kept")).exists();
    assertThatThrownBy(() -> done(service.readLog(attempt, Stream.STDOUT, 0, 100)))
        .hasMessageContaining("no files");
  }

  @Test
  protected void aMissingCodeDirectoryIsRefused() throws IOException {
    Files.delete(code());

    assertThatThrownBy(() -> done(service.prepare(EXPERIMENT, job("true"))))
        .hasMessageContaining("/trialCodeDirectory");
  }
}
