package io.orrery.benchmarks.startup;

import io.orrery.core.access.ResourceOwner;
import io.orrery.core.constraint.Formula;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.SystemClock;
import io.orrery.core.trial.ParameterSet;
import io.orrery.core.trial.ParameterSource;
import io.orrery.core.trial.TrialStatus;
import io.orrery.metrics.store.LogLimits;
import io.orrery.metrics.store.LogPlace;
import io.orrery.metrics.store.LogWatch;
import io.orrery.metrics.store.MetricLog;
import io.orrery.metrics.store.SegmentLog;
import io.orrery.orchestrator.experiment.model.ExperimentRecord;
import io.orrery.orchestrator.experiment.model.TrialTally;
import io.orrery.orchestrator.experiment.store.ExperimentTable;
import io.orrery.orchestrator.experiment.store.TrialTable;
import io.orrery.orchestrator.trial.GivenSet;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialName;
import io.orrery.orchestrator.trial.TrialState;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.math.Rng;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Gives experiments of the platform {@code simulated} a long past without running it: trials that
 * have succeeded, and what they reported, through the code that the server stores them with. The
 * experiments take turns, as they do when they run side by side; what moves of them is left alone.
 */
final class LongPast {
  /** Trials that are on their way between a suggestion and its result. */
  private static final int IN_FLIGHT = 20;

  private static final int ROWS_AT_ONCE = 2_000;
  private static final Duration RUN = Duration.ofMillis(150);
  private static final String WHERE = "simulated";

  private final Store store;
  private final MetricLog log;
  private final TrialTable trials;
  private final ExperimentTable experiments;

  /** What is not written yet. */
  private final List<Statement> rows = new ArrayList<>();

  private final List<MetricPoint> points = new ArrayList<>();

  private LongPast(Store store, MetricLog log) {
    this.store = store;
    this.log = log;
    this.trials = new TrialTable(store);
    this.experiments = new ExperimentTable(store);
  }

  /**
   * Writes it; no server has the home.
   *
   * @param each how many trials each of the experiments is given
   */
  public static void write(Path home, List<ExperimentId> ids, int each) {
    Vertx vertx = Vertx.vertx();
    try {
      SqliteStore store = SqliteStore.openKept(vertx, home.resolve("orrery.db"));
      SegmentLog log =
          SegmentLog.open(
                  vertx,
                  new LogPlace.Files(home.resolve("metrics")),
                  LogLimits.DEFAULT,
                  stored -> {},
                  LogWatch.NONE,
                  new SystemClock(vertx))
              .await();
      new LongPast(store, log).write(ids, each);
      log.close().eventually(store::close).await();
    } finally {
      vertx.close().await();
    }
  }

  private void write(List<ExperimentId> ids, int each) {
    List<Life> lives = new ArrayList<>();
    for (ExperimentId id : ids) {
      lives.add(new Life(experiments.find(id).await().orElseThrow()));
    }
    for (int i = 0; i < each; i++) {
      for (Life life : lives) {
        life.suggest();
        if (i >= IN_FLIGHT) {
          life.settle();
        }
      }
      if (rows.size() >= ROWS_AT_ONCE) {
        flush();
      }
    }
    lives.forEach(Life::end);
    flush();
  }

  private void flush() {
    Future<Void> stored = store.write(List.copyOf(rows));
    log.append(List.copyOf(points)).await();
    stored.await();
    rows.clear();
    points.clear();
  }

  /** The life of one experiment, from where it is. */
  private final class Life {
    private final ExperimentRecord before;
    private final Axes axes;
    private final Formula objective;
    private final TrialTally tally;
    private final Deque<TrialState> moving = new ArrayDeque<>();
    private Instant now;
    private long sequence;
    private long ordinal;
    private long number;

    Life(ExperimentRecord before) {
      this.before = before;
      this.axes = Axes.of(before.spec().search().space());
      this.objective =
          Formula.read(
              String.valueOf(
                  before.spec().job().trainingService().settings().values().get("objective")));
      this.tally = new TrialTally(before.counts(), before.best());
      this.now = before.createdAt();
      this.sequence = before.nextSequence();
      this.ordinal = before.nextOrdinal();
      this.number = before.nextNumber();
    }

    void suggest() {
      TrialRef ref = new TrialRef(before.id(), TrialName.of(before.id(), sequence));
      ParameterSet set =
          new ParameterSet(
              0,
              Long.toString(number),
              ParameterSource.ALGORITHM,
              axes.decode(axes.sample(Rng.keyed(before.spec().search().seed(), number))));
      number++;
      moving.add(new TrialState(ref, sequence++, List.of(new GivenSet(set, ordinal++)), now));
    }

    void settle() {
      TrialState trial = moving.remove();
      double value = objective.of(trial.sets().current().values().values()).orElseThrow();
      report(trial, MetricKind.INTERMEDIATE, value);
      report(trial, MetricKind.FINAL, value);
      trial.restore(
          new TrialState.Stored(
              Phase.SETTLED,
              TrialStatus.SUCCEEDED,
              1,
              null,
              null,
              null,
              MetricValue.of(value),
              0,
              WHERE,
              now,
              now.plus(RUN),
              ordinal++));
      now = now.plus(RUN.dividedBy(IN_FLIGHT));
      rows.addAll(trials.save(trial));
      tally.add(TrialStatus.SUCCEEDED);
      tally.consider(trial, before.spec().search().direction());
    }

    private void report(TrialState trial, MetricKind kind, double value) {
      points.add(
          new MetricPoint(
              new AttemptRef(trial.ref, 1),
              WHERE,
              0,
              kind,
              0,
              trial.sets().current().parameterId(),
              now.plus(RUN).toEpochMilli(),
              MetricValue.of(value)));
    }

    void end() {
      while (!moving.isEmpty()) {
        settle();
      }
      rows.add(
          experiments.update(
              new ExperimentRecord(
                  before.id(),
                  ResourceOwner.PUBLIC,
                  before.spec(),
                  before.status(),
                  tally.counts(),
                  tally.best().orElse(null),
                  sequence,
                  ordinal,
                  number,
                  before.created() + sequence - before.nextSequence(),
                  before.failuresInRow(),
                  before.ran().plus(Duration.between(before.createdAt(), now)),
                  before.countedAt(),
                  before.createdAt(),
                  before.startedAt(),
                  before.endedAt(),
                  before.error()),
              false));
    }
  }
}
