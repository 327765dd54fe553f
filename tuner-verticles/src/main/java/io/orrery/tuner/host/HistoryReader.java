package io.orrery.tuner.host;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Trials;
import io.orrery.core.bus.contract.Trials.Entry;
import io.orrery.core.bus.contract.Trials.ReadHistory;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.problem.Problem;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads what has happened in an experiment, page by page, so that a long history is never in memory
 * whole.
 */
final class HistoryReader {
  private static final int PAGE = 1_000;

  private final Bus bus;
  private final HistoryReadLimiter room;
  private final ExperimentId experiment;
  private boolean closed;

  HistoryReader(Bus bus, HistoryReadLimiter room, ExperimentId experiment) {
    this.bus = bus;
    this.room = room;
    this.experiment = experiment;
  }

  /**
   * Hands on the entries up to an ordinal, in their order; the next page when the one before has
   * been taken in.
   */
  Future<Void> through(long ordinal, Function<List<Entry>, Future<Void>> page) {
    return between(0, ordinal, page);
  }

  /** The same for those after one that is known. */
  Future<Void> between(long known, long ordinal, Function<List<Entry>, Future<Void>> listener) {
    return AsyncLoop.iterate(
        known,
        from ->
            from >= ordinal
                ? Future.succeededFuture(Optional.empty())
                : page(from, ordinal, listener));
  }

  /** Completes with the ordinal that the next page follows. */
  private Future<Optional<Long>> page(
      long known, long ordinal, Function<List<Entry>, Future<Void>> listener) {
    ReadHistory next = new ReadHistory(experiment, known, PAGE);
    return room.read(
            ordinal - known,
            () -> closed ? Future.failedFuture(unwanted()) : bus.request(Trials.HISTORY, next))
        .compose(page -> {
          List<Entry> entries = page.entries();
          if (entries.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
          }
          return listener
              .apply(entries.stream().filter(entry -> entry.ordinal() <= ordinal).toList())
              .map(taken -> Optional.of(entries.getLast().ordinal()));
        });
  }

  /** Ends the reading: a reader fails at the next page, and leaves its seat. */
  void close() {
    closed = true;
  }

  private Throwable unwanted() {
    return new Problem.Conflict("no tuner reads the history of " + experiment + " any more")
        .toException();
  }
}
