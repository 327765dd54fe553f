package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Transfers;
import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.cache.LeastRecentlyUsed;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.Objective;
import io.orrery.core.metric.Objectives;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.time.Clock;
import io.orrery.tuner.encode.Axes;
import io.orrery.tuner.encode.UnitCube;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.bayes.EarlierSearches;
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
 * Says how much an experiment, running or not, listens to the earlier ones that it was given.
 *
 * <p>What it has read of a history is kept for the experiments that were asked for last, and the
 * weights hold until there are two in a hundred more results. It thinks on a thread of its own. All
 * methods run on one event loop.
 */
final class TransferHandler implements AutoCloseable {
  private static final int MOST_STUDIES = 32;

  /** Later results do not change much, and a long history is not kept whole. */
  private static final int MOST_RESULTS = 2_000;

  /** One result more of so many changes little. */
  private static final int FEW = 50;

  private static final Workers WORKERS = new Workers(1, MOST_STUDIES);

  private final Bus bus;
  private final HistoryReadLimiter room;
  private final AlgorithmThreads threads;
  private final Map<ExperimentId, Study> studies = new LeastRecentlyUsed<>(MOST_STUDIES);

  TransferHandler(Bus bus, HistoryReadLimiter room, Vertx vertx, Clock clock) {
    this.bus = bus;
    this.room = room;
    this.threads = new AlgorithmThreads(vertx, clock, WORKERS);
  }

  /** What the earlier experiments are worth; empty when it was given none. */
  Future<Transfers.Worths> of(ExperimentId id) {
    return bus.request(Experiments.GET, new Experiments.Get(id))
        .onFailure(gone -> studies.remove(id))
        .compose(experiment -> {
          Study study = studies.get(id);
          return study != null && study.isOf(experiment) ? study.answer() : begin(experiment);
        });
  }

  /** The sources never change: they are asked for once. */
  private Future<Transfers.Worths> begin(Experiment experiment) {
    return bus.request(Transfers.SOURCES, new Transfers.SourcesOf(experiment.id()))
        .compose(found -> {
          if (found.sources().isEmpty()) {
            return Future.succeededFuture(new Transfers.Worths(List.of(), 0));
          }
          Study study = new Study(experiment, found);
          studies.put(experiment.id(), study);
          return study.answer();
        });
  }

  @Override
  public void close() {
    threads.close();
  }

  /** The results of one experiment in one search space. */
  private final class Study {
    private final ExperimentId id;
    private final Instant createdAt;
    private final SearchSpace space;
    private final List<Objective> objectives;
    private final Objectives measured;
    private final Transfers.Sources found;
    private final HistoryReader past;
    private final Axes axes;
    private final UnitCube cube;

    /** By trial and parameter set: a trial that ends once more replaces what it had reported. */
    private final Map<String, Observation> observations = new LinkedHashMap<>();

    private @Nullable EarlierSearches searches;
    private long known;
    private Transfers.@Nullable Worths answer;
    private @Nullable Future<Transfers.Worths> underWay;

    Study(Experiment experiment, Transfers.Sources found) {
      this.found = found;
      id = experiment.id();
      createdAt = experiment.createdAt();
      space = experiment.spec().search().space();
      measured = experiment.spec().search().objectives();
      objectives = measured.all();
      past = new HistoryReader(bus, room, id);
      axes = Axes.of(space);
      cube = new UnitCube(axes);
    }

    boolean isOf(Experiment experiment) {
      return createdAt.equals(experiment.createdAt())
          && space.equals(experiment.spec().search().space());
    }

    /** Questions that come while it is answered share the answer. */
    Future<Transfers.Worths> answer() {
      Future<Transfers.Worths> shared = underWay;
      if (shared != null) {
        return shared;
      }
      Future<Transfers.Worths> fresh =
          (observations.size() >= MOST_RESULTS
                  ? Future.<Void>succeededFuture()
                  : past.between(known, Long.MAX_VALUE, this::read))
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
        if (entry instanceof Settled end && observations.size() < MOST_RESULTS) {
          double[] point = axes.encode(end.parameters());
          if (point != null) {
            Result result =
                new Result(end.parameterId(), end.parameters(), measured.measures(end.result()));
            observations.put(
                end.trial() + "/" + end.parameterId(),
                new Observation(cube.place(point), result.losses(objectives)[0]));
          }
        }
      }
      return Future.succeededFuture();
    }

    private Future<Transfers.Worths> conclude() {
      Transfers.Worths last = answer;
      if (last != null && observations.size() - last.results() <= last.results() / FEW) {
        return Future.succeededFuture(last);
      }
      return threads.run(progress -> worths()).onSuccess(fresh -> answer = fresh);
    }

    private Transfers.Worths worths() {
      EarlierSearches models = searches;
      if (models == null) {
        models = new EarlierSearches(space, cube, LearningTuner.tasks(found));
        searches = models;
      }
      List<Double> weights = models.weights(List.copyOf(observations.values()));
      List<Integer> used = models.used();
      List<Transfers.Worth> all = new ArrayList<>();
      for (int i = 0; i < weights.size(); i++) {
        Transfers.Source source = found.sources().get(i);
        all.add(
            new Transfers.Worth(
                source.experiment(),
                source.name(),
                source.samples().size(),
                used.get(i),
                weights.get(i),
                source.renamed()));
      }
      return new Transfers.Worths(all, observations.size());
    }
  }
}
