package io.orrery.tuner.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Incumbents;
import io.orrery.core.bus.contract.Incumbents.Incumbent;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.History;
import io.orrery.core.bus.contract.Trials.Settled;
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

/** Tests the incumbent as other modules ask for it, over the bus. */
class IncumbentHandlerTest {
  private static final ExperimentId EXPERIMENT = new ExperimentId("exp1");
  private static final SearchSpace PLANE =
      Spaces.of(
          """
          {"x": {"_type": "uniform", "_value": [0, 1]}, "y": {"_type": "uniform", "_value": [0, 1]}}
          """);

  private final Vertx vertx = Vertx.vertx();
  private final Bus bus = Bus.of(vertx);
  private final List<Entry> history = new CopyOnWriteArrayList<>();
  private final List<Long> pagesRead = new CopyOnWriteArrayList<>();

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
            SearchSpec.random(PLANE, Direction.MAXIMIZE, 1),
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
    return Future.succeededFuture(
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

  private Incumbent ask() throws TimeoutException {
    return get(bus.request(Incumbents.INCUMBENT, new Incumbents.IncumbentOf(EXPERIMENT)));
  }

  private static <T> T get(Future<T> future) throws TimeoutException {
    return future.await(10, TimeUnit.SECONDS);
  }

  /** Results over the plane that rise to x = y = 0.5, with noise. */
  private void settleHill() {
    Rng rng = Rng.keyed(1, 2);
    for (int i = 0; i < 60; i++) {
      double x = (i % 8 + 0.5) / 8;
      double y = (i / 8 + 0.5) / 8;
      double distance = (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5);
      settle(TrialStatus.SUCCEEDED, x, y, 1 - distance + 0.05 * rng.nextGaussian());
    }
  }

  @Test
  void theLuckiestIsNotTheBestAndRepeatsAreCountedTogether() throws TimeoutException {
    settleHill();
    settle(TrialStatus.SUCCEEDED, 0.02, 0.03, 1.3);
    for (int i = 0; i < 4; i++) {
      settle(TrialStatus.SUCCEEDED, 0.02, 0.03, 0.5);
      settle(TrialStatus.SUCCEEDED, 0.5, 0.5, 1.04 - 0.01 * i);
    }
    settle(TrialStatus.FAILED, 0.5, 0.5, 99);

    Incumbent found = ask();

    assertThat(found.parameters()).isEqualTo(new Parameters(Map.of("x", 0.5, "y", 0.5)));
    assertThat(found.trials())
        .extracting(TrialId::value)
        .containsExactly("t63", "t65", "t67", "t69");
    assertThat(found.mean()).isCloseTo(1.025, within(1e-9));
  }

  @Test
  void theAnswerHoldsUntilNewResultsCome() throws TimeoutException {
    assertThat(ask()).isEqualTo(Incumbent.NONE);
    settle(TrialStatus.SUCCEEDED, 0.25, 0.75, 2);
    Incumbent first = ask();
    assertThat(first.parameters()).isEqualTo(new Parameters(Map.of("x", 0.25, "y", 0.75)));
    assertThat(ask()).isSameAs(first);
    assertThat(pagesRead).as("only what is new is read").containsExactly(0L, 0L, 1L, 1L);
  }

  @Test
  void theLastAnswerIsGivenUntilTheNewOneIsThere() throws TimeoutException {
    settle(TrialStatus.SUCCEEDED, 0.25, 0.75, 2);
    Incumbent first = ask();
    settle(TrialStatus.EARLY_STOPPED, 0.25, 0.75, 4);

    assertThat(ask()).isEqualTo(first);
    assertThat(askUntilAnother(first).mean()).isEqualTo(3.0);
  }

  @Test
  void allResultsCountHoweverManyThereAre() throws TimeoutException {
    settle(TrialStatus.SUCCEEDED, 0.5, 0.5, 10);
    for (int i = 0; i < 2_500; i++) {
      settle(TrialStatus.SUCCEEDED, i % 50 / 50.0, i / 50 / 50.0 + 0.01, i % 7 * 0.1);
    }
    settle(TrialStatus.SUCCEEDED, 0.5, 0.5, 12);

    Incumbent found = ask();
    assertThat(found.trials()).extracting(TrialId::value).containsExactly("t1", "t2502");
    assertThat(found.mean()).isEqualTo(11.0);
  }

  /** Asks again and again; each question is answered by the server before the next. */
  private Incumbent askUntilAnother(Incumbent last) throws TimeoutException {
    for (int i = 0; i < 100_000; i++) {
      Incumbent now = ask();
      if (!now.equals(last)) {
        return now;
      }
    }
    throw new AssertionError("still " + last);
  }

  @Test
  void thereIsNoneOfAnExperimentThatIsNotThere() {
    Future<Incumbent> asked =
        bus.request(Incumbents.INCUMBENT, new Incumbents.IncumbentOf(new ExperimentId("gone")));
    assertThatThrownBy(() -> get(asked)).isInstanceOf(ProblemException.class);
  }
}
