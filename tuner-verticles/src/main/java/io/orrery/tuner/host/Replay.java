package io.orrery.tuner.host;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.ReadHistory;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Trials.Suggested;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.core.experiment.ExperimentId;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes a tuner and tells it the past, page by page, so that a long history is never in memory
 * whole. Entries that do not fit the space, because it was another one then, are left out.
 */
final class Replay {
  private static final int PAGE = 1_000;

  private final Bus bus;
  private final WorkerExecutor pool;
  private final ExperimentId experiment;
  private final TunerFactory factory;
  private final Setting setting;

  Replay(
      Bus bus,
      WorkerExecutor pool,
      ExperimentId experiment,
      TunerFactory factory,
      Setting setting) {
    this.bus = bus;
    this.pool = pool;
    this.experiment = experiment;
    this.factory = factory;
    this.setting = setting;
  }

  /** For messages: the algorithm and its experiment. */
  String label() {
    return "tuner " + factory.description().name() + " of experiment " + experiment;
  }

  /**
   * A tuner that knows the past.
   *
   * @param through the last ordinal of it
   * @param unrecorded suggestions that may not be in the history yet
   */
  Future<Tuner> run(long through, Collection<Suggestion> unrecorded) {
    Set<String> recorded = new HashSet<>();
    List<Suggestion> pending = List.copyOf(unrecorded);
    return pool.executeBlocking(() -> factory.open(setting), false)
        .compose(tuner -> pages(tuner, 0, through, recorded))
        .compose(tuner ->
            pool.executeBlocking(
                () -> {
                  pending.stream()
                      .filter(suggestion -> !recorded.contains(suggestion.parameterId()))
                      .forEach(tuner::remember);
                  return tuner;
                },
                false));
  }

  private Future<Tuner> pages(Tuner tuner, long after, long through, Set<String> recorded) {
    if (after >= through) {
      return Future.succeededFuture(tuner);
    }
    return bus.request(Trials.HISTORY, new ReadHistory(experiment, after, PAGE))
        .compose(page -> {
          List<Entry> entries = page.entries();
          if (entries.isEmpty()) {
            return Future.succeededFuture(tuner);
          }
          return pool.executeBlocking(
                  () -> {
                    entries.stream()
                        .filter(entry -> entry.ordinal() <= through)
                        .forEach(entry -> apply(tuner, entry, recorded));
                    return tuner;
                  },
                  false)
              .compose(told -> pages(told, entries.getLast().ordinal(), through, recorded));
        });
  }

  private static void apply(Tuner tuner, Entry entry, Set<String> recorded) {
    switch (entry) {
      case Suggested suggested -> remember(tuner, suggested, recorded);
      case Settled settled -> learn(tuner, settled);
    }
  }

  /**
   * What a user planned is no suggestion: the tuner hears of it when it has ended, as it did live.
   */
  private static void remember(Tuner tuner, Suggested suggested, Set<String> recorded) {
    String id = suggested.parameterId();
    if (id != null && recorded.add(id) && tuner.fits(suggested.parameters())) {
      tuner.remember(new Suggestion(id, suggested.parameters()));
    }
  }

  /** Tells a tuner how a trial ended, when that can mean something to it. */
  static void learn(Tuner tuner, Settled settled) {
    if (tuner.fits(settled.parameters())) {
      double value = settled.result() == null ? Double.NaN : settled.result().number();
      tuner.learn(new Result(settled.parameterId(), settled.parameters(), value));
    }
  }
}
