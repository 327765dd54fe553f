package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the last attempt of a trial has reported: its chunks, and then what is not in chunks.
 */
final class TrialReader {
  private static final MetricLog.Stretch NOTHING =
      new MetricLog.Stretch(List.of(), Optional.empty());

  /** So much is decoded at once: the way to another thread and back would cost more. */
  private static final int FEW_BYTES = 8 * 1024;

  /** Of chunks, not more are in memory at once. */
  private static final long MUCH_BYTES = 2L << 20;

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
      Collector<MetricPoint, ?, T> wanted) {
    long from = unmoved.getFirst().from();
    long before = unmoved.getFirst().before();
    return chunks
        .lastAttempts(experiment, trials, from, before)
        .compose(inChunks -> {
          List<Asked> asked = new ArrayList<>(trials.size());
          for (int i = 0; i < trials.size(); i++) {
            TrialRef trial = new TrialRef(experiment, trials.get(i));
            ChunkTable.Last moved = inChunks.getOrDefault(trial.trial(), ChunkTable.Last.NONE);
            int last = Math.max(moved.attempt(), unmoved.get(i).attempt());
            asked.add(new Asked(new AttemptRef(trial, last), unmoved.get(i), moved.bytes()));
          }
          return groupByGroup(asked, wanted, new ArrayList<>(trials.size()));
        });
  }

  /**
   * A trial of a request for several trials.
   *
   * @param bytes of its chunks
   */
  private record Asked(AttemptRef last, Journal.Unmoved unmoved, long bytes) {}

  /**
   * With one question for as many as fit into memory together, and their chunks one by one else.
   */
  private <T> Future<List<T>> groupByGroup(
      List<Asked> asked, Collector<MetricPoint, ?, T> wanted, List<T> results) {
    if (asked.isEmpty()) {
      return Future.succeededFuture(results);
    }
    int count = 0;
    long bytes = 0;
    while (count < asked.size() && bytes + asked.get(count).bytes() <= MUCH_BYTES) {
      bytes += asked.get(count++).bytes();
    }
    int done = Math.max(1, count);
    Future<List<T>> group =
        count == 0
            ? chunkByChunk(asked.getFirst(), wanted).map(List::of)
            : together(asked.subList(0, count), wanted);
    return group.compose(some -> {
      results.addAll(some);
      return groupByGroup(asked.subList(done, asked.size()), wanted, results);
    });
  }

  private <T> Future<List<T>> together(List<Asked> asked, Collector<MetricPoint, ?, T> wanted) {
    Asked first = asked.getFirst();
    return chunks
        .points(
            first.last().trial().experiment(),
            asked.stream().map(Asked::last).toList(),
            first.unmoved().from(),
            first.unmoved().before())
        .compose(moved ->
            bytes(moved, asked) <= FEW_BYTES
                ? Future.succeededFuture(collected(asked, moved, wanted))
                : workers.executeBlocking(() -> collected(asked, moved, wanted), false));
  }

  private <A, T> Future<T> chunkByChunk(Asked asked, Collector<MetricPoint, A, T> wanted) {
    return collect(asked, wanted)
        .recover(
            failure -> isRefused(failure) ? collect(asked, wanted) : Future.failedFuture(failure));
  }

  private <A, T> Future<T> collect(Asked asked, Collector<MetricPoint, A, T> wanted) {
    AttemptRef attempt = asked.last();
    A all = wanted.supplier().get();
    return new AttemptReader(
            chunks,
            workers,
            attempt,
            asked.unmoved().of(attempt.number()),
            new ReadPosition(attempt.number(), 0, 0),
            Integer.MAX_VALUE,
            in -> wanted.accumulator().accept(all, in.present(attempt)))
        .read()
        .compose(end -> workers.executeBlocking(() -> wanted.finisher().apply(all), false));
  }

  /** One page, as {@link MetricLog#attemptSince}. */
  Future<MetricLog.Stretch> page(
      TrialRef trial, @Nullable ReadPosition read, Journal.Unmoved unmoved, int maxPoints) {
    return lastAttempt(trial, unmoved)
        .compose(last -> {
          if (last == 0) {
            return Future.succeededFuture(NOTHING);
          }
          ReadPosition from =
              read == null || read.attempt() != last ? new ReadPosition(last, 0, 0) : read;
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
    // A segment that was moved since may be of an attempt that is unknown here.
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
        .map(inChunks ->
            Math.max(
                inChunks.getOrDefault(trial.trial(), ChunkTable.Last.NONE).attempt(),
                unmoved.attempt()));
  }

  private static long bytes(Map<AttemptRef, List<byte[]>> moved, List<Asked> asked) {
    long bytes = 0;
    for (List<byte[]> chunks : moved.values()) {
      for (byte[] chunk : chunks) {
        bytes += chunk.length;
      }
    }
    for (Asked one : asked) {
      for (ActiveSegment.Slice slice : one.unmoved().slices()) {
        bytes += slice.length();
      }
    }
    return bytes;
  }

  private static <A, T> List<T> collected(
      List<Asked> asked, Map<AttemptRef, List<byte[]>> moved, Collector<MetricPoint, A, T> wanted) {
    List<T> results = new ArrayList<>(asked.size());
    for (Asked one : asked) {
      AttemptRef attempt = one.last();
      A all = wanted.supplier().get();
      Consumer<MetricPoint> each = point -> wanted.accumulator().accept(all, point);
      for (byte[] chunk : moved.getOrDefault(attempt, List.of())) {
        new Decoder(chunk).points(attempt, each);
      }
      if (attempt.number() == one.unmoved().attempt()) {
        for (ActiveSegment.Slice slice : one.unmoved().slices()) {
          new Decoder(slice.bytes(), 0, slice.length()).points(attempt, each);
        }
      }
      results.add(wanted.finisher().apply(all));
    }
    return results;
  }
}
