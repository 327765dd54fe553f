package io.orrery.orchestrator.action;

import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.digest.Sha256;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.StepWork;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an experiment to its end. Its id is made from run, step and attempt, so that an owner that
 * takes over finds the experiment that the one before has created.
 */
final class SearchWork implements ServerWork {
  private static final Logger LOG = LoggerFactory.getLogger(SearchWork.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final WorkContext context;
  private final StepWork.Search search;
  private final ExperimentId id;
  private final Promise<Map<String, String>> over = Promise.promise();
  private boolean canceled;
  private boolean left;

  SearchWork(WorkContext context, StepWork.Search search) {
    this.context = context;
    this.search = search;
    this.id = id(context);
  }

  private static ExperimentId id(WorkContext context) {
    String plain = "%s-%d-%d".formatted(context.run(), context.number(), context.attempt());
    return new ExperimentId(
        ExperimentId.valid(plain) ? plain : "step-" + Sha256.hex(plain).substring(0, 24));
  }

  @Override
  public Future<Map<String, String>> start() {
    if (canceled) {
      // An earlier owner of the run may have created it.
      look();
      return over.future();
    }
    context
        .bus()
        .request(
            Experiments.CREATE,
            new Experiments.Create(
                search.config(), search.base(), false, id, context.ownership(), false))
        .onSuccess(made -> look())
        .onFailure(failure -> {
          if (Problem.of(failure) instanceof Problem.Conflict) {
            look();
          } else {
            over.fail(failure);
          }
        });
    return over.future();
  }

  private void look() {
    if (left) {
      return;
    }
    context
        .bus()
        .request(Experiments.GET, new Experiments.Get(id))
        .onSuccess(found -> {
          if (!found.ownership().equals(context.ownership())) {
            over.tryFail(failed("the id %s of its experiment is not free".formatted(id)));
          } else if (found.status().isFinal()) {
            end(found);
          } else if (canceled && found.status() != ExperimentStatus.STOPPING) {
            stop();
          } else {
            lookAgain();
          }
        })
        .onFailure(failure -> {
          if (Problem.of(failure) instanceof Problem.NotFound) {
            over.tryFail(failure);
          } else {
            // A server that takes over answers later.
            lookAgain();
          }
        });
  }

  private void lookAgain() {
    if (!left) {
      context.clock().after(LOOK, this::look);
    }
  }

  private void end(Experiment found) {
    Experiment.Best best = found.best();
    if (canceled) {
      over.tryFail(failed("experiment " + id + " was stopped"));
    } else if (found.status() != ExperimentStatus.DONE) {
      String error = found.error();
      over.tryFail(
          failed(
              "experiment %s is %s%s"
                  .formatted(id, found.status(), error == null ? "" : ": " + error)));
    } else if (best == null) {
      over.tryFail(failed("no trial of experiment " + id + " has a result"));
    } else {
      Map<String, String> values = new LinkedHashMap<>();
      values.put("experiment", id.value());
      values.put("best.trial", best.trial().value());
      values.put("best.metric", best.metric().toJson());
      values.put("best.parameters", Json.write(best.parameters()));
      over.tryComplete(values);
    }
  }

  private static RuntimeException failed(String why) {
    return new Problem.Conflict(why).toException();
  }

  @Override
  public void leave() {
    left = true;
  }

  @Override
  public void cancel() {
    canceled = true;
  }

  /** Asks for the end, and looks again: until it has ended, or is gone. */
  private void stop() {
    context
        .bus()
        .request(Experiments.COMMAND, new Experiments.Command(id, Experiments.Action.STOP))
        .onFailure(
            failure -> LOG.warn("could not stop experiment {}: {}", id, failure.getMessage()))
        .onComplete(asked -> lookAgain());
  }
}
