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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TunerVerticleTest {
  private static final ExperimentId EXPERIMENT = new ExperimentId("exp1");
  private static final SearchSpace SPACE = Spaces.one("randint", "[0, 1000000]");

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final ScriptedTuner scripted = new ScriptedTuner();
  private final List<Entry> history = new CopyOnWriteArrayList<>();
  private final List<Long> pagesRead = new CopyOnWriteArrayList<>();
  private volatile Future<?> historyOpen = Future.succeededFuture();

  @BeforeEach
  void deploy() throws TimeoutException {
    Catalog catalog = new Catalog(List.of(scripted, RandomSearch.FACTORY), List.of());
    get(bus.serve(Trials.HISTORY, this::page));
    get(
        vertx.deployVerticle(
            new TunerVerticle(
                bus,
                catalog,
                Leases.ALONE,
                new SteppedClock(),
                new Workers(2, 4),
                NoPython.INTERPRETER,
                NoPython.DOORPLATE,
                Path.of("experiments"))));
  }

  @AfterEach
  void close() throws TimeoutException {
    scripted.gate.countDown();
    get(vertx.close());
  }

  private Future<History> page(Trials.ReadHistory read) {
    pagesRead.add(read.after());
    return historyOpen.map(open ->
        new History(
            history.stream()
                .filter(entry -> entry.ordinal() > read.after())
                .limit(read.limit())
                .toList()));
  }

  @Test
  void thePastIsReplayedBeforeTheFirstQuestion() throws TimeoutException {
    Promise<Void> held = Promise.promise();
    historyOpen = held.future();
    history.addAll(List.of(suggested(1, "0"), suggested(2, "1"), settled(3, "0", 0.5)));
    assertThat(get(open("Scripted", 2)).aheadLimit()).isEqualTo(3);
    Future<Suggestions> asked = ask(2, 2);
    assertThat(asked.isComplete()).isFalse();
    held.complete();
    assertThat(get(asked).items()).extracting(Suggestion::parameterId).containsExactly("2", "3");
    assertThat(scripted.lives).containsExactly(List.of("remember 0", "remember 1", "suggest 2+2"));
  }

  @Test
  void aCheckRefusesWhatARegistrationWouldAndRegistersNothing() throws TimeoutException {
    Future<?> checked = bus.request(Tuners.CHECK_REGISTER, named("walk"));
    Future<?> taken = bus.request(Tuners.CHECK_REGISTER, named("Scripted"));

    get(checked);
    assertThatThrownBy(() -> get(taken))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.problem()).isInstanceOf(Problem.Refused.class));
    assertThat(get(bus.request(Tuners.LIST, new Tuners.ListAll())).algorithms())
        .extracting(Tuners.Algorithm::name)
        .doesNotContain("walk");
  }

  private static Tuners.Registration named(String name) {
    return new Tuners.Registration(name, "tuner", "walk.Walk", null, Parameters.EMPTY);
  }

  @Test
  void aLongPastIsReadByPages() throws TimeoutException {
    for (int i = 1; i <= 2_500; i++) {
      history.add(settled(i, Integer.toString(i), i));
    }
    get(open("Scripted", 2_500));
    get(ask(1, 0));
    assertThat(pagesRead).containsExactly(0L, 1_000L, 2_000L);
    assertThat(scripted.lives.getFirst()).hasSize(2_501).startsWith("learn 1=1.0");
  }

  @Test
  void resultsAreToldOnce() throws TimeoutException {
    history.add(settled(1, "0", 0.5));
    get(open("Scripted", 1));
    get(tell(settled(1, "0", 0.5), settled(4, "2", 0.7), settled(3, "1", 0.6)));
    get(tell(settled(3, "1", 0.6), settled(4, "2", 0.7), settled(6, "3", null)));
    get(ask(1, 4));
    assertThat(scripted.lives.getFirst())
        .containsExactly("learn 0=0.5", "learn 1=0.6", "learn 2=0.7", "learn 3=NaN", "suggest 4+1");
  }

  @Test
  void newsThatComeWithAQuestionAreLearntFirstAndOnce() throws TimeoutException {
    history.add(settled(1, "0", 0.5));
    get(open("Scripted", 1));
    get(tell(settled(2, "1", 0.6)));
    Settled next = settled(4, "3", 0.8);
    get(ask(1, 4, settled(2, "1", 0.6), settled(3, "2", 0.7)));
    get(ask(1, 4, settled(3, "2", 0.7), next));
    get(ask(1, 5, next));
    assertThat(scripted.lives.getFirst())
        .containsExactly(
            "learn 0=0.5",
            "learn 1=0.6",
            "learn 2=0.7",
            "suggest 4+1",
            "learn 3=0.8",
            "suggest 5+1");
  }

  @Test
  void newsThatATunerChokedOnWithAQuestionAreNotLost() throws TimeoutException {
    get(open("Scripted", 0));
    get(ask(1, 0));
    scripted.faults.set(1);
    assertThat(get(ask(1, 1, settled(1, "0", 0.5))).items())
        .extracting(Suggestion::parameterId)
        .containsExactly("1");
    assertThat(scripted.lives.getLast())
        .containsExactly("remember 0", "learn 0=0.5", "suggest 1+1");
  }

  @Test
  void whatAUserPlannedIsHeardOfWhenItHasEnded() throws TimeoutException {
    history.addAll(List.of(suggested(1, null), settled(2, null, 0.5)));
    get(open("Scripted", 2));
    get(ask(1, 0));
    assertThat(scripted.lives.getFirst()).containsExactly("learn null=0.5", "suggest 0+1");
  }

  @Test
  void entriesOfAnotherSpaceAreLeftOut() throws TimeoutException {
    history.add(new Suggested(1, "0", Parameters.EMPTY));
    history.add(
        new Settled(
            2, new TrialId("a"), "0", Parameters.EMPTY, TrialStatus.SUCCEEDED, MetricValue.of(1)));
    history.add(suggested(3, "1"));
    get(open("Scripted", 3));
    get(tell(new Settled(4, new TrialId("b"), "0", Parameters.EMPTY, TrialStatus.FAILED, null)));
    get(ask(1, 2));
    assertThat(scripted.lives.getFirst()).containsExactly("remember 1", "suggest 2+1");
  }

  @Test
  void aTunerThatThrowsIsRebuiltAndAskedAgain() throws TimeoutException {
    history.addAll(List.of(suggested(1, "0"), settled(2, "0", 0.5)));
    get(open("Scripted", 2));
    get(ask(2, 1));
    scripted.faults.set(1);
    assertThat(get(ask(1, 3)).items()).extracting(Suggestion::parameterId).containsExactly("3");
    assertThat(scripted.lives)
        .containsExactly(
            List.of("remember 0", "learn 0=0.5", "suggest 1+2"),
            List.of("remember 0", "learn 0=0.5", "remember 1", "remember 2", "suggest 3+1"));
  }

  @Test
  void aResultThatATunerChokedOnOnceIsNotLost() throws TimeoutException {
    get(open("Scripted", 0));
    get(ask(1, 0));
    scripted.faults.set(1);
    get(tell(settled(1, "0", 0.5)));
    assertThat(scripted.lives.getLast()).containsExactly("remember 0", "learn 0=0.5");
  }

  @Test
  void theSameQuestionHasTheSameAnswer() throws TimeoutException {
    get(open("Random", 0));
    Suggestions first = get(ask(3, 0));
    assertThat(get(ask(3, 0))).isEqualTo(first);
    assertThat(get(ask(4, 0)).items()).startsWith(first.items().toArray(Suggestion[]::new));
  }

  @Test
  void aThinkingTunerHoldsUpNeitherTheEventLoopNorOthers() throws TimeoutException {
    scripted.gate = new CountDownLatch(1);
    get(open("Scripted", 0));
    Future<Suggestions> thinking = ask(1, 0);
    ExperimentId other = new ExperimentId("other");
    get(bus.request(Tuners.OPEN, openFor(other, "Random", 0)));
    assertThat(get(bus.request(Tuners.ASK.of(other), new Tuners.Ask(other, 2, 0))).items())
        .hasSize(2);
    assertThat(thinking.isComplete()).isFalse();
    scripted.gate.countDown();
    get(thinking);
    assertThat(scripted.threads).allMatch(name -> name.startsWith("orrery-tuner"));
  }

  @Test
  void moreQuestionsThanTheBoundAreRefusedAsBusy() throws TimeoutException {
    get(open("Scripted", 0));
    get(ask(1, 0));
    scripted.gate = new CountDownLatch(1);
    List<Future<Suggestions>> questions = new ArrayList<>();
    for (int number = 1; number <= 4; number++) {
      questions.add(ask(1, number));
    }
    assertThatThrownBy(() -> get(ask(1, 5)))
        .extracting(TunerVerticleTest::problem)
        .isInstanceOf(Problem.Busy.class);
    scripted.gate.countDown();
    get(Future.all(questions));
    assertThat(scripted.lives.getFirst())
        .containsExactly("suggest 0+1", "suggest 1+1", "suggest 2+1", "suggest 3+1", "suggest 4+1");
  }

  @Test
  void openingAgainTakesTheOldTunersPlace() throws TimeoutException {
    get(open("Scripted", 0));
    get(ask(1, 0));
    history.add(suggested(1, "0"));
    get(open("Scripted", 1));
    get(ask(1, 1));
    assertThat(scripted.lives.getLast()).containsExactly("remember 0", "suggest 1+1");
  }

  @Test
  void aClosedTunerHasNoHandler() throws TimeoutException {
    get(open("Scripted", 0));
    get(bus.request(Tuners.CLOSE.of(EXPERIMENT), new Tuners.Close(EXPERIMENT)));
    assertThatThrownBy(() -> get(ask(1, 0))).hasMessageContaining("no handler serves tuners.ask");
  }

  @Test
  void aTunerIsAskedAtThePlaceWhereItWasOpenedLast() throws TimeoutException {
    get(open("Scripted", 0));
    get(bus.request(Tuners.OPEN, openAt("there", 2)));
    assertThat(get(bus.request(Tuners.ASK.of("there"), new Tuners.Ask(EXPERIMENT, 1, 0))).items())
        .hasSize(1);
    assertThatThrownBy(() -> get(ask(1, 0))).hasMessageContaining("no handler serves tuners.ask");
    assertThatThrownBy(() -> get(bus.request(Tuners.OPEN, openAt("of an owner before", 1))))
        .extracting(TunerVerticleTest::problem)
        .isInstanceOf(Problem.Conflict.class);
  }

  private static Tuners.Open openAt(String place, long epoch) {
    Tuners.Open open = openFor(EXPERIMENT, "Random", 0);
    return new Tuners.Open(
        open.experiment(),
        open.algorithm(),
        open.assessor(),
        open.space(),
        open.objectives(),
        open.seed(),
        open.throughOrdinal(),
        place,
        epoch);
  }

  @Test
  void whatCannotBeOpenedIsRefusedAndTheOldTunerStays() throws TimeoutException {
    get(open("Scripted", 0));
    assertThatThrownBy(() -> get(open("Skripted", 0)))
        .extracting(TunerVerticleTest::problem)
        .isInstanceOf(Problem.Refused.class);
    assertThat(get(ask(1, 0)).items()).hasSize(1);
  }

  @Test
  void askingForNothingIsRefused() throws TimeoutException {
    get(open("Random", 0));
    assertThatThrownBy(() -> get(ask(0, 0)))
        .extracting(TunerVerticleTest::problem)
        .isInstanceOf(Problem.Refused.class);
  }

  private static Suggested suggested(long ordinal, @Nullable String id) {
    return new Suggested(ordinal, id, new Parameters(Map.of("p", ordinal)));
  }

  private static Settled settled(long ordinal, @Nullable String id, @Nullable Number result) {
    return new Settled(
        ordinal,
        new TrialId("t" + ordinal),
        id,
        new Parameters(Map.of("p", ordinal)),
        TrialStatus.SUCCEEDED,
        result == null ? null : MetricValue.of(result.doubleValue()));
  }

  private static Tuners.Open openFor(ExperimentId experiment, String name, long through) {
    return new Tuners.Open(
        experiment,
        AlgorithmSpec.named(name),
        null,
        SPACE,
        Objectives.of(Direction.MAXIMIZE),
        42,
        through,
        experiment.value(),
        1);
  }

  private Future<Tuners.Opened> open(String name, long through) {
    return bus.request(Tuners.OPEN, openFor(EXPERIMENT, name, through));
  }

  private Future<Suggestions> ask(int count, long first, Settled... news) {
    return bus.request(
        Tuners.ASK.of(EXPERIMENT), new Tuners.Ask(EXPERIMENT, count, first, List.of(news)));
  }

  private Future<Tuners.Told> tell(Settled... results) {
    return bus.request(Tuners.TELL.of(EXPERIMENT), new Tuners.Tell(EXPERIMENT, List.of(results)));
  }

  private static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }

  private static Problem problem(Throwable failure) {
    return ((ProblemException) failure).problem();
  }
}
