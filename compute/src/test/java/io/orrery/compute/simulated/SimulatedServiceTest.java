package io.orrery.compute.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.orrery.compute.service.PlatformEvent.Ended;
import io.orrery.compute.service.PlatformEvent.Started;
import io.orrery.compute.service.PlatformEvent.Waiting;
import io.orrery.compute.service.RecordingListener;
import io.orrery.compute.service.Submission;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.time.VirtualClock;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.Parameters;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests what {@code TrainingServiceContract} asks of a platform, as far as there are no processes.
 */
class SimulatedServiceTest {
  private static final ExperimentId EXPERIMENT = new ExperimentId("rehearsal");
  private static final Instant BEGIN = Instant.EPOCH;
  private static final SearchSpec SEARCH =
      SearchSpec.random(
          new SearchSpace(Map.of("x", new Dimension.Uniform(0, 1))), Direction.MINIMIZE, 7);

  private final RecordingListener listener = new RecordingListener();
  private Vertx vertx;
  private Context home;
  private VirtualClock clock;
  private SimulatedService service;

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
    home = vertx.getOrCreateContext();
    clock = new VirtualClock(BEGIN);
    service = new SimulatedService(home, clock, listener);
  }

  @AfterEach
  void close() throws Exception {
    done(service.close());
    done(vertx.close());
  }

  private static <T> T done(Future<T> future) throws Exception {
    return future.await(30, TimeUnit.SECONDS);
  }

  /** Runs on the context that the service belongs to, as a rehearsal does. */
  private <T> T atHome(Callable<T> work) throws Exception {
    Promise<T> done = Promise.promise();
    home.runOnContext(go -> {
      try {
        done.complete(work.call());
      } catch (Exception e) {
        done.fail(e);
      }
    });
    return done(done.future());
  }

  private void pass(Duration time) throws Exception {
    atHome(() -> {
      clock.advance(time);
      return "";
    });
  }

  private static JobSpec job(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(Map.of("objective", "(x - 0.3) ** 2", "speed", 1));
    all.putAll(settings);
    return JobSpec.of("true", "/", null, new TrainingServiceSpec("simulated", new Parameters(all)));
  }

  private Submission submission(int sequence, Map<String, Object> settings) {
    return new Submission(
        new AttemptRef(new TrialRef(EXPERIMENT, new TrialId("t" + sequence)), 1),
        sequence,
        new ParameterSet(
            0, "" + sequence, ParameterSource.ALGORITHM, new Parameters(Map.of("x", 0.5))),
        job(settings));
  }

  private void prepare(Map<String, Object> settings) throws Exception {
    done(service.prepare(EXPERIMENT, job(settings), SEARCH));
  }

  private AttemptRef submit(int sequence, Map<String, Object> settings) throws Exception {
    Submission submission = submission(sequence, settings);
    prepare(settings);
    done(service.submit(submission));
    return submission.attempt();
  }

  @Test
  void waitsRunsReportsAndEndsAsTheScenarioSays() throws Exception {
    AttemptRef attempt = submit(0, Map.of("queueing", "5s", "duration", "40s", "reports", 3));

    pass(Duration.ofSeconds(4));
    assertThat(listener.events(attempt)).hasOnlyElementsOfType(Waiting.class);
    pass(Duration.ofSeconds(21));
    assertThat(listener.events(attempt))
        .contains(new Started(attempt, BEGIN.plusSeconds(5), "simulated"));
    assertThat(listener.points(attempt)).hasSize(2);
    pass(Duration.ofHours(1));

    assertThat(listener.events(attempt))
        .endsWith(new Ended(attempt, 0, BEGIN.plusSeconds(45), null));
    assertThat(listener.points(attempt))
        .extracting(MetricPoint::kind)
        .containsExactly(
            MetricKind.INTERMEDIATE,
            MetricKind.INTERMEDIATE,
            MetricKind.INTERMEDIATE,
            MetricKind.FINAL);
    assertThat(listener.points(attempt).getLast().value().number())
        .isEqualTo((0.5 - 0.3) * (0.5 - 0.3));
    assertThat(listener.points(attempt))
        .as("comes nearer step by step")
        .extracting(point -> -point.value().number())
        .isSorted();
  }

  @Test
  void speedIsSimulatedSecondsInASecond() throws Exception {
    AttemptRef attempt = submit(0, Map.of("duration", "1h", "speed", 3_600));

    pass(Duration.ofSeconds(1));

    assertThat(listener.endedOf(attempt)).hasSize(1);
  }

  @Test
  void theSameSeedGivesTheSameFateWhateverTheOrder() throws Exception {
    Map<String, Object> settings =
        Map.of("duration", "lognormal(1m, 1)", "noise", 0.5, "failures", 0.3, "losses", 0.2);
    Scenario scenario = Scenario.of(job(settings), SEARCH);
    List<Fate> once = IntStream.range(0, 50).mapToObj(i -> fate(scenario, i, settings)).toList();
    List<Fate> again =
        IntStream.range(0, 50).mapToObj(i -> fate(scenario, 49 - i, settings)).toList().reversed();

    assertThat(again).isEqualTo(once);
    assertThat(once).extracting(Fate::runs).doesNotHaveDuplicates();
  }

  private Fate fate(Scenario scenario, int sequence, Map<String, Object> settings) {
    return Fate.of(scenario, submission(sequence, settings));
  }

  @Test
  void failuresAndLossesHaveTheirShares() {
    Map<String, Object> settings = Map.of("failures", 0.2, "losses", 0.1);
    Scenario scenario = Scenario.of(job(settings), SEARCH);
    List<Fate> fates =
        IntStream.range(0, 10_000).mapToObj(i -> fate(scenario, i, settings)).toList();

    assertThat(fates).filteredOn(fate -> fate.exitCode() == null).hasSizeBetween(900, 1_100);
    assertThat(fates)
        .filteredOn(fate -> Integer.valueOf(1).equals(fate.exitCode()))
        .hasSizeBetween(1_850, 2_150)
        .allMatch(fate -> fate.result() == null);
  }

  @Test
  void aCanceledAttemptEndsOnceAndReportsNothingMore() throws Exception {
    AttemptRef attempt = submit(0, Map.of("duration", "1m", "reports", 5));
    pass(Duration.ofSeconds(15));

    done(Future.all(service.cancel(attempt), service.cancel(attempt)));
    int reported = listener.points(attempt).size();
    pass(Duration.ofHours(1));

    assertThat(listener.endedOf(attempt)).hasSize(1);
    assertThat(listener.ended(attempt).exitCode()).isEqualTo(143);
    assertThat(listener.points(attempt)).hasSize(reported);
  }

  @Test
  void whatIsCanceledBeforeItsSubmissionNeverStarts() throws Exception {
    Submission submission = submission(0, Map.of());
    done(service.cancel(submission.attempt()));

    prepare(Map.of());
    done(service.submit(submission));
    pass(Duration.ofHours(1));

    assertThat(listener.ended(submission.attempt()).exitCode()).isNull();
    assertThat(listener.started(submission.attempt())).isFalse();
  }

  @Test
  void anAttemptOfAnExperimentThatIsNotPreparedIsRefused() {
    assertThatThrownBy(() -> done(service.submit(submission(0, Map.of()))))
        .hasMessageContaining("experiment rehearsal is not prepared");
  }

  @Test
  void aRepeatedSubmissionFindsTheFirst() throws Exception {
    AttemptRef attempt = submit(0, Map.of());
    submit(0, Map.of());
    pass(Duration.ofHours(1));

    assertThat(listener.endedOf(attempt)).hasSize(1);
    assertThat(listener.points(attempt)).extracting(MetricPoint::ordinal).doesNotHaveDuplicates();
  }

  @Test
  void whatHasNotStartedCanBeTakenBackAndHandedInAgain() throws Exception {
    AttemptRef attempt = submit(0, Map.of("queueing", "10s"));

    assertThat(done(service.withdraw(attempt))).isTrue();
    pass(Duration.ofHours(1));
    assertThat(listener.events(attempt)).hasOnlyElementsOfType(Waiting.class);
    submit(0, Map.of("queueing", "10s"));
    pass(Duration.ofSeconds(11));

    assertThat(done(service.withdraw(attempt))).isFalse();
    assertThat(listener.started(attempt)).isTrue();
  }

  @Test
  void anotherServerTellsTheSameStoryFromItsBeginning() throws Exception {
    AttemptRef attempt = submit(0, Map.of("duration", "1m", "noise", 1));
    pass(Duration.ofSeconds(30));
    done(service.close());
    List<MetricPoint> before = listener.points(attempt);
    RecordingListener later = new RecordingListener();
    service = new SimulatedService(home, clock, later);

    prepare(Map.of("duration", "1m", "noise", 1));
    List<AttemptRef> unknown =
        done(service.adopt(List.of(submission(0, Map.of("duration", "1m", "noise", 1)))));
    pass(Duration.ofHours(1));

    assertThat(unknown).isEmpty();
    assertThat(listener.endedOf(attempt)).isEmpty();
    assertThat(later.endedOf(attempt)).hasSize(1);
    assertThat(later.points(attempt).subList(0, before.size()))
        .extracting(MetricPoint::value, MetricPoint::ordinal)
        .isEqualTo(before.stream().map(point -> tuple(point.value(), point.ordinal())).toList());
  }

  @Test
  void duringAnOutageNothingIsTakenAndNothingIsHeard() throws Exception {
    Map<String, Object> settings =
        Map.of(
            "duration", "30s", "reports", 0, "outages", Map.of("every", "20s", "lasting", "100s"));
    AttemptRef attempt = submit(0, settings);
    pass(Duration.ofSeconds(60));

    assertThatThrownBy(() -> submit(1, settings)).hasMessageContaining("out for another 60 s");
    assertThat(listener.endedOf(attempt)).isEmpty();
    pass(Duration.ofSeconds(61));

    assertThat(listener.ended(attempt).exitCode()).isZero();
  }

  @Test
  void newsThatComeTwiceAreTheSame() throws Exception {
    AttemptRef attempt = submit(0, Map.of("duplicates", 1, "reports", 2));
    pass(Duration.ofHours(1));

    assertThat(listener.points(attempt)).hasSize(6);
    assertThat(listener.points(attempt).stream().distinct()).hasSize(3);
    assertThat(listener.endedOf(attempt)).hasSize(2);
  }

  @Test
  void reportsThatFindNoRoomAreHandedInAgainBeforeTheEnd() throws Exception {
    listener.busy.set(3);
    AttemptRef attempt = submit(0, Map.of("reports", 2));
    pass(Duration.ofHours(1));

    assertThat(listener.points(attempt)).hasSize(3);
    assertThat(listener.events(attempt)).last().isInstanceOf(Ended.class);
  }

  @Test
  void itWritesNoLogs() {
    AttemptRef attempt = submission(0, Map.of()).attempt();

    assertThatThrownBy(() -> done(service.readLog(attempt, Stream.STDOUT, 0, 10)))
        .hasMessageContaining("writes no logs");
  }

  @Test
  void everythingThatIsWrongWithAScenarioIsSaidAtOnce() {
    List<?> findings =
        new SimulatedServiceFactory()
            .check(
                job(
                    Map.of(
                        "objective",
                        "y + 1",
                        "duration",
                        "soon",
                        "outages",
                        Map.of("every", "1h"))),
                SEARCH);

    assertThat(findings.toString())
        .contains("/trainingService/objective", "no parameter 'y'")
        .contains("/trainingService/duration", "soon");
  }
}
