package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.History;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Trials.Suggested;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.bus.contract.Tuners.Suggestions;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.lease.Leases;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.random.RandomSearch;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server of tuners whose time is stepped, with a tuner that does as it is told. */
abstract class SupervisionFixture {
  static final ExperimentId EXPERIMENT = new ExperimentId("exp1");
  static final ExperimentId OTHER = new ExperimentId("other");
  static final SearchSpace SPACE = Spaces.one("randint", "[0, 1000000]");
  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration NOTICE = Duration.ofSeconds(5);
  static final Duration PATIENCE = Duration.ofSeconds(60);

  final Vertx vertx = Vertx.vertx();
  final Bus bus = Bus.of(vertx);
  final SteppedClock clock = new SteppedClock();
  final ScriptedTuner scripted = new ScriptedTuner();
  final List<Entry> history = new CopyOnWriteArrayList<>();
  final AtomicInteger hanging = new AtomicInteger();
  volatile Future<?> historyOpen = Future.succeededFuture();
  final AtomicInteger historyReads = new AtomicInteger();
  volatile int mostEntries = 1_000;
  volatile boolean released;

  @BeforeEach
  final void deploy() throws TimeoutException {
    Catalog catalog = new Catalog(List.of(scripted, RandomSearch.FACTORY), List.of());
    get(
        bus.serve(
            Trials.HISTORY,
            read -> {
              historyReads.incrementAndGet();
              return historyOpen.map(open ->
                  new History(
                      history.stream()
                          .filter(e -> e.ordinal() > read.after())
                          .limit(mostEntries)
                          .toList()));
            }));
    Workers workers = new Workers(2, 4, NOTICE, PATIENCE, 3, 2);
    get(
        vertx.deployVerticle(
            new TunerVerticle(
                bus,
                catalog,
                Leases.ALONE,
                clock,
                workers,
                NoPython.INTERPRETER,
                NoPython.DOORPLATE,
                Path.of("experiments"))));
  }

  @AfterEach
  final void close() throws TimeoutException {
    released = true;
    get(vertx.close());
  }

  static void assertBusy(Future<?> question, String detail) {
    assertThatThrownBy(() -> get(question))
        .extracting(SupervisionFixture::problem)
        .isEqualTo(new Problem.Busy(detail, SECOND));
  }

  static boolean succeeds(Future<?> question) {
    try {
      get(question);
      return true;
    } catch (ProblemException | TimeoutException e) {
      return false;
    }
  }

  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the condition came true in time").isLessThan(end);
      pause();
    }
  }

  /** Leaves the processor to others; interrupts do not matter to it. */
  static void pause() {
    Thread.interrupted();
    LockSupport.parkNanos(100_000);
  }

  static Suggested suggested(long ordinal, String id) {
    return new Suggested(ordinal, id, new Parameters(Map.of("p", ordinal)));
  }

  static Settled settled(long ordinal, String id) {
    return new Settled(
        ordinal,
        new TrialId("t" + ordinal),
        id,
        new Parameters(Map.of("p", ordinal)),
        TrialStatus.SUCCEEDED,
        MetricValue.of(0.5));
  }

  final Future<Tuners.Opened> open(ExperimentId experiment, String name, long through) {
    return bus.request(
        Tuners.OPEN,
        new Tuners.Open(
            experiment,
            AlgorithmSpec.named(name),
            null,
            SPACE,
            Objectives.of(Direction.MAXIMIZE),
            42,
            through,
            experiment.value(),
            1));
  }

  final Future<Suggestions> ask(ExperimentId experiment, long number, Settled... news) {
    return bus.request(
        Tuners.ASK.of(experiment), new Tuners.Ask(experiment, 1, number, List.of(news)));
  }

  final Future<Tuners.Told> tell(Settled result) {
    return bus.request(Tuners.TELL.of(EXPERIMENT), new Tuners.Tell(EXPERIMENT, List.of(result)));
  }

  static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }

  static Problem problem(Throwable failure) {
    return ((ProblemException) failure).problem();
  }
}
