package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Incumbents.Incumbent;
import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.cache.LeastRecentlyUsed;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.surrogate.Surrogate;
import io.orrery.tuner.surrogate.Surrogate.Observation;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says which configuration of an experiment, running or not, is expected to be the best: the one
 * with the best single result may have been lucky.
 *
 * <p>What it has read of a history is kept for the experiments that were asked for last. It thinks
 * on a thread of its own; until a new answer is there, the last one is given. Of many results the
 * model takes some, and all count at the place it chooses. All methods run on one event loop.
 */
final class IncumbentHandler implements AutoCloseable {
  private static final int MOST_STUDIES = 32;

  private static final Workers WORKERS = new Workers(1, MOST_STUDIES);

  private final Bus bus;
  private final HistoryReadLimiter room;
  private final AlgorithmThreads threads;
  private final Map<ExperimentId, Study> studies = new LeastRecentlyUsed<>(MOST_STUDIES);

  IncumbentHandler(Bus bus, HistoryReadLimiter room, Vertx vertx, Clock clock) {
    this.bus = bus;
    this.room = room;
    this.threads = new AlgorithmThreads(vertx, clock, WORKERS);
  }

  /** The incumbent; NotFound when there is no such experiment. */
  Future<Incumbent> of(ExperimentId id) {
    return bus.request(Experiments.GET, new Experiments.Get(id))
        .onFailure(gone -> studies.remove(id))
        .compose(experiment -> {
          Study study = studies.get(id);
          if (study == null || !study.isOf(experiment)) {
            study = new Study(experiment);
            studies.put(id, study);
          }
          return study.answer();
        });
  }

  @Override
  public void close() {
    threads.close();
  }

  /** A trial that ended with a finite number. */
  private record Tried(TrialId trial, Parameters parameters, double value, Observation seen) {}

  /** As the search has it: a trial that was stopped early has the result that it had then. */
  private static boolean counts(TrialStatus status) {
    return status == TrialStatus.SUCCEEDED || status == TrialStatus.EARLY_STOPPED;
  }

  /** The results of one experiment in one search space. */
  private final class Study {
    private final ExperimentId id;
    private final Instant createdAt;
    private final SearchSpace space;
    private final Objectives objectives;
    private final HistoryReader past;
    private final Axes axes;
    private final UnitCube cube;

    /** By trial and parameter set: a trial that ends once more replaces what it had reported. */
    private final Map<String, Tried> tried = new LinkedHashMap<>();

    private long known;
    private Incumbent answer = Incumbent.NONE;

    /** Whether there are results that the answer knows nothing of. */
    private boolean changed;

    private @Nullable Future<Incumbent> underWay;
    private @Nullable Future<Incumbent> thinking;

    Study(Experiment experiment) {
      id = experiment.id();
      createdAt = experiment.createdAt();
      space = experiment.spec().search().space();
      objectives = experiment.spec().search().objectives();
      past = new HistoryReader(bus, room, id);
      axes = Axes.of(space);
      cube = new UnitCube(axes);
    }

    boolean isOf(Experiment experiment) {
      return createdAt.equals(experiment.createdAt())
          && space.equals(experiment.spec().search().space());
    }

    /** Questions that come while it is answered share the answer. */
    Future<Incumbent> answer() {
      Future<Incumbent> shared = underWay;
      if (shared != null) {
        return shared;
      }
      Future<Incumbent> fresh =
          past.between(known, Long.MAX_VALUE, this::read)
              .compose(read -> conclude())
              .onFailure(broken -> studies.remove(id, this));
      if (!fresh.isComplete()) {
        underWay = fresh;
        fresh.onComplete(done -> underWay = null);
      }
      return fresh;
    }

    private Future<Void> read(List<Entry> entries) {
      for (Entry entry : entries) {
        known = entry.ordinal();
        if (entry instanceof Settled end) {
          take(end);
        }
      }
      return Future.succeededFuture();
    }

    private void take(Settled end) {
      String key = end.trial() + "/" + end.parameterId();
      changed |= tried.remove(key) != null;
      double value = objectives.measures(end.result()).getFirst();
      double[] point = axes.encode(end.parameters());
      if (counts(end.status()) && point != null && Double.isFinite(value)) {
        double loss = objectives.direction().loss(value);
        Observation seen = new Observation(cube.place(point), loss);
        tried.put(key, new Tried(end.trial(), end.parameters(), value, seen));
        changed = true;
      }
    }

    /** Where there was none, the answer is waited for. */
    private Future<Incumbent> conclude() {
      Future<Incumbent> next = thinking;
      if (next == null && changed) {
        next = think();
      }
      return next == null || !answer.equals(Incumbent.NONE) ? Future.succeededFuture(answer) : next;
    }

    private Future<Incumbent> think() {
      changed = false;
      List<Tried> all = List.copyOf(tried.values());
      if (all.isEmpty()) {
        answer = Incumbent.NONE;
        return Future.succeededFuture(answer);
      }
      Future<Incumbent> next = threads.run(progress -> incumbent(all));
      thinking = next;
      return next.onComplete(done -> {
        thinking = null;
        if (done.succeeded()) {
          answer = done.result();
        } else {
          // The next question reads and thinks anew, and is told why there is no answer.
          studies.remove(id, this);
        }
      });
    }

    private Incumbent incumbent(List<Tried> all) {
      double[] place =
          cube.size() == 0
              ? new double[0]
              : Surrogate.incumbent(cube, all.stream().map(Tried::seen).toList()).place();
      List<Tried> there = new ArrayList<>();
      for (Tried one : all) {
        if (Surrogate.same(place, one.seen().place())) {
          there.add(one);
        }
      }
      return new Incumbent(
          there.getFirst().parameters(),
          there.stream().map(Tried::trial).distinct().toList(),
          there.stream().mapToDouble(Tried::value).average().orElseThrow());
    }
  }
}
