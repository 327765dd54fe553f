package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.History;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.experiment.AlgorithmSpec;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.lease.Leases;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.metric.Objectives;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.search.Spaces;
import io.orrery.tuner.search.random.RandomSearch;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests assessors as other modules see them: over the bus, with what the metrics hold. */
class AssessorTest {
  private static final ExperimentId EXPERIMENT = new ExperimentId("exp1");

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final ScriptedAssessor scripted = new ScriptedAssessor();
  private final List<Entry> history = new CopyOnWriteArrayList<>();
  private final Map<TrialId, List<MetricPoint>> curves = new ConcurrentHashMap<>();

  @BeforeEach
  void deploy() throws TimeoutException {
    get(
        bus.serve(
            Trials.HISTORY,
            read ->
                Future.succeededFuture(
                    new History(
                        history.stream()
                            .filter(entry -> entry.ordinal() > read.after())
                            .limit(read.limit())
                            .toList()))));
    get(
        bus.serve(
            Metrics.SERIES,
            of -> {
              List<MetricPoint> points = curves.getOrDefault(of.trial().trial(), List.of());
              return Future.succeededFuture(new Metrics.Series(points, null, points.size()));
            }));
    Catalog standard = Catalog.standard();
    Catalog catalog =
        new Catalog(
            List.of(RandomSearch.FACTORY), List.of(standard.assessors().getFirst(), scripted));
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
    get(vertx.close());
  }

  @Test
  void aTrialThatLagsBehindThoseOfThePastIsBad() throws TimeoutException {
    past("a", TrialStatus.SUCCEEDED, 0.5, 0.7);
    past("b", TrialStatus.SUCCEEDED, 0.6, 0.8);
    past("c", TrialStatus.FAILED, 0.0, 0.0);
    get(open("Medianstop", "{}", history.size()));
    running("d", 1, 0.4);
    running("e", 1, 0.55);
    assertThat(get(assess("d", 1)).bad()).startsWith("Medianstop: the best of its 1 intermediate");
    assertThat(get(assess("e", 1)).bad()).isNull();
  }

  @Test
  void anAssessorLearnsFromTrialsThatEndWhileItLives() throws TimeoutException {
    get(open("Medianstop", "{}", 0));
    running("d", 1, 0.4);
    assertThat(get(assess("d", 1)).bad()).isNull();
    past("a", TrialStatus.SUCCEEDED, 0.5);
    get(
        bus.request(
            Tuners.TELL.of(EXPERIMENT),
            new Tuners.Tell(EXPERIMENT, List.of((Settled) history.get(0)))));
    assertThat(get(assess("d", 1)).bad()).isNotNull();
  }

  @Test
  void itsOwnDirectionGoesBeforeTheExperiments() throws TimeoutException {
    past("a", TrialStatus.SUCCEEDED, 0.5);
    running("d", 1, 0.4);
    get(open("Medianstop", "{\"optimize_mode\": \"minimize\"}", 1));
    assertThat(get(assess("d", 1)).bad()).isNull();
    get(open("Medianstop", "{}", 1));
    assertThat(get(assess("d", 1)).bad()).isNotNull();
  }

  @Test
  void oneThatIsOpenedAgainKnowsAndIsToldEverythingOnce() throws TimeoutException {
    past("a", TrialStatus.SUCCEEDED, 0.5, 0.25);
    past("b", TrialStatus.EARLY_STOPPED, 0.125);
    get(open("Scripted", "{}", 2));
    running("d", 1, 0.4);
    get(assess("d", 1));
    get(
        bus.request(
            Tuners.TELL.of(EXPERIMENT),
            new Tuners.Tell(EXPERIMENT, List.of((Settled) history.get(1)))));
    get(open("Scripted", "{}", 2));
    get(assess("d", 1));
    List<String> life = List.of("a true [0.5, 0.25]", "b false [0.125]", "assess d [0.4]");
    assertThat(scripted.lives).containsExactly(life, life);
  }

  @Test
  void oneThatCrashesIsStartedAgainAndTheTunerDoesNotNotice() throws TimeoutException {
    past("a", TrialStatus.SUCCEEDED, 0.5);
    get(open("Scripted", "{}", 1));
    running("d", 1, 0.4);
    scripted.faults.set(1);
    assertThat(get(assess("d", 1)).bad()).isEqualTo("Scripted: as it was told");
    assertThat(scripted.lives)
        .containsExactly(List.of("a true [0.5]"), List.of("a true [0.5]", "assess d [0.4]"));
    assertThat(
            get(bus.request(Tuners.ASK.of(EXPERIMENT), new Tuners.Ask(EXPERIMENT, 1, 0))).items())
        .hasSize(1);
  }

  @Test
  void anAttemptThatHasReportedNothingIsNotJudged() throws TimeoutException {
    get(open("Scripted", "{}", 0));
    assertThat(get(assess("d", 1)).bad()).isNull();
    running("d", 1, 0.4);
    assertThat(get(assess("d", 2)).bad()).as("its points are of an earlier attempt").isNull();
    assertThat(get(assess("d", 1)).bad()).isNotNull();
  }

  @Test
  void withoutAnAssessorNoTrialIsJudged() throws TimeoutException {
    get(open("Scripted", "{}", 0));
    get(
        bus.request(
            Tuners.OPEN,
            new Tuners.Open(
                EXPERIMENT,
                AlgorithmSpec.named("Random"),
                null,
                Spaces.FINITE,
                Objectives.of(Direction.MAXIMIZE),
                1,
                0,
                EXPERIMENT.value(),
                1)));
    running("d", 1, 0.4);
    assertThatThrownBy(() -> get(assess("d", 1)))
        .extracting(failure -> ((ProblemException) failure).problem())
        .isInstanceOf(Problem.NotFound.class);
  }

  /** A trial that has ended, in the history, and what it reported. */
  private void past(String trial, TrialStatus status, double... results) {
    running(trial, 1, results);
    history.add(
        new Settled(history.size() + 1, new TrialId(trial), null, Parameters.EMPTY, status, null));
  }

  private void running(String trial, int attempt, double... results) {
    AttemptRef ref = ref(trial, attempt);
    curves.put(
        new TrialId(trial),
        IntStream.range(0, results.length)
            .mapToObj(i ->
                new MetricPoint(
                    ref,
                    "test",
                    i,
                    MetricKind.INTERMEDIATE,
                    i,
                    null,
                    0,
                    MetricValue.of(results[i])))
            .toList());
  }

  private static AttemptRef ref(String trial, int attempt) {
    return new AttemptRef(new TrialRef(EXPERIMENT, new TrialId(trial)), attempt);
  }

  private Future<Tuners.Opened> open(String assessor, String arguments, long through) {
    return bus.request(
        Tuners.OPEN,
        new Tuners.Open(
            EXPERIMENT,
            AlgorithmSpec.named("Random"),
            new AlgorithmSpec(assessor, null, null, Spaces.read(arguments)),
            Spaces.FINITE,
            Objectives.of(Direction.MAXIMIZE),
            1,
            through,
            EXPERIMENT.value(),
            1));
  }

  private Future<Tuners.Assessed> assess(String trial, int attempt) {
    return bus.request(Tuners.ASSESS.of(EXPERIMENT), new Tuners.Assess(ref(trial, attempt), null));
  }

  private static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }
}
