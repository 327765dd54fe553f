package io.orrery.gateway.trial;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An iteration over an experiment's trials by sequence id, page by page. */
public final class TrialWalk {
  private static final int PAGE = 100;

  private final Bus bus;
  private final ExperimentId experiment;
  private final @Nullable TrialStatus status;
  private final List<TrialCondition> where;
  private final Function<List<Trial>, Future<Void>> taker;
  private final Promise<Void> done = Promise.promise();

  private TrialWalk(
      Bus bus,
      ExperimentId experiment,
      @Nullable TrialStatus status,
      List<TrialCondition> where,
      Function<List<Trial>, Future<Void>> taker) {
    this.bus = bus;
    this.experiment = experiment;
    this.status = status;
    this.where = where;
    this.taker = taker;
  }

  /**
   * Hands over page after page, the next one when {@code taker} is done with the one before.
   * Completes after the last.
   *
   * @param status only these, null for all
   * @param where all of these must hold
   */
  public static Future<Void> over(
      Bus bus,
      ExperimentId experiment,
      @Nullable TrialStatus status,
      List<TrialCondition> where,
      Function<List<Trial>, Future<Void>> taker) {
    TrialWalk walk = new TrialWalk(bus, experiment, status, where, taker);
    walk.next(null);
    return walk.done.future();
  }

  /** A loop on one promise: a chain as long as the experiment would end in a stack as deep. */
  private void next(@Nullable String cursor) {
    var wanted =
        new Trials.ListSome(
            experiment, status, "sequenceId", null, where, cursor, null, false, PAGE);
    bus.request(Trials.LIST, wanted)
        .compose(page -> taker.apply(page.items()).map(page))
        .onSuccess(page -> {
          if (page.next() == null) {
            done.complete();
          } else {
            next(page.next());
          }
        })
        .onFailure(done::fail);
  }
}
