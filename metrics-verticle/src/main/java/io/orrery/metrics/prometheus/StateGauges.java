package io.orrery.metrics.prometheus;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Experiments;
import io.orrery.core.experiment.Experiment;
import io.orrery.core.experiment.ExperimentStatus;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of experiments and trials by state. They are counted from the list of all experiments
 * when a scrape follows a change, so nothing is kept of finished experiments, and a missed event
 * makes one scrape stale, not all later ones. Belongs to one event loop; the numbers may be read on
 * any thread.
 */
public final class StateGauges {
  private static final int PAGE = 1_000;

  private record Count(Map<ExperimentStatus, Long> experiments, Map<TrialStatus, Long> trials) {}

  private final Bus bus;
  private volatile Count count = new Count(Map.of(), Map.of());
  private boolean changed = true;
  private @Nullable Future<Void> counting;

  /** Begins to listen. */
  public StateGauges(Bus bus, Meters meters) {
    this.bus = bus;
    for (ExperimentStatus status : ExperimentStatus.values()) {
      meters.watch(
          "experiments",
          "status",
          word(status),
          "Experiments by status",
          this,
          census -> census.count.experiments().getOrDefault(status, 0L));
    }
    for (TrialStatus status : TrialStatus.values()) {
      meters.watch(
          "trials",
          "status",
          word(status),
          "Trials by status",
          this,
          census -> census.count.trials().getOrDefault(status, 0L));
    }
    bus.listen(Experiments.NEWS, news -> changed = true);
  }

  /** Brings the numbers up to date. */
  public Future<Void> refresh() {
    Future<Void> going = counting;
    if (going == null && changed) {
      changed = false;
      going =
          count(new Count(new EnumMap<>(ExperimentStatus.class), new EnumMap<>(TrialStatus.class)))
              .onFailure(lost -> changed = true)
              .eventually(() -> {
                counting = null;
                return Future.succeededFuture();
              });
      counting = going.isComplete() ? null : going;
    }
    return going == null ? Future.succeededFuture() : going;
  }

  private Future<Void> count(Count sum) {
    return AsyncLoop.pages(cursor ->
            bus.request(Experiments.LIST, Experiments.ListAll.of(cursor, PAGE))
                .map(page -> {
                  page.items().forEach(experiment -> add(experiment, sum));
                  return page.next();
                }))
        .onSuccess(all -> count = sum);
  }

  private static void add(Experiment experiment, Count sum) {
    sum.experiments().merge(experiment.status(), 1L, Long::sum);
    experiment
        .trialCounts()
        .forEach((status, trials) -> sum.trials().merge(status, trials, Long::sum));
  }

  private static String word(Enum<?> status) {
    return status.name().toLowerCase(Locale.ROOT);
  }
}
