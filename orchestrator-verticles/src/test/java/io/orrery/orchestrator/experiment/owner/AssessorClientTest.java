package io.orrery.orchestrator.experiment.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.time.Clock;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Asks the assessor about attempts, and carries out its answers. */
class AssessorClientTest {
  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final Context loop = vertx.getOrCreateContext();

  private final List<Promise<Tuners.Assessed>> open = new CopyOnWriteArrayList<>();
  private final List<AttemptRef> questions = new CopyOnWriteArrayList<>();
  private final List<Occurrence> happened = new CopyOnWriteArrayList<>();
  private final Set<AttemptRef> over = ConcurrentHashMap.newKeySet();
  private final LinkedBlockingQueue<Runnable> pauses = new LinkedBlockingQueue<>();

  /** Pauses last until the test ends them. */
  private final Clock clock =
      new Clock() {
        @Override
        public Instant now() {
          return Instant.EPOCH;
        }

        @Override
        public Timer after(Duration delay, Runnable action) {
          pauses.add(action);
          return () -> pauses.remove(action);
        }
      };

  private int gone;

  private final AssessorClient line =
      new AssessorClient(
          bus,
          clock,
          () -> Tuners.ASSESS.of("here"),
          missing -> gone++,
          attempt -> !over.contains(attempt),
          attempt -> "7",
          happened::add);

  @BeforeEach
  void serve() throws TimeoutException {
    get(
        bus.serve(
            Tuners.ASSESS.of("here"),
            question -> {
              Promise<Tuners.Assessed> answer = Promise.promise();
              open.add(answer);
              questions.add(question.attempt());
              return answer.future();
            }));
  }

  @AfterEach
  void close() throws TimeoutException {
    get(vertx.close());
  }

  @Test
  void onlyAttemptsThatRunAndHaveReportedSomethingOnTheWayAreAskedAbout() {
    over.add(attempt(2));
    stored(point(1, MetricKind.FINAL), reported(2), reported(3), reported(3));
    answer(0, null);
    stored(reported(4));
    await(() -> questions.size() == 2);
    assertThat(questions).containsExactly(attempt(3), attempt(4));
  }

  @Test
  void aVerdictIsBroughtHome() {
    stored(reported(1), reported(2));
    answer(0, null);
    answer(1, "lags behind");
    await(() -> happened.size() == 1);
    assertThat(happened).containsExactly(new Occurrence.Assessed(attempt(2), "lags behind"));
  }

  @Test
  void anAttemptThatReportsWhileItIsJudgedIsJudgedOnceMoreAndNotTwiceAtOnce() {
    stored(reported(1));
    await(() -> questions.size() == 1);
    stored(reported(1));
    stored(reported(1));
    stored(reported(2));
    await(() -> questions.size() == 2);
    assertThat(questions).containsExactly(attempt(1), attempt(2));
    answer(0, null);
    await(() -> questions.size() == 3);
    assertThat(questions.getLast()).isEqualTo(attempt(1));
  }

  @Test
  void onlyAFewQuestionsAreUnderWayAtOnce() {
    stored(
        IntStream.range(0, 100).mapToObj(AssessorClientTest::reported).toArray(MetricPoint[]::new));
    for (int i = 0; i < 100; i++) {
      assertThat(questions.size() - i).isLessThanOrEqualTo(8);
      answer(i, null);
    }
    assertThat(questions).hasSize(100).doesNotHaveDuplicates();
  }

  @Test
  void anAssessorThatIsLateIsShownAndAskedAgain() {
    stored(reported(1));
    fail(0, new Problem.Busy("the assessor Medianstop has not answered for 5 s", Duration.ZERO));
    endPause();
    answer(1, null);
    await(() -> happened.size() == 2);
    assertThat(happened)
        .containsExactly(
            new Occurrence.Delayed(
                Occurrence.Delayer.ASSESSOR, "the assessor Medianstop has not answered for 5 s"),
            new Occurrence.Delayed(Occurrence.Delayer.ASSESSOR, null));
  }

  @Test
  void oneThatIsNotOpenYetIsWaitedForWithoutAWord() {
    stored(reported(1));
    for (int i = 0; i < 20; i++) {
      fail(i, new Problem.NotFound("not open"));
      endPause();
    }
    await(() -> questions.size() == 21);
    assertThat(happened).isEmpty();
  }

  @Test
  void oneThatCannotAnswerIsAskedAFewTimesAndThenReported() {
    stored(reported(1));
    for (int i = 0; i < 4; i++) {
      fail(i, new Problem.Broken("it crashed"));
      endPause();
    }
    fail(4, new Problem.Broken("it crashed"));
    await(() -> happened.size() == 1);
    assertThat(happened).containsExactly(new Occurrence.AssessorFailed("it crashed"));
  }

  @Test
  void questionsThatFailTogetherAreOneFailure() {
    for (int trial = 0; trial < 8; trial++) {
      stored(reported(trial));
    }
    await(() -> questions.size() == 8);
    for (int i = 0; i < 8; i++) {
      fail(i, new Problem.Broken("no answer"));
    }
    endPause();
    for (int i = 0; i < 8; i++) {
      answer(8 + i, null);
    }
    await(() -> open.stream().allMatch(question -> question.future().isComplete()));
    assertThat(happened).isEmpty();
  }

  @Test
  void anAttemptThatHasEndedMeanwhileIsNotAskedAboutAgain() {
    stored(reported(1));
    await(() -> questions.size() == 1);
    over.add(attempt(1));
    fail(0, new Problem.NotFound("not open"));
    endPause();
    stored(reported(2));
    await(() -> questions.size() == 2);
    assertThat(questions.getLast()).isEqualTo(attempt(2));
  }

  private void stored(MetricPoint... points) {
    loop.runOnContext(run -> line.stored(List.of(points)));
  }

  private void answer(int question, @Nullable String bad) {
    await(() -> questions.size() > question);
    open.get(question).complete(new Tuners.Assessed(bad));
  }

  private void fail(int question, Problem problem) {
    await(() -> questions.size() > question);
    open.get(question).fail(problem.toException());
  }

  private void endPause() {
    await(() -> !pauses.isEmpty());
    List<Runnable> ended = new ArrayList<>();
    pauses.drainTo(ended);
    ended.forEach(action -> loop.runOnContext(run -> action.run()));
  }

  private static AttemptRef attempt(int trial) {
    return new AttemptRef(new TrialRef(new ExperimentId("exp00001"), new TrialId("t" + trial)), 1);
  }

  private static MetricPoint reported(int trial) {
    return point(trial, MetricKind.INTERMEDIATE);
  }

  private static MetricPoint point(int trial, MetricKind kind) {
    return new MetricPoint(attempt(trial), "test", 0, kind, 0, null, 0, MetricValue.of(1));
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the condition came true in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }
}
