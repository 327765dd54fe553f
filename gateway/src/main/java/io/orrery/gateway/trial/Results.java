package io.orrery.gateway.trial;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One walk over all trials of an experiment that succeeded with a result, in their order. */
final class Results {
  private static final int PAGE = 500;

  private final Bus bus;
  private final ExperimentId experiment;
  private final Promise<Void> done = Promise.promise();

  private Results(Bus bus, ExperimentId experiment) {
    this.bus = bus;
    this.experiment = experiment;
  }

  static Results of(Bus bus, ExperimentId experiment) {
    return new Results(bus, experiment);
  }

  /**
   * Hands over page after page, the next one when {@code taker} is done with the one before.
   * Completes after the last. (A loop on one promise: a chain of futures as long as the experiment
   * would end in a stack as deep.)
   */
  Future<Void> each(Function<List<Trial>, Future<Void>> taker) {
    next(null, taker);
    return done.future();
  }

  private void next(@Nullable String cursor, Function<List<Trial>, Future<Void>> taker) {
    Trials.ListSome question =
        new Trials.ListSome(experiment, TrialStatus.SUCCEEDED, "sequenceId", null, cursor, PAGE);
    bus.request(Trials.LIST, question)
        .compose(page ->
            taker.apply(page.items().stream().filter(t -> t.metric() != null).toList()).map(page))
        .onSuccess(page -> {
          if (page.next() == null) {
            done.complete();
          } else {
            next(page.next(), taker);
          }
        })
        .onFailure(done::fail);
  }
}
