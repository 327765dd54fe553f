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
import io.orrery.core.bus.contract.Tuners.Suggestion;
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
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what becomes of algorithms that crash or hang, of their experiments, and of the others. */
class SupervisionTest {
  private static final ExperimentId EXPERIMENT = new ExperimentId("exp1");
  private static final ExperimentId OTHER = new ExperimentId("other");
  private static final SearchSpace SPACE = Spaces.one("randint", "[0, 1000000]");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration NOTICE = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final SteppedClock clock = new SteppedClock();
  private final ScriptedTuner scripted = new ScriptedTuner();
  private final List<Entry> history = new CopyOnWriteArrayList<>();
  private final AtomicInteger hanging = new AtomicInteger();
  private volatile Future<?> historyOpen = Future.succeededFuture();
  private final AtomicInteger historyReads = new AtomicInteger();
  private volatile int mostEntries = 1_000;
  private volatile boolean released;

  @BeforeEach
  void deploy() throws TimeoutException {
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
  void close() throws TimeoutException {
    released = true;
    get(vertx.close());
  }

  @ParameterizedTest
  @ValueSource(strings = {"exception", "stack", "memory"})
  void aTunerThatCrashesIsStartedAgainFromHistory(String kind) throws TimeoutException {
    scripted.fault = fault(kind);
    history.add(suggested(1, "0"));
    get(open(EXPERIMENT, "Scripted", 1));
    scripted.faults.set(1);
    assertThat(get(ask(EXPERIMENT, 1)).items())
        .extracting(Suggestion::parameterId)
        .containsExactly("1");
    assertThat(scripted.lives)
        .containsExactly(List.of("remember 0"), List.of("remember 0", "suggest 1+1"));
  }

  /** C1. */
  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  void aSuggestionThatIsNotFiniteIsTheTunersFailure(double value) throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    scripted.odd.set(List.of(Map.of("deep", value)));

    assertThat(get(ask(EXPERIMENT, 0)).items().getFirst().parameters().values())
        .containsEntry("p", 0L);
    assertThat(scripted.lives).containsExactly(List.of("suggest 0+1"), List.of("suggest 0+1"));
  }

  @Test
  void oneThatIsClosedWhileItReadsThePastReadsNoMore() throws TimeoutException {
    history.addAll(List.of(suggested(1, "0"), suggested(2, "1"), suggested(3, "2")));
    Promise<Void> slow = Promise.promise();
    historyOpen = slow.future();
    mostEntries = 1;
    get(open(EXPERIMENT, "Scripted", 3));
    await(() -> historyReads.get() == 1);

    get(bus.request(Tuners.CLOSE.of(EXPERIMENT), new Tuners.Close(EXPERIMENT)));
    slow.complete();
    get(open(OTHER, "Scripted", 3));

    assertThat(get(ask(OTHER, 3)).items()).hasSize(1);
    assertThat(historyReads).hasValue(4);
    assertThat(scripted.lives).contains(List.of("remember 0"));
  }

  @Test
  void theSecondTimeItIsStartedAgainAfterAPause() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    scripted.faults.set(2);
    Future<Suggestions> asked = ask(EXPERIMENT, 0);
    await(() -> clock.dueIn(SECOND) == 1);
    assertThat(asked.isComplete()).isFalse();
    assertThat(scripted.lives).hasSize(2);
    clock.advance(SECOND);
    assertThat(get(asked).items()).hasSize(1);
  }

  @Test
  void aTunerThatFailsTooOftenInARowSaysSoUntilItIsOpenedAgain() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    scripted.faults.set(3);
    Future<Suggestions> asked = ask(EXPERIMENT, 0);
    await(() -> clock.dueIn(SECOND) == 1);
    clock.advance(SECOND);
    for (Future<?> question : List.of(asked, ask(EXPERIMENT, 0), tell(settled(1, "0")))) {
      assertThatThrownBy(() -> get(question))
          .extracting(SupervisionTest::problem)
          .isEqualTo(
              new Problem.Broken(
                  "the tuner Scripted failed 3 times in a row; the last time:"
                      + " IllegalStateException: scripted fault"));
    }
    assertThat(scripted.lives).hasSize(3);
    get(open(EXPERIMENT, "Scripted", 0));
    assertThat(get(ask(EXPERIMENT, 0)).items()).hasSize(1);
  }

  @Test
  void failuresThatAreNotInARowDoNotAddUp() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    for (int number = 0; number < 10; number++) {
      scripted.faults.set(1);
      assertThat(get(ask(EXPERIMENT, number)).items()).hasSize(1);
    }
  }

  @Test
  void aHistoryThatCannotBeReadIsReadAgain() throws TimeoutException {
    history.add(settled(1, "0"));
    historyOpen = Future.failedFuture("the store is not open");
    get(open(EXPERIMENT, "Scripted", 1));
    Future<Suggestions> asked = ask(EXPERIMENT, 1);
    await(() -> clock.dueIn(SECOND) == 1);
    historyOpen = Future.succeededFuture();
    clock.advance(SECOND);
    assertThat(get(asked).items()).hasSize(1);
    assertThat(scripted.lives.getLast()).containsExactly("learn 0=0.5", "suggest 1+1");
  }

  @Test
  void aTunerThatDoesNotAnswerIsNoticedAndWhatItFindsAtLastCounts() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    Future<Suggestions> asked = askAndHang(EXPERIMENT, 0);
    clock.advance(NOTICE);
    assertBusy(asked, "the tuner Scripted has not answered for 5 s");
    clock.advance(SECOND);
    Future<Suggestions> again = ask(EXPERIMENT, 0);
    await(() -> clock.dueIn(NOTICE) == 1);
    clock.advance(NOTICE);
    assertBusy(again, "the tuner Scripted has not answered for 11 s");
    released = true;
    assertThat(get(ask(EXPERIMENT, 0)).items()).hasSize(1);
    assertThat(scripted.lives).containsExactly(List.of("suggest 0+1"));
  }

  @Test
  void newsForATunerThatDoesNotAnswerAreKeptInTheirOrder() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    askAndHang(EXPERIMENT, 0);
    Future<Tuners.Told> first = tell(settled(1, "a"));
    Future<Tuners.Told> second = tell(settled(2, "b"));
    await(() -> clock.dueIn(NOTICE) == 4); // the question, its thread, and these two
    clock.advance(NOTICE);
    get(first);
    get(second);
    released = true;
    get(ask(EXPERIMENT, 1));
    assertThat(scripted.lives.getFirst())
        .containsExactly("suggest 0+1", "learn a=0.5", "learn b=0.5", "suggest 1+1");
  }

  @Test
  void newsOfAQuestionThatWaitedForTooLongAreLearntBeforeWhatCameAfterThem()
      throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    askAndHang(EXPERIMENT, 0);
    Future<Suggestions> dropped = ask(EXPERIMENT, 1, settled(1, "a"));
    Future<Tuners.Told> kept = tell(settled(2, "b"));
    await(() -> clock.dueIn(NOTICE) == 4); // both questions, a thread, and what was told
    clock.advance(NOTICE);
    assertBusy(dropped, "the tuner Scripted has not answered for 5 s");
    get(kept);
    released = true;
    get(ask(EXPERIMENT, 1, settled(1, "a")));
    assertThat(scripted.lives.getFirst())
        .containsExactly("suggest 0+1", "learn a=0.5", "learn b=0.5", "suggest 1+1");
  }

  @Test
  void aTunerThatHangsForGoodIsGivenUpAndStartedAgain() throws TimeoutException {
    history.add(suggested(1, "0"));
    get(open(EXPERIMENT, "Scripted", 1));
    Future<Suggestions> asked = askAndHang(EXPERIMENT, 1);
    clock.advance(PATIENCE);
    assertBusy(asked, "the tuner Scripted has not answered for 5 s");
    assertThat(get(ask(EXPERIMENT, 1)).items())
        .extracting(Suggestion::parameterId)
        .containsExactly("1");
    assertThat(scripted.lives)
        .containsExactly(List.of("remember 0"), List.of("remember 0", "suggest 1+1"));
  }

  @Test
  void whoHangsEveryTimeIsGivenUpWithTheReason() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    askAndHang(EXPERIMENT, 0);
    clock.advance(PATIENCE);
    askAndHang(EXPERIMENT, 0);
    clock.advance(PATIENCE);
    await(() -> clock.dueIn(SECOND) == 1);
    clock.advance(SECOND);
    assertThatThrownBy(() -> get(ask(EXPERIMENT, 0)))
        .extracting(SupervisionTest::problem)
        .isInstanceOfSatisfying(
            Problem.Broken.class,
            broken ->
                assertThat(broken.detail()).contains("3 times in a row", "2 threads are lost"));
  }

  @Test
  void lostThreadsHoldUpNobodyUntilThereAreTooManyOfThem() throws TimeoutException {
    get(open(EXPERIMENT, "Scripted", 0));
    get(open(OTHER, "Random", 0));
    get(ask(OTHER, 0));
    askAndHang(EXPERIMENT, 0);
    clock.advance(PATIENCE);
    askAndHang(EXPERIMENT, 0);
    assertThat(get(ask(OTHER, 1)).items()).hasSize(1);
    clock.advance(PATIENCE);
    Future<Suggestions> refused = ask(OTHER, 2);
    await(() -> clock.dueIn(SECOND) == 2); // both start again
    clock.advance(SECOND);
    assertThatThrownBy(() -> get(refused))
        .extracting(SupervisionTest::problem)
        .isInstanceOfSatisfying(
            Problem.Broken.class,
            broken -> assertThat(broken.detail()).contains("restart the server"));
    released = true;
    await(() -> hanging.get() == 0);
    get(open(OTHER, "Random", 0));
    await(() -> succeeds(ask(OTHER, 3)));
  }

  @Test
  void aLongPastIsProgressAsLongAsItIsTakenIn() throws TimeoutException {
    for (int i = 1; i <= 20; i++) {
      history.add(settled(i, Integer.toString(i)));
    }
    List<Integer> learnt = new ArrayList<>();
    AtomicInteger allowed = new AtomicInteger();
    scripted.fault =
        () -> {
          learnt.add(learnt.size());
          hanging.set(learnt.size());
          while (allowed.get() < learnt.size() && !released) {
            pause();
          }
        };
    scripted.faults.set(20);
    get(open(EXPERIMENT, "Scripted", 20));
    for (int i = 1; i <= 20; i++) {
      int entry = i;
      await(() -> hanging.get() == entry);
      clock.advance(PATIENCE.minus(NOTICE));
      allowed.set(i);
    }
    assertThat(get(ask(EXPERIMENT, 21)).items()).hasSize(1);
    assertThat(scripted.lives).hasSize(1);
  }

  private Runnable fault(String kind) {
    return switch (kind) {
      case "stack" -> SupervisionTest::recurse;
      case "memory" ->
          () -> {
            throw new OutOfMemoryError("scripted");
          };
      default -> scripted.fault;
    };
  }

  @SuppressWarnings("InfiniteRecursion") // the point of it
  private static void recurse() {
    recurse();
  }

  /** Asks, and returns when the tuner has begun to think, deaf to interrupts, until released. */
  private Future<Suggestions> askAndHang(ExperimentId experiment, long number) {
    int before = hanging.get();
    scripted.fault =
        () -> {
          hanging.incrementAndGet();
          while (!released) {
            pause();
          }
          hanging.decrementAndGet();
        };
    scripted.faults.set(1);
    Future<Suggestions> asked = ask(experiment, number);
    await(() -> hanging.get() == before + 1);
    return asked;
  }

  private static void assertBusy(Future<?> question, String detail) {
    assertThatThrownBy(() -> get(question))
        .extracting(SupervisionTest::problem)
        .isEqualTo(new Problem.Busy(detail, SECOND));
  }

  private static boolean succeeds(Future<?> question) {
    try {
      get(question);
      return true;
    } catch (ProblemException | TimeoutException e) {
      return false;
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the condition came true in time").isLessThan(end);
      pause();
    }
  }

  /** Leaves the processor to others; interrupts do not matter to it. */
  private static void pause() {
    Thread.interrupted();
    LockSupport.parkNanos(100_000);
  }

  private static Suggested suggested(long ordinal, String id) {
    return new Suggested(ordinal, id, new Parameters(Map.of("p", ordinal)));
  }

  private static Settled settled(long ordinal, String id) {
    return new Settled(
        ordinal,
        new TrialId("t" + ordinal),
        id,
        new Parameters(Map.of("p", ordinal)),
        TrialStatus.SUCCEEDED,
        MetricValue.of(0.5));
  }

  private Future<Tuners.Opened> open(ExperimentId experiment, String name, long through) {
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

  private Future<Suggestions> ask(ExperimentId experiment, long number, Settled... news) {
    return bus.request(
        Tuners.ASK.of(experiment), new Tuners.Ask(experiment, 1, number, List.of(news)));
  }

  private Future<Tuners.Told> tell(Settled result) {
    return bus.request(Tuners.TELL.of(EXPERIMENT), new Tuners.Tell(EXPERIMENT, List.of(result)));
  }

  private static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }

  private static Problem problem(Throwable failure) {
    return ((ProblemException) failure).problem();
  }
}
