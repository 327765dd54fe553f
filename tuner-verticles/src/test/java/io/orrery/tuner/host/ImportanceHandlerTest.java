package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.History;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Trials.Suggested;
import io.orrery.core.bus.contract.Tuners;
import io.orrery.core.bus.contract.Tuners.Importance;
import io.orrery.core.bus.contract.Tuners.Importances;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentDescription;
import io.orrery.core.experiment.ExperimentLimits;
import io.orrery.core.experiment.ExperimentSpec;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.experiment.JobSpec;
import io.orrery.core.experiment.SearchSpec;
import io.orrery.core.experiment.TrainingServiceSpec;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.lease.Leases;
import io.orrery.core.metric.Direction;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.math.Rng;
import io.orrery.tuner.search.Spaces;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests importance as other modules ask for it, over the bus. */
class ImportanceHandlerTest {
  private static final ExperimentId EXPERIMENT = new ExperimentId("exp1");
  private static final SearchSpace PLANE =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [0, 1]}, "y": {"_type": "uniform", "_value": [0, 1]}}
          """);
  private static final SearchSpace LINE = Spaces.one("uniform", "[0, 1]");

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final List<Entry> history = new CopyOnWriteArrayList<>();
  private final List<Long> pagesRead = new CopyOnWriteArrayList<>();
  private volatile SearchSpace space = PLANE;
  private volatile Future<?> historyOpen = Future.succeededFuture();

  @BeforeEach
  void deploy() throws TimeoutException {
    get(bus.serve(Experiments.GET, this::experiment));
    get(bus.serve(Trials.HISTORY, this::page));
    Catalog none = new Catalog(List.of(), List.of());
    get(
        vertx.deployVerticle(
            new TunerVerticle(
                bus,
                none,
                Leases.ALONE,
                new SteppedClock(),
                new Workers(1, 1),
                NoPython.INTERPRETER,
                NoPython.DOORPLATE,
                Path.of("experiments"))));
  }

  @AfterEach
  void close() throws TimeoutException {
    get(vertx.close());
  }

  private Future<Experiment> experiment(Experiments.Get question) {
    if (!question.id().equals(EXPERIMENT)) {
      return Future.failedFuture(new Problem.NotFound("no such experiment").toException());
    }
    ExperimentSpec spec =
        new ExperimentSpec(
            ExperimentDescription.named(null),
            SearchSpec.random(space, Direction.MAXIMIZE, 1),
            JobSpec.of("ls", "/", null, new TrainingServiceSpec("local", Parameters.EMPTY)),
            ExperimentLimits.of(1, null));
    return Future.succeededFuture(
        new Experiment(
            EXPERIMENT,
            ResourceOwner.PUBLIC,
            spec,
            ExperimentStatus.DONE,
            Map.of(TrialStatus.SUCCEEDED, (long) history.size()),
            0,
            null,
            0,
            Instant.EPOCH,
            null,
            null,
            null));
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

  private void settle(TrialStatus status, double x, double y, double result) {
    long ordinal = history.size() + 1;
    history.add(
        new Settled(
            ordinal,
            new TrialId("t" + ordinal),
            "" + ordinal,
            new Parameters(Map.of("x", x, "y", y)),
            status,
            MetricValue.of(result)));
  }

  private void settleMany(int count) {
    Rng rng = Rng.keyed(1, history.size());
    for (int i = 0; i < count; i++) {
      double x = rng.nextDouble();
      double y = rng.nextDouble();
      settle(TrialStatus.SUCCEEDED, x, y, x + 3 * y);
    }
  }

  private Importances ask() throws TimeoutException {
    return get(bus.request(Tuners.IMPORTANCE, new Tuners.ImportanceOf(EXPERIMENT)));
  }

  private static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }

  @Test
  void itSaysWhichParametersDecideAndFromHowMuch() throws TimeoutException {
    settleMany(150);
    Importances found = ask();
    assertThat(found.items()).extracting(Importance::parameter).containsExactly("y", "x");
    assertThat(found.items().getFirst().importance()).isBetween(0.8, 0.95);
    assertThat(found.method()).isEqualTo("fanova");
    assertThat(found.trials()).isEqualTo(150);
    assertThat(found.total()).isEqualTo(150);
    assertThat(found.reason()).isNull();
  }

  @Test
  void onlyTrialsThatSucceededWithANumberCount() throws TimeoutException {
    history.add(new Suggested(1, "0", Parameters.EMPTY));
    settleMany(40);
    settle(TrialStatus.FAILED, 0.9, 0.1, 1e9);
    settle(TrialStatus.EARLY_STOPPED, 0.9, 0.1, 1e9);
    settle(TrialStatus.SUCCEEDED, 0.9, 0.1, Double.NaN);
    settle(TrialStatus.SUCCEEDED, 0.9, 0.1, Double.NEGATIVE_INFINITY);
    assertThat(ask().trials()).isEqualTo(40);
  }

  @Test
  void theAnswerHoldsUntilNewResultsCome() throws TimeoutException {
    settleMany(30);
    Importances first = ask();
    assertThat(ask()).isSameAs(first);
    assertThat(pagesRead).as("only what is new is read").containsExactly(0L, 30L, 30L);
    settleMany(30);
    assertThat(ask().trials()).isEqualTo(60);
  }

  @Test
  void questionsAtTheSameTimeShareTheWork() throws TimeoutException {
    settleMany(30);
    Promise<Void> held = Promise.promise();
    historyOpen = held.future();
    List<Future<Importances>> asked =
        List.of(
            bus.request(Tuners.IMPORTANCE, new Tuners.ImportanceOf(EXPERIMENT)),
            bus.request(Tuners.IMPORTANCE, new Tuners.ImportanceOf(EXPERIMENT)));
    held.complete();
    assertThat(get(asked.get(0))).isSameAs(get(asked.get(1)));
    assertThat(pagesRead).containsExactly(0L, 30L);
  }

  @Test
  void anotherSearchSpaceIsStudiedAnew() throws TimeoutException {
    settleMany(30);
    ask();
    space = LINE;
    assertThat(ask().reason()).contains("inside of the search space");
  }

  @Test
  void whereNothingCanBeSaidItSaysWhy() throws TimeoutException {
    assertThat(ask().reason()).startsWith("Two trials must have succeeded");
    settle(TrialStatus.SUCCEEDED, 0.5, 0.5, 1);
    settle(TrialStatus.SUCCEEDED, 0.6, 0.5, 1);
    assertThat(ask().reason()).isEqualTo("All results are the same.");
    assertThat(ask().items()).isEmpty();
    space = SearchSpace.EMPTY;
    assertThat(ask().reason()).isEqualTo("The search space has no parameters.");
  }

  @Test
  void resultsThatDifferAtTheSameParametersAreNotExplained() throws TimeoutException {
    settle(TrialStatus.SUCCEEDED, 0.5, 0.5, 1);
    settle(TrialStatus.SUCCEEDED, 0.5, 0.5, 2);
    assertThat(ask().reason()).isEqualTo("No parameter explains why the results differ.");
  }

  @Test
  void anUnknownExperimentIsNotFound() {
    assertThatThrownBy(() ->
            get(bus.request(Tuners.IMPORTANCE, new Tuners.ImportanceOf(new ExperimentId("nope")))))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.problem()).isInstanceOf(Problem.NotFound.class));
  }

  @Test
  void aHistoryThatCannotBeReadIsReadAgainLater() throws TimeoutException {
    settleMany(30);
    historyOpen = Future.failedFuture(new Problem.Broken("no disk").toException());
    assertThatThrownBy(this::ask).hasMessageContaining("no disk");
    historyOpen = Future.succeededFuture();
    assertThat(ask().trials()).isEqualTo(30);
  }
}
