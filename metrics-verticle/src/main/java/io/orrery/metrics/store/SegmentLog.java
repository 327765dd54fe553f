package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.problem.Outcome;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.sql.SqliteStore;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * The log: files of one directory, or tables of a database ({@link LogPlace}). What follows speaks
 * of files; in a database a frame is a row and its commit is the sync.
 *
 * <h2>Two places for a point</h2>
 *
 * A sync costs milliseconds whatever is in it, and thousands of trials report at once. So there is
 * one log for all, and a point is acknowledged when the log has it. But a shared log cannot answer
 * what one trial has reported, nor give back the disk of one experiment. So the log is short: when
 * a file is full, its points, sorted by attempt, become chunks in tables whose key is the attempt
 * ({@link ChunkTable}), and later the file is deleted. This is a log-structured merge tree of one
 * level (O'Neil et al., 1996), with SQLite as the tree.
 *
 * <p>What is not in chunks yet is in memory as well ({@link ActiveSegment}), encoded, at most
 * {@link LogLimits#waitingSegments} files and the one that is written. An answer about a trial is
 * its chunks and then its part of the tails. Memory and the time to open the log thus follow from
 * the limits and not from what was ever reported.
 *
 * <h2>One writer</h2>
 *
 * Every call becomes a {@link LogTask} in one queue. The writer thread takes all that wait, lets
 * each do its work on the {@link Journal}, writes one frame, syncs once, and then completes the
 * callers in their order; while it waits for the disk, the next group gathers. A question is a turn
 * too: that is all there is to "sees everything that was handed in before". When a group has no new
 * points there is nothing to write, and questions cost no sync.
 *
 * <h2>Repetitions</h2>
 *
 * The writer knows the ordinals of the attempts that report as ranges ({@link AttemptState}). They
 * are stored with each chunk. Reopening reads the log behind the chunks and so completes them; a
 * state that is dropped for lack of room is in the tables as a whole.
 *
 * <h2>Failure</h2>
 *
 * A crash may tear the last frame, which was never acknowledged: it is cut off ({@link Frames}
 * tells how this is known). When a write or a sync fails, what is in the file is not known, and
 * asking again does not make it known: Linux reports a lost page once (Rebello et al., "Can
 * applications recover from fsync failures?", 2020). So the callers are told that it failed, the
 * frame is kept, and with the next call the file is cut off behind what is known to be durable and
 * the frame is written anew ({@link Journal#syncAgain}); until that works everything is refused.
 * Moving points into chunks is different: the log has them, so it is tried until it works, and
 * appends are refused as Busy meanwhile if too much waits.
 *
 * <h2>Forgetting</h2>
 *
 * An entry in the log hides what the experiment had before it, and that is all that the caller
 * waits for; the mover then deletes the chunks of the segments before, a piece at a time ({@link
 * Deletion}). It is begun in the order of the moves, and goes on after a crash, so nothing comes
 * back. Points that come meanwhile are in later segments and are not touched.
 *
 * <h2>Thinning out</h2>
 *
 * Of an attempt the chunks that are old become one with fewer points ({@link Thinning}). Since that
 * is a chunk, nothing that reads knows of it but the pages, whose places it must keep true.
 */
public final class SegmentLog implements MetricLog {
  private static final int READERS = 2;

  private final Vertx vertx;
  private final LogLimits limits;
  private final Segments segments;
  private final ChunkTable chunks;
  private final Compactor mover;
  private final Journal journal;
  private final LogWriter writer;
  private final WorkerExecutor readers;
  private final TrialReader reader;

  /** Whose thinning out is under way. */
  private final Set<Promise<Void>> thinning = ConcurrentHashMap.newKeySet();

  private SegmentLog(
      Vertx vertx,
      String name,
      Segments segments,
      ChunkTable chunks,
      LogLimits limits,
      Consumer<List<MetricPoint>> stored,
      LogWatch watch) {
    this.vertx = vertx;
    this.limits = limits;
    this.segments = segments;
    this.chunks = chunks;
    this.mover = new Compactor(chunks, segments, limits.keptSegments());
    this.journal = new Journal(segments, chunks, mover, limits, this::deleted);
    this.writer = new LogWriter(vertx, journal, mover, limits, stored, watch);
    this.readers = vertx.createSharedWorkerExecutor("metrics-read-" + name, READERS);
    this.reader = new TrialReader(chunks, readers);
  }

  /**
   * Opens the log of a place, and makes it when it is not there.
   *
   * @param stored told of new points after they became durable and before their callers are, in the
   *     order of the log, on the writer thread: it must not block
   * @param watch told of each commit
   * @param clock tells how old points are
   * @return fails with Broken, naming the place, when acknowledged points are damaged
   */
  public static Future<SegmentLog> open(
      Vertx vertx,
      LogPlace place,
      LogLimits limits,
      Consumer<List<MetricPoint>> stored,
      LogWatch watch,
      Clock clock) {
    Future<SegmentLog> made =
        switch (place) {
          case LogPlace.Files(Path directory) ->
              vertx.executeBlocking(
                  () -> {
                    Segments files = new SegmentFiles(directory);
                    Store own =
                        SqliteStore.openForLargeValues(vertx, directory.resolve("chunks.db"));
                    ChunkTable chunks = new ChunkTable(own, clock, false, own::close);
                    return new SegmentLog(
                        vertx, directory.toString(), files, chunks, limits, stored, watch);
                  },
                  false);
          case LogPlace.Tables(Store store) -> {
            TableSegments tables = new TableSegments(store);
            ChunkTable chunks = new ChunkTable(store, clock, true, Future::succeededFuture);
            yield tables
                .migrate()
                .map(ready ->
                    new SegmentLog(vertx, "tables", tables, chunks, limits, stored, watch));
          }
        };
    return made.compose(log ->
        log.writer
            .start()
            .map(log)
            .recover(failure -> log.close().transform(x -> Future.failedFuture(failure))));
  }

  /** Points that wait to become durable. */
  public int queuedPoints() {
    return writer.queuedPoints();
  }

  /** Their bytes, estimated from above. */
  public long queuedBytes() {
    return writer.queuedBytes();
  }

  /** Files of the log that wait to be moved into chunks. */
  public int waitingSegments() {
    return mover.waiting();
  }

  /** Experiments that are forgotten and of which something still takes disk. */
  public int deletions() {
    return journal.deletions();
  }

  @Override
  public Future<List<Outcome<Appended>>> appendAll(List<List<MetricPoint>> batches) {
    List<Batch> all = batches.stream().map(Batch::of).toList();
    int points = 0;
    long bytes = 0;
    for (Batch batch : all) {
      points += batch.points().size();
      bytes += batch.bytes();
    }
    if (points <= limits.queuedPoints() && bytes <= limits.queuedBytes()) {
      return writer.submit(all, points, bytes, () -> take(all));
    }
    return batches.size() == 1
        ? Future.succeededFuture(List.of(new Outcome.Undone<>(neverTaken(points))))
        : oneByOne(batches);
  }

  private Problem neverTaken(int points) {
    return new Problem.TooLarge(
        "a batch of "
            + points
            + " points can never be taken: at most "
            + limits.queuedPoints()
            + " points and "
            + limits.queuedBytes()
            + " bytes");
  }

  /** What would never find room together may find it one after the other. */
  private Future<List<Outcome<Appended>>> oneByOne(List<List<MetricPoint>> batches) {
    List<Future<Outcome<Appended>>> outcomes = new ArrayList<>(batches.size());
    for (List<MetricPoint> batch : batches) {
      outcomes.add(
          append(batch).transform(appended -> Future.succeededFuture(Outcome.of(appended))));
    }
    return Future.all(outcomes).map(CompositeFuture::list);
  }

  /** On the writer thread. */
  private LongFunction<List<Outcome<Appended>>> take(List<Batch> batches) throws TimeoutException {
    List<Outcome<Journal.Taken>> outcomes = new ArrayList<>(batches.size());
    for (Batch batch : batches) {
      Outcome<Journal.Taken> outcome = journal.take(batch);
      if (outcome instanceof Outcome.Done<Journal.Taken>(Journal.Taken taken)) {
        writer.took(taken.fresh());
      }
      outcomes.add(outcome);
    }
    return offset ->
        outcomes.stream()
            .map(one -> one.map(taken -> new Appended(taken.fresh(), taken.duplicates(), offset)))
            .toList();
  }

  @Override
  public Future<Optional<MetricPoint>> lastFinal(AttemptRef attempt) {
    return ask(() -> {
      Optional<MetricPoint> result = journal.lastFinal(attempt);
      return offset -> result;
    });
  }

  @Override
  public <T> Future<List<T>> lastAttempts(
      ExperimentId experiment, List<TrialId> trials, Collector<MetricPoint, ?, T> wanted) {
    return trials.isEmpty()
        ? Future.succeededFuture(List.of())
        : unmoved(trials.stream().map(trial -> new TrialRef(experiment, trial)).toList())
            .compose(unmoved -> reader.everything(experiment, trials, unmoved, wanted));
  }

  @Override
  public Future<Stretch> attemptSince(TrialRef trial, @Nullable String since, int maxPoints) {
    ReadPosition read;
    try {
      read = ReadPosition.parse(since);
    } catch (ProblemException e) {
      return Future.failedFuture(e);
    }
    return unmoved(List.of(trial))
        .compose(unmoved -> reader.page(trial, read, unmoved.getFirst(), maxPoints));
  }

  @Override
  public Future<List<Columns>> columns(List<Known> trials) {
    return unmoved(trials.stream().map(Known::trial).toList())
        .compose(unmoved -> {
          List<Future<Columns>> read = new ArrayList<>(trials.size());
          for (int i = 0; i < trials.size(); i++) {
            read.add(reader.columns(trials.get(i), unmoved.get(i)));
          }
          return Future.all(read).map(all -> all.<Columns>list());
        });
  }

  @Override
  public Future<Page> read(long cursor, int maxPoints) {
    long end = journal.durable();
    return readers.executeBlocking(() -> LogReader.read(segments, cursor, end, maxPoints), false);
  }

  @Override
  public Future<Void> forget(ExperimentId experiment) {
    return this.<Boolean>ask(
            () -> {
              journal.forget(experiment);
              return offset -> true;
            })
        .mapEmpty();
  }

  @Override
  public Future<Void> thinOut(ExperimentId experiment, Instant storedBefore, int points) {
    Promise<Void> done = Promise.promise();
    Context home = vertx.getOrCreateContext();
    thinning.add(done);
    mover.work(
        chunks.thinning(experiment, journal.historyFrom(experiment), storedBefore, points),
        () -> {
          journal.thinnedOut();
          thinning.remove(done);
          home.runOnContext(go -> done.tryComplete());
        });
    return done.future();
  }

  /**
   * Whether it can be written. Costs nothing while it could the last time; else it is tried.
   *
   * @return fails with why not
   */
  public Future<Void> probe() {
    return writer.broken() == null
        ? Future.succeededFuture()
        : this.<Boolean>ask(() -> offset -> true).mapEmpty();
  }

  @Override
  public Future<Void> close() {
    return writer
        .close()
        .onComplete(ended -> thinning.forEach(waiting -> waiting.tryFail("the log was closed")))
        .eventually(readers::close)
        .eventually(chunks::close);
  }

  private <T> Future<T> ask(LogTask.Work<T> work) {
    return writer.submit(List.of(), 0, 0, work);
  }

  private Future<List<Journal.Unmoved>> unmoved(List<TrialRef> trials) {
    return ask(() -> {
      List<Journal.Unmoved> unmoved = journal.unmoved(trials);
      return offset -> unmoved;
    });
  }

  /** Called by the mover: what was forgotten is gone. */
  private void deleted(Deletion.Begun history) {
    writer.insert(() -> {
      journal.deleted(history);
      return offset -> true;
    });
  }
}
