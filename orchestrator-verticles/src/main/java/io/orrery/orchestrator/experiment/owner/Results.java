package io.orrery.orchestrator.experiment.owner;

import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.metric.MetricKind;
import io.orrery.core.metric.MetricPoint;
import io.orrery.orchestrator.experiment.model.ExperimentModel;
import io.orrery.orchestrator.experiment.model.Occurrence;
import io.orrery.orchestrator.experiment.store.TrialTable;
import io.orrery.orchestrator.trial.TrialLife.Phase;
import io.orrery.orchestrator.trial.TrialState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The final results from the metric log: of trials that have ended, of finished parameter sets, and
 * late ones of settled trials. A late result starts a search for the best trial.
 */
public final class Results {
  private static final Logger LOG = LoggerFactory.getLogger(Results.class);

  /** Pause before the best trial is looked for again. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** So many of the last entries of the history are looked at for results that came late. */
  private static final long LOOKED_AT_AGAIN = 1_000;

  private final ExperimentServices services;
  private final ExperimentId id;
  private final ExperimentModel model;
  private final StateWriter writer;
  private final TrialTable trials;
  private final ResultCollector line;
  private final Consumer<Occurrence> happen;
  private final Function<Occurrence, Future<Void>> happenFor;

  /** The search for the best trial that is under way, or was last. */
  private Future<Void> bestKnown = Future.succeededFuture();

  private boolean closed;

  /**
   * @param line told of results of trials that have not ended
   * @param happenFor completes when what followed from it is durable
   */
  Results(
      ExperimentServices services,
      ExperimentId id,
      ExperimentModel model,
      StateWriter writer,
      TrialTable trials,
      ResultCollector line,
      Consumer<Occurrence> happen,
      Function<Occurrence, Future<Void>> happenFor) {
    this.services = services;
    this.id = id;
    this.model = model;
    this.writer = writer;
    this.trials = trials;
    this.line = line;
    this.happen = happen;
    this.happenFor = happenFor;
  }

  /** The news of results that came late may have been lost with the server before. */
  void lookAgain() {
    trials
        .withoutResult(id, model.nextOrdinal() - LOOKED_AT_AGAIN)
        .onSuccess(attempts -> attempts.forEach(this::lookAgain))
        .onFailure(failure -> LOG.warn("could not look for late results of {}", id, failure));
  }

  private void lookAgain(AttemptRef attempt) {
    services
        .bus()
        .request(Metrics.FINAL, new Metrics.FinalOf(attempt))
        .onSuccess(answer -> {
          MetricPoint point = answer.point();
          if (point != null) {
            heard(point);
          }
        })
        .onFailure(failure -> LOG.warn("could not read the result of {}", attempt, failure));
  }

  /** These points are durable. */
  void stored(List<MetricPoint> points) {
    for (MetricPoint point : points) {
      if (point.kind() == MetricKind.FINAL) {
        heard(point);
      }
    }
  }

  private void heard(MetricPoint point) {
    AttemptRef attempt = point.attempt();
    Optional<TrialState> moving = model.moving(attempt.trial().trial());
    if (moving.isEmpty()) {
      late(point);
    } else if (model.isSettling(attempt) || model.awaitsResult(attempt)) {
      // Its result is being asked for: the answer may be older than this.
      happen.accept(new Occurrence.ResultCollected(attempt, point.value(), point.parameterId()));
    } else if (isNews(moving.get(), point)
        && moving.get().sets().hasGoneOnFrom(point.parameterId())) {
      happen.accept(new Occurrence.LateResult(moving.get(), point.value(), point.parameterId()));
    } else if (model.isMoving(attempt)) {
      line.heard(point);
    }
  }

  /** Whether a final result is of a trial's present attempt, and not known of it. */
  private boolean isNews(TrialState trial, MetricPoint point) {
    return trial.attempt().equals(point.attempt())
        && !model
            .spec()
            .search()
            .objectives()
            .counted(point.value())
            .equals(trial.sets().resultOf(point.parameterId()));
  }

  /**
   * A final result for a trial that has settled: news only when the table does not have it yet,
   * which is looked at when its end is durable.
   *
   * @return completes when the experiment knows all that follows from it, its best trial as well:
   *     an owner that was woken for this may go then
   */
  Future<Void> late(MetricPoint point) {
    AttemptRef attempt = point.attempt();
    return writer
        .stored(attempt.trial())
        .compose(found -> {
          Optional<TrialState> news =
              found
                  .filter(trial -> trial.phase() == Phase.SETTLED)
                  .filter(trial -> isNews(trial, point))
                  .filter(trial -> model.moving(attempt.trial().trial()).isEmpty());
          return news.isEmpty()
              ? Future.<Void>succeededFuture()
              : happenFor
                  .apply(new Occurrence.LateResult(news.get(), point.value(), point.parameterId()))
                  .compose(durable -> bestKnown);
        })
        .onFailure(failure -> LOG.warn("could not store a late result of {}", attempt, failure));
  }

  /** Looks the best trial up in the table, for as long as it takes. */
  void findBest() {
    Promise<Void> found = Promise.promise();
    bestKnown = found.future();
    findBest(found);
  }

  private void findBest(Promise<Void> found) {
    trials
        .best(id, model.spec().search().direction())
        .compose(best -> happenFor.apply(new Occurrence.BestFound(best.orElse(null))))
        .onSuccess(found::complete)
        .onFailure(failure -> {
          LOG.warn("could not look up the best trial of experiment {}, trying again", id, failure);
          if (closed) {
            found.complete();
          } else {
            services.clock().after(PAUSE, () -> findBest(found));
          }
        });
  }

  /**
   * Looks for nothing more; who waits for the best trial waits no longer than for one more look.
   */
  void close() {
    closed = true;
  }
}
