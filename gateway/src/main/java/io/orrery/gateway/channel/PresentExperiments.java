package io.orrery.gateway.channel;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentEvent;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cache of the experiments that exist. A trial's token never expires, so a trial of a deleted
 * experiment may still report. An experiment is looked up once; after that the bus reports its
 * deletion. Belongs to the edge's event loop.
 */
final class PresentExperiments {
  private static final int MOST = 1_000;

  private final Bus bus;

  /** Those that were asked for last, and what came of it. */
  private final LinkedHashMap<ExperimentId, Known> known = new LinkedHashMap<>(16, 0.75f, true);

  private record Known(Future<Void> there, Bus.Subscription news) {}

  PresentExperiments(Bus bus) {
    this.bus = bus;
  }

  /**
   * Fails with NotFound when an experiment is not there. Where no owner answers, that is unknown:
   * then it is taken to be there, lest a result be lost.
   */
  Future<Void> check(ExperimentId experiment) {
    Known before = known.get(experiment);
    return before == null ? ask(experiment) : before.there();
  }

  private Future<Void> ask(ExperimentId experiment) {
    // Listening first, then asking: an end in between is heard of.
    Bus.Subscription news =
        bus.listen(
            Experiments.EVENTS.of(experiment),
            event -> {
              if (event instanceof ExperimentEvent.Deleted) {
                forget(experiment);
              }
            });
    Future<Experiment> answer = bus.request(Experiments.GET, new Experiments.Get(experiment));
    Future<Void> there =
        answer
            .<Void>mapEmpty()
            .recover(failure ->
                Problem.of(failure) instanceof Problem.NotFound
                    ? Future.failedFuture(failure)
                    : Future.succeededFuture());
    known.put(experiment, new Known(there, news));
    answer.onFailure(unknown -> forget(experiment));
    if (known.size() > MOST) {
      forget(known.firstEntry().getKey());
    }
    return there;
  }

  private void forget(ExperimentId experiment) {
    Known gone = known.remove(experiment);
    if (gone != null) {
      gone.news().cancel();
    }
  }

  /** Listens to nothing any more. */
  void close() {
    Map.copyOf(known).keySet().forEach(this::forget);
  }
}
