package io.orrery.gateway.trial;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.trial.Trial;
import io.orrery.core.trial.TrialCondition;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An iteration over an experiment's trials by sequence id, page by page. */
public final class TrialWalk {
  private static final int PAGE = 100;

  private TrialWalk() {}

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
    return AsyncLoop.pages(cursor ->
        bus.request(
                Trials.LIST,
                new Trials.ListSome(
                    experiment, status, "sequenceId", null, where, cursor, null, false, PAGE))
            .compose(page -> taker.apply(page.items()).map(taken -> page.next())));
  }
}
