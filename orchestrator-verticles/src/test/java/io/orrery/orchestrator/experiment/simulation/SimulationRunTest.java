package io.orrery.orchestrator.experiment.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orrery.compute.catalog.Platforms;
import io.orrery.compute.keeper.KeeperVerticle;
import io.orrery.compute.keeper.KeptLimits;
import io.orrery.compute.service.PlatformEvent;
import io.orrery.compute.service.PlatformListener;
import io.orrery.compute.service.TrainingServiceFactory.Surroundings;
import io.orrery.compute.service.TrialAccess;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Simulations;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.code.CodeLimits;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.RetryPolicy;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.space.Dimension;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.time.SystemClock;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The search is a stand-in here that draws at random; a real tuner takes part in SimulationIT. */
class SimulationRunTest {
  @TempDir Path temp;
  private Vertx vertx;
  private Bus bus;
  private Platforms platforms;
  private Function<Tuners.Ask, Future<Tuners.Suggestions>> search =
      ask -> Future.succeededFuture(suggest(ask));
  private Supplier<Future<Void>> reach = Future::succeededFuture;
  private final List<String> opened = new CopyOnWriteArrayList<>();
  private final List<String> closed = new CopyOnWriteArrayList<>();

  /** Where its answers may get lost. */
  private Future<?> serve(String place) {
    opened.add(place);
    return Future.all(
        bus.serve(Tuners.TELL.of(place), tell -> reach.get().map(reached -> new Tuners.Told())),
        bus.serve(
            Tuners.CLOSE.of(place),
            close -> {
              closed.add(place);
              return Future.succeededFuture(new Tuners.Told());
            }),
        bus.serve(Tuners.ASK.of(place), ask -> reach.get().compose(reached -> search.apply(ask))));
  }

  private static Future<Void> away() {
    return Future.failedFuture(
        new Problem.Unavailable("no tuner is there", Duration.ofMillis(1)).toException());
  }

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    bus = Bus.of(vertx);
    done(
        bus.serve(
            Tuners.OPEN,
            open ->
                serve(open.place())
                    .compose(served -> reach.get())
                    .map(served -> new Tuners.Opened(0))));
    SystemClock clock = new SystemClock(vertx);
    TrialAccess access = new NoAccess();
    KeeperVerticle keepers =
        new KeeperVerticle(vertx, bus, clock, temp, access, CodeLimits.DEFAULT, KeptLimits.DEFAULT);
    platforms =
        new Platforms(
            new Surroundings(vertx, clock, temp, temp, access, new Deaf(), keepers.keepers()));
  }

  @AfterEach
  void close() throws Exception {
    done(platforms.close());
    done(vertx.close());
  }

  private static Tuners.Suggestions suggest(Tuners.Ask ask) {
    return new Tuners.Suggestions(
        IntStream.range(0, ask.count())
            .mapToObj(i -> {
              long number = ask.firstNumber() + i;
              double x = new SplittableRandom(number).nextDouble();
              return new Tuners.Suggestion("" + number, new Parameters(Map.of("x", x)));
            })
            .toList(),
        false);
  }

  private static <T> T done(Future<T> future) throws Exception {
    return future.await(30, TimeUnit.SECONDS);
  }

  private ExperimentSpec spec(
      int slots,
      @Nullable Long trials,
      @Nullable Duration limit,
      @Nullable Duration trialLimit,
      RetryPolicy retry,
      Map<String, Object> settings) {
    Map<String, Object> all =
        new HashMap<>(Map.of("objective", "x", "speed", 1, "duration", "100s", "reports", 3));
    all.putAll(settings);
    return new ExperimentSpec(
        ExperimentDescription.named(null),
        SearchSpec.random(
            new SearchSpace(Map.of("x", new Dimension.Uniform(0, 1))), Direction.MAXIMIZE, 7),
        JobSpec.of("true", "/", null, new TrainingServiceSpec("simulated", new Parameters(all))),
        ExperimentLimits.of(slots, trials).withDurations(limit, trialLimit).withRetry(retry));
  }

  private Simulations.Run run(ExperimentSpec spec) throws Exception {
    Promise<Simulations.Run> ran = Promise.promise();
    vertx
        .getOrCreateContext()
        .runOnContext(go ->
            new SimulationRun(
                    bus,
                    new ExperimentId("rehearse"),
                    spec,
                    new SystemClock(vertx),
                    (clock, listener) -> platforms.rehearsing("simulated", clock, listener))
                .run()
                .onComplete(ran));
    return done(ran.future());
  }

  @Test
  void timeIsThatOfTheTrialsInTheirSlots() throws Exception {
    Simulations.Run run = run(spec(4, 40L, null, null, RetryPolicy.NONE, Map.of()));

    assertThat(run.status()).isEqualTo(ExperimentStatus.DONE);
    assertThat(run.trials()).isEqualTo(Map.of(TrialStatus.SUCCEEDED, 40L));
    assertThat(run.attempts()).isEqualTo(40);
    assertThat(run.duration()).isEqualTo(1_000);
    assertThat(run.busy()).isEqualTo(4_000);
    assertThat(run.best()).isNotNull();
    assertThat(run.best().metric().number())
        .isEqualTo(
            IntStream.range(0, 40)
                .mapToDouble(i -> new SplittableRandom(i).nextDouble())
                .max()
                .orElseThrow());
    assertThat(run.best().after() % 100).isZero();
  }

  @Test
  void waitingForThePlatformCountsToTheTimeAndNotToTheUse() throws Exception {
    Simulations.Run run = run(spec(2, 4L, null, null, RetryPolicy.NONE, Map.of("queueing", "50s")));

    assertThat(run.duration()).isEqualTo(300);
    assertThat(run.busy()).isEqualTo(400);
  }

  @Test
  void aLimitOfTimeIsOneOfSimulatedTime() throws Exception {
    Simulations.Run run =
        run(spec(1, null, Duration.ofSeconds(950), null, RetryPolicy.NONE, Map.of()));

    assertThat(run.status()).isEqualTo(ExperimentStatus.DONE);
    assertThat(run.trials().get(TrialStatus.SUCCEEDED)).isEqualTo(10);
    assertThat(run.duration()).isEqualTo(1_000);
  }

  @Test
  void trialsThatRunTooLongAreEnded() throws Exception {
    Simulations.Run run =
        run(spec(1, 3L, null, Duration.ofSeconds(60), RetryPolicy.NONE, Map.of()));

    assertThat(run.trials()).isEqualTo(Map.of(TrialStatus.EARLY_STOPPED, 3L));
    assertThat(run.duration()).isCloseTo(180, within(0.001));
    // The last report of each is its result.
    assertThat(run.best()).isNotNull();
  }

  @Test
  void whatIsLostIsTriedAgainWithItsPause() throws Exception {
    RetryPolicy retry = new RetryPolicy(5, Duration.ofSeconds(30), Set.of(RetryPolicy.Cause.LOST));
    Simulations.Run run = run(spec(2, 50L, null, null, retry, Map.of("losses", 0.3)));

    assertThat(run.trials().get(TrialStatus.SUCCEEDED)).isGreaterThan(45);
    assertThat(run.attempts()).isBetween(60L, 90L);
  }

  @Test
  void anExperimentWhoseTrialsAllFailSaysSo() throws Exception {
    Simulations.Run run = run(spec(2, 5L, null, null, RetryPolicy.NONE, Map.of("failures", 1)));

    assertThat(run.status()).isEqualTo(ExperimentStatus.FAILED);
    assertThat(run.error()).contains("all 5 trials failed");
    assertThat(run.best()).isNull();
  }

  @Test
  void outagesDelayDuplicatesAndLateNewsHarmNothing() throws Exception {
    Simulations.Run run =
        run(
            spec(
                20,
                300L,
                null,
                null,
                RetryPolicy.NONE,
                Map.of(
                    "outages",
                    Map.of("every", "exponential(5m)", "lasting", "exponential(1m)"),
                    "delay",
                    "exponential(10s)",
                    "duplicates",
                    0.3)));

    assertThat(run.status()).isEqualTo(ExperimentStatus.DONE);
    assertThat(run.trials()).isEqualTo(Map.of(TrialStatus.SUCCEEDED, 300L));
    assertThat(run.attempts()).isEqualTo(300);
    assertThat(run.duration()).isGreaterThan(1_500);
  }

  @Test
  void aTunerThatFailsEndsIt() throws Exception {
    search =
        ask -> Future.failedFuture(new Problem.Refused(new Finding("", "no idea")).toException());

    Simulations.Run run = run(spec(1, 3L, null, null, RetryPolicy.NONE, Map.of()));

    assertThat(run.status()).isEqualTo(ExperimentStatus.ERROR);
    assertThat(run.error()).contains("no idea");
  }

  @Test
  void aTunerThatCannotBeReachedForAWhileIsWaitedForAndChangesNothing() throws Exception {
    Simulations.Run without = run(spec(2, 20L, null, null, RetryPolicy.NONE, Map.of()));
    opened.clear();
    closed.clear();
    AtomicInteger questions = new AtomicInteger();
    reach = () -> questions.getAndIncrement() % 3 < 2 ? away() : Future.succeededFuture();

    Simulations.Run with = run(spec(2, 20L, null, null, RetryPolicy.NONE, Map.of()));

    assertThat(with).isEqualTo(without);
    assertThat(opened).as("two of them were open, and only the answer was lost").hasSize(3);
    assertThat(closed).containsExactlyElementsOf(opened);
  }

  @Test
  void aTunerThatStaysAwayIsNoFaultOfTheExperiment() {
    reach = SimulationRunTest::away;

    assertThatThrownBy(() -> run(spec(2, 20L, null, null, RetryPolicy.NONE, Map.of())))
        .satisfies(
            failure -> assertThat(Problem.of(failure)).isInstanceOf(Problem.Unavailable.class));
    assertThat(opened).hasSize(20).doesNotHaveDuplicates();
    assertThat(closed).containsExactlyElementsOf(opened);
  }

  @Test
  void tenThousandAtOnceAreAMatterOfReckoning() throws Exception {
    Simulations.Run run =
        run(spec(10_000, 10_000L, null, null, RetryPolicy.NONE, Map.of("reports", 1)));

    assertThat(run.trials()).isEqualTo(Map.of(TrialStatus.SUCCEEDED, 10_000L));
    assertThat(run.duration()).isEqualTo(100);
  }

  private static final class Deaf implements PlatformListener {
    @Override
    public void happened(PlatformEvent event) {}

    @Override
    public Future<Void> reported(List<MetricPoint> points) {
      return Future.succeededFuture();
    }
  }

  private static final class NoAccess implements TrialAccess {
    @Override
    public String serverUrl() {
      return "http://127.0.0.1:1";
    }

    @Override
    public String token(AttemptRef attempt) {
      return "";
    }
  }
}
