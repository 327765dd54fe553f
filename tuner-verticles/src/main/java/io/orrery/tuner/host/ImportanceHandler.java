package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Tuners.Importance;
import io.orrery.core.bus.contract.Tuners.Importances;
import io.orrery.core.cache.LeastRecentlyUsed;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.space.SearchSpace;
import io.orrery.core.time.Clock;
import io.orrery.core.trial.TrialStatus;
import io.orrery.tuner.importance.Evidence;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says which parameters decide the results of an experiment, running or not.
 *
 * <p>What it has read of an experiment's history is kept, so the next question reads only what came
 * after, and an answer holds until there are new results. Of many experiments it remembers those
 * that were asked for last. It thinks on a thread of its own, so that a reader never holds up a
 * tuner.
 *
 * <p>All methods run on one event loop.
 */
final class ImportanceHandler implements AutoCloseable {
  private static final String METHOD = "fanova";
  private static final int MOST_STUDIES = 32;

  /** Many may look at once; each experiment is studied once at a time. */
  private static final Workers WORKERS = new Workers(1, MOST_STUDIES);

  private final Bus bus;
  private final HistoryReadLimiter room;
  private final AlgorithmThreads threads;
  private final Map<ExperimentId, Study> studies = new LeastRecentlyUsed<>(MOST_STUDIES);

  ImportanceHandler(Bus bus, HistoryReadLimiter room, Vertx vertx, Clock clock) {
    this.bus = bus;
    this.room = room;
    this.threads = new AlgorithmThreads(vertx, clock, WORKERS);
  }

  /** How much each parameter decides; NotFound when there is no such experiment. */
  Future<Importances> of(ExperimentId id) {
    return bus.request(Experiments.GET, new Experiments.Get(id))
        .onFailure(gone -> studies.remove(id))
        .compose(experiment -> {
          Study study = studies.get(id);
          if (study == null || !study.isOf(experiment)) {
            study = new Study(experiment);
            studies.put(id, study);
          }
          return study.answer(experiment);
        });
  }

  @Override
  public void close() {
    threads.close();
  }

  /** A study of one experiment in one search space. */
  private final class Study {
    private final ExperimentId id;
    private final Instant createdAt;
    private final SearchSpace space;
    private final HistoryReader past;
    private final Evidence evidence;
    private long known;
    private @Nullable Importances answer;
    private @Nullable Future<Importances> underWay;

    Study(Experiment experiment) {
      id = experiment.id();
      createdAt = experiment.createdAt();
      space = experiment.spec().search().space();
      past = new HistoryReader(bus, room, id);
      evidence = new Evidence(space);
    }

    boolean isOf(Experiment experiment) {
      return createdAt.equals(experiment.createdAt())
          && space.equals(experiment.spec().search().space());
    }

    /** Questions that come while it is answered share the answer. */
    Future<Importances> answer(Experiment experiment) {
      Future<Importances> shared = underWay;
      if (shared != null) {
        return shared;
      }
      long total = experiment.trialCounts().getOrDefault(TrialStatus.SUCCEEDED, 0L);
      Future<Importances> fresh =
          past.between(known, Long.MAX_VALUE, this::read)
              .compose(read -> conclude(total))
              .onFailure(broken -> studies.remove(id, this));
      if (!fresh.isComplete()) {
        underWay = fresh;
        fresh.onComplete(done -> underWay = null);
      }
      return fresh;
    }

    private Future<Void> read(List<Entry> entries) {
      return threads
          .run(progress -> {
            for (Entry entry : entries) {
              if (entry instanceof Settled end) {
                take(end);
              }
            }
            return entries.getLast().ordinal();
          })
          .map(last -> {
            known = last;
            answer = null;
            return null;
          });
    }

    private void take(Settled end) {
      MetricValue result = end.result();
      if (end.status() == TrialStatus.SUCCEEDED && result != null) {
        evidence.put(end.trial().value(), end.parameters(), result.number());
      } else {
        evidence.drop(end.trial().value());
      }
    }

    private Future<Importances> conclude(long total) {
      Importances found = answer;
      if (found != null) {
        return Future.succeededFuture(found);
      }
      return threads.run(progress -> importances(total)).onSuccess(fresh -> answer = fresh);
    }

    private Importances importances(long total) {
      String reason = null;
      List<Importance> items = List.of();
      if (space.dimensions().isEmpty()) {
        reason = "The search space has no parameters.";
      } else if (evidence.size() < 2) {
        reason = "Two trials must have succeeded with a finite metric inside of the search space.";
      } else if (!evidence.varies()) {
        reason = "All results are the same.";
      } else {
        items =
            evidence.importance().stream()
                .map(share -> new Importance(share.path(), share.importance()))
                .toList();
        reason = items.isEmpty() ? "No parameter explains why the results differ." : null;
      }
      return new Importances(items, METHOD, evidence.size(), total, reason);
    }
  }
}
