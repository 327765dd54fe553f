package io.orrery.metrics.store;

import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.TrialId;
import io.orrery.core.trial.TrialRef;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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

  /**
   * All points, as {@link MetricLog#lastAttempts}.
   *
   * @param trials 1 or more
   * @param unmoved of each, all at one moment
   */
  <T> Future<List<T>> everything(
      ExperimentId experiment,
      List<TrialId> trials,
      List<Journal.Unmoved> unmoved,
      Function<List<MetricPoint>, T> each) {
    long from = unmoved.getFirst().from();
    long before = unmoved.getFirst().before();
    return chunks
        .lastAttempts(experiment, trials, from, before)
        .compose(inChunks -> {
          List<AttemptRef> last = new ArrayList<>(trials.size());
          for (int i = 0; i < trials.size(); i++) {
            TrialRef trial = new TrialRef(experiment, trials.get(i));
            int moved = inChunks.getOrDefault(trial.trial(), 0);
            last.add(new AttemptRef(trial, Math.max(moved, unmoved.get(i).attempt())));
          }
          return chunks
              .points(experiment, last, from, before)
              .compose(moved ->
                  bytes(moved, unmoved) <= FEW_BYTES
                      ? Future.succeededFuture(decoded(last, moved, unmoved, each))
                      : workers.executeBlocking(() -> decoded(last, moved, unmoved, each), false));
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
        .lastAttempts(trial.experiment(), List.of(trial.trial()), unmoved.from(), unmoved.before())
        .map(inChunks -> Math.max(inChunks.getOrDefault(trial.trial(), 0), unmoved.attempt()));
  }

  private static long bytes(Map<AttemptRef, List<byte[]>> moved, List<Journal.Unmoved> unmoved) {
    long bytes = 0;
    for (List<byte[]> chunks : moved.values()) {
      for (byte[] chunk : chunks) {
        bytes += chunk.length;
      }
    }
    for (Journal.Unmoved one : unmoved) {
      for (Tail.Slice slice : one.slices()) {
        bytes += slice.length();
      }
    }
    return bytes;
  }

  private static <T> List<T> decoded(
      List<AttemptRef> attempts,
      Map<AttemptRef, List<byte[]>> moved,
      List<Journal.Unmoved> unmoved,
      Function<List<MetricPoint>, T> each) {
    List<T> wanted = new ArrayList<>(attempts.size());
    for (int i = 0; i < attempts.size(); i++) {
      AttemptRef attempt = attempts.get(i);
      List<byte[]> chunks = moved.getOrDefault(attempt, List.of());
      wanted.add(each.apply(decoded(attempt, chunks, unmoved.get(i))));
    }
    return wanted;
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
