package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Trials.Suggested;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.orrery.tuner.search.Result;
import io.orrery.tuner.search.Setting;
import io.orrery.tuner.search.Tuner;
import io.orrery.tuner.search.TunerFactory;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes a tuner and tells it the past. Entries that do not fit the space, because it was another
 * one then, are left out.
 */
final class Replay {
  private final Past past;
  private final AlgorithmThreads threads;
  private final TunerFactory factory;
  private final Setting setting;

  Replay(Past past, AlgorithmThreads threads, TunerFactory factory, Setting setting) {
    this.past = past;
    this.threads = threads;
    this.factory = factory;
    this.setting = setting;
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
    return threads
        .run(progress -> factory.open(setting))
        .compose(tuner ->
            past.through(through, entries -> page(tuner, entries, recorded)).map(told -> tuner))
        .compose(tuner ->
            threads.run(progress -> {
              pending.stream()
                  .filter(suggestion -> !recorded.contains(suggestion.parameterId()))
                  .forEach(suggestion -> {
                    tuner.remember(suggestion);
                    progress.run();
                  });
              return tuner;
            }));
  }

  private Future<Void> page(Tuner tuner, List<Entry> entries, Set<String> recorded) {
    return threads
        .run(progress -> {
          for (Entry entry : entries) {
            switch (entry) {
              case Suggested suggested -> remember(tuner, suggested, recorded);
              case Settled settled -> learn(tuner, settled);
            }
            progress.run();
          }
          return tuner;
        })
        .mapEmpty();
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
