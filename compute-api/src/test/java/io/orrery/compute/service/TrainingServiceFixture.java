package io.orrery.compute.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.compute.BareJob;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.time.SystemClock;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The world of {@link TrainingServiceContract}: a home, a code directory, a platform between them,
 * and a listener. Every test ends with nothing running.
 */
public abstract class TrainingServiceFixture {
  /** A shell function: {@code report <type> <sequence> <value as JSON text>}. */
  protected static final String REPORT =
      """
      report() {
        json="{\\"parameter_id\\": 7, \\"type\\": \\"$1\\", \\"sequence\\": $2, \\"value\\": \\"$3\\"}"
        printf 'ME%06d%s\\n' $((${#json} + 1)) "$json" >>"$NNI_SYS_DIR/.nni/metrics"
      }
      """;

  /** Waits within a trial until the test has made a file in the code directory. */
  protected static final String AWAIT_GO = "until [ -e go ]; do sleep 0.02; done\n";

  protected static final ExperimentId EXPERIMENT = new ExperimentId("contract");

  @TempDir protected Path directory;

  protected Vertx vertx;
  protected Bus bus;
  protected RecordingListener listener = new RecordingListener();
  protected TrainingService service;
  protected Keepers keepers;
  private final List<Submission> submitted = new ArrayList<>();

  /** Opens the platform; called again to play a restart, over what the one before has left. */
  protected abstract TrainingService open(Surroundings surroundings);

  /** Takes from a running attempt whatever would tell its end, as a crash of its node would. */
  protected abstract void lose(AttemptRef attempt) throws Exception;

  /** Whether anything of an attempt still runs. */
  protected abstract boolean runs(AttemptRef attempt) throws Exception;

  protected TrainingServiceSpec platform() {
    return new TrainingServiceSpec("local", Parameters.EMPTY);
  }

  /** What a trial asks for; null for nothing. */
  protected @Nullable Integer gpus() {
    return null;
  }

  protected Path home() {
    return directory.resolve("home");
  }

  protected Path code() {
    return directory.resolve("code");
  }

  /** Opens what the service asks about its keepers. */
  protected Keepers openKeepers() throws Exception {
    return KeepersProvider.open(vertx, bus, home(), access());
  }

  /** Starts what the platform of this suite needs besides. */
  protected void beforeService() throws Exception {}

  @BeforeEach
  protected void start() throws Exception {
    Files.createDirectories(home());
    Files.createDirectories(code());
    vertx = Vertx.vertx();
    bus = Bus.of(vertx);
    keepers = openKeepers();
    beforeService();
    service = open(surroundings());
    prepare();
  }

  /**
   * Prepares the experiment, again while the platform has no time, as the owner of an experiment
   * does: the first request of a cold JVM on a busy machine may take longer than it is given.
   */
  protected void prepare() throws Exception {
    Eventually.until(
        "the experiment is prepared",
        () -> {
          try {
            done(service.prepare(EXPERIMENT, job("true")));
            return true;
          } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Busy) {
              return false;
            }
            throw e;
          }
        });
  }

  /** Ends what {@link #beforeService} started; comes last, whatever went before. */
  protected void afterService() throws Exception {}

  /** Final, because an override is no longer called after each test unless it says so again. */
  @AfterEach
  final void stop() throws Exception {
    try {
      done(Future.join(submitted.stream().map(each -> service.cancel(each.attempt())).toList()));
      for (Submission each : submitted) {
        assertThat(listener.endedOf(each.attempt())).hasSizeLessThanOrEqualTo(1);
        Eventually.until("nothing of it runs", () -> !runs(each.attempt()));
      }
    } finally {
      try {
        // Without what it needs on this machine it was not opened, and the test is skipped.
        if (service != null) {
          done(service.close());
        }
        done(vertx.close());
      } finally {
        afterService();
      }
    }
  }

  /** Closes the service and opens another over the same home; what was seen before is forgotten. */
  protected void restart() throws Exception {
    done(service.close());
    listener = new RecordingListener();
    service = open(surroundings());
  }

  protected AttemptRef submit(String command) throws Exception {
    Submission submission = submission("t" + submitted.size(), command);
    submit(submission);
    return submission.attempt();
  }

  protected void submit(Submission submission) throws Exception {
    if (submitted.stream().noneMatch(each -> each.attempt().equals(submission.attempt()))) {
      submitted.add(submission);
    }
    done(service.submit(submission));
  }

  protected Submission submission(String trial, String command) {
    return new Submission(
        new AttemptRef(new TrialRef(EXPERIMENT, new TrialId(trial)), 1),
        4,
        new ParameterSet(
            0,
            "7",
            ParameterSource.ALGORITHM,
            new Parameters(Map.of("lr", 0.01, "opt", Map.of("_name", "sgd", "lr", 0.5)))),
        job(command));
  }

  protected JobSpec job(String command) {
    return BareJob.on(platform(), command, code().toString(), gpus());
  }

  /** What trials are told of the server. */
  protected TrialAccess access() {
    return new TrialAccess() {
      @Override
      public String serverUrl() {
        return "http://127.0.0.1:1";
      }

      @Override
      public String token(AttemptRef attempt) {
        return "token-of-" + attempt;
      }
    };
  }

  /** How a trial sees itself: its channel and its token. */
  protected String identity(AttemptRef attempt) {
    String token = access().token(attempt);
    return access().channelUrl(token) + " " + token;
  }

  protected Surroundings surroundings() {
    return new Surroundings(
        vertx,
        new SystemClock(vertx),
        home(),
        directory.resolve("sdk"),
        access(),
        listener,
        keepers);
  }

  protected void go() throws IOException {
    Files.createFile(code().resolve("go"));
  }

  protected String log(AttemptRef attempt, Stream stream) throws Exception {
    LogPiece piece = done(service.readLog(attempt, stream, 0, 1 << 20));
    return new String(piece.bytes(), StandardCharsets.UTF_8);
  }

  /** The result of a future; a limit only for one that never completes. */
  protected static <T> T done(Future<T> future) throws Exception {
    return future.await(Eventually.LIMIT.toSeconds(), TimeUnit.SECONDS);
  }
}
