package io.orrery.tuner.host;

import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.Settled;
import io.orrery.core.bus.contract.Trials.Suggested;
import io.orrery.core.bus.contract.Tuners.Suggestion;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes a tuner and tells it the past. */
final class Replay {
  private final HistoryReader past;
  private final AlgorithmThreads threads;
  private final HostedTuner.Opening opening;

  Replay(HistoryReader past, AlgorithmThreads threads, HostedTuner.Opening opening) {
    this.past = past;
    this.threads = threads;
    this.opening = opening;
  }

  /**
   * A tuner that knows the past.
   *
   * @param through the last ordinal of it
   * @param unrecorded suggestions that may not be in the history yet
   */
  Future<HostedTuner> run(long through, Collection<Suggestion> unrecorded) {
    List<Suggestion> pending = List.copyOf(unrecorded);
    return opening
        .prepared()
        .compose(ready -> threads.run(progress -> ready.open(through > 0 || !pending.isEmpty())))
        .compose(
            tuner -> tell(tuner, through, pending).map(tuner).onFailure(failure -> tuner.close()));
  }

  /** Ends one that is running, at its next page. */
  void close() {
    past.close();
  }

  private Future<?> tell(HostedTuner tuner, long through, List<Suggestion> pending) {
    Set<String> recorded = new HashSet<>();
    return past.through(through, entries -> page(tuner, entries, recorded))
        .compose(told ->
            threads.run(progress -> {
              for (Suggestion suggestion : pending) {
                if (!recorded.contains(suggestion.parameterId())) {
                  tuner.remember(suggestion);
                  progress.run();
                }
              }
              return tuner;
            }));
  }

  private Future<Void> page(HostedTuner tuner, List<Entry> entries, Set<String> recorded) {
    return threads
        .run(progress -> {
          for (Entry entry : entries) {
            switch (entry) {
              case Suggested suggested -> remember(tuner, suggested, recorded);
              case Settled settled -> tuner.learn(settled);
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
  private static void remember(HostedTuner tuner, Suggested suggested, Set<String> recorded)
      throws Exception {
    String id = suggested.parameterId();
    if (id != null && recorded.add(id)) {
      tuner.remember(new Suggestion(id, suggested.parameters()));
    }
  }
}
