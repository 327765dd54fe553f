package io.orrery.metrics.store;

import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.TrialRef;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the last attempt of a trial has reported: its chunks, and then what is not in chunks.
 */
final class TrialReader {
  private static final MetricLog.Stretch NOTHING =
      new MetricLog.Stretch(List.of(), Optional.empty());

  /** So much is decoded at once: the way to another thread and back would cost more. */
  private static final int FEW_BYTES = 8 * 1024;

  private final ChunkTable chunks;
  private final WorkerExecutor workers;

  TrialReader(ChunkTable chunks, WorkerExecutor workers) {
    this.chunks = chunks;
    this.workers = workers;
  }

  /** All points, as {@link MetricLog#lastAttempt}. */
  Future<List<MetricPoint>> everything(TrialRef trial, Journal.Unmoved unmoved) {
    return lastAttempt(trial, unmoved)
        .compose(last -> {
          AttemptRef attempt = new AttemptRef(trial, last);
          return chunks
              .points(attempt, unmoved.from(), unmoved.before())
              .compose(moved ->
                  bytes(moved, unmoved) <= FEW_BYTES
                      ? Future.succeededFuture(decoded(attempt, moved, unmoved))
                      : workers.executeBlocking(() -> decoded(attempt, moved, unmoved), false));
        });
  }

  /** One page, as {@link MetricLog#attemptSince}. */
  Future<MetricLog.Stretch> page(
      TrialRef trial, @Nullable Place read, Journal.Unmoved unmoved, int maxPoints) {
    return lastAttempt(trial, unmoved)
        .compose(last -> {
          if (last == 0) {
            return Future.succeededFuture(NOTHING);
          }
          Place from = read == null || read.attempt() != last ? new Place(last, 0, 0) : read;
          AttemptRef attempt = new AttemptRef(trial, last);
          List<MetricPoint> points = new ArrayList<>();
          return new AttemptReader(
                  chunks,
                  workers,
                  attempt,
                  unmoved.of(last),
                  from,
                  maxPoints,
                  in -> points.add(in.present(attempt)))
              .read()
              .map(place -> new MetricLog.Stretch(points, Optional.of(place.toString())));
        });
  }

  /** The numbers, as {@link MetricLog#columns}. */
  Future<Columns> columns(MetricLog.Known asked, Journal.Unmoved unmoved) {
    Columns known = asked.columns();
    if (known == null || known.era() != unmoved.era()) {
      return fresh(asked.trial(), unmoved)
          .recover(failure ->
              isRefused(failure) ? fresh(asked.trial(), unmoved) : Future.failedFuture(failure));
    }
    // What was moved since may be of an attempt that nobody has heard of here.
    Future<Integer> lastAttempt =
        known.upTo() == unmoved.before()
            ? Future.succeededFuture(Math.max(known.attempt(), unmoved.attempt()))
            : lastAttempt(asked.trial(), unmoved);
    return lastAttempt
        .compose(last ->
            readOn(
                asked.trial(),
                last == known.attempt() ? known : new Columns(last, unmoved.era()),
                unmoved))
        .recover(failure ->
            isRefused(failure) ? fresh(asked.trial(), unmoved) : Future.failedFuture(failure));
  }

  /** From the beginning; Refused when what was read becomes part of a rollup meanwhile. */
  private Future<Columns> fresh(TrialRef trial, Journal.Unmoved unmoved) {
    return lastAttempt(trial, unmoved)
        .compose(last -> readOn(trial, new Columns(last, unmoved.era()), unmoved));
  }

  /** What was read has become part of a rollup meanwhile. */
  private static boolean isRefused(Throwable failure) {
    return failure instanceof ProblemException known && known.problem() instanceof Problem.Refused;
  }

  private Future<Columns> readOn(TrialRef trial, Columns columns, Journal.Unmoved unmoved) {
    Journal.Unmoved own = unmoved.of(columns.attempt());
    if (columns.attempt() == 0 || columns.haveAll(own)) {
      columns.readTo(columns.place(), own.before());
      return Future.succeededFuture(columns);
    }
    AttemptRef attempt = new AttemptRef(trial, columns.attempt());
    return new AttemptReader(
            chunks,
            workers,
            attempt,
            own,
            columns.place(),
            Integer.MAX_VALUE,
            in -> columns.add(in, attempt))
        .read()
        .compose(place ->
            columns.inOrder()
                ? Future.succeededFuture(columns.readTo(place, own.before()))
                : workers.executeBlocking(() -> columns.readTo(place, own.before()), false));
  }

  /** The last attempt that has reported anything, 0 when none has. */
  private Future<Integer> lastAttempt(TrialRef trial, Journal.Unmoved unmoved) {
    return chunks
        .lastAttempt(trial, unmoved.from(), unmoved.before())
        .map(inChunks -> Math.max(inChunks, unmoved.attempt()));
  }

  private static long bytes(List<byte[]> moved, Journal.Unmoved unmoved) {
    return moved.stream().mapToLong(chunk -> chunk.length).sum()
        + unmoved.slices().stream().mapToLong(Tail.Slice::length).sum();
  }

  private static List<MetricPoint> decoded(
      AttemptRef attempt, List<byte[]> moved, Journal.Unmoved unmoved) {
    List<MetricPoint> points = new ArrayList<>();
    for (byte[] chunk : moved) {
      new Decoder(chunk).points(attempt, points);
    }
    if (attempt.number() == unmoved.attempt()) {
      for (Tail.Slice slice : unmoved.slices()) {
        new Decoder(slice.bytes(), 0, slice.length()).points(attempt, points);
      }
    }
    return points;
  }
}
