package io.orrery.metrics.store;

import io.orrery.core.experiment.ExperimentId;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.trial.AttemptRef;
import io.orrery.core.trial.TrialRef;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tables that the log is moved into: every question about one attempt is a key look-up. */
final class ChunkTable {
  private static final Migrations MIGRATIONS =
      new Migrations("metrics", ChunkTable.class, List.of("0001-chunks.sql"));

  /** Chunks in one transaction; bounds its memory, and how long a deletion keeps others waiting. */
  private static final int GROUP = 100;

  private static final String SAVE_CHUNK =
      "insert into metric_chunk (experiment, trial, attempt, segment, points)"
          + " values (?, ?, ?, ?, ?)"
          + " on conflict (experiment, trial, attempt, segment)"
          + " do update set points = excluded.points";

  private static final String SAVE_ATTEMPT =
      "insert into metric_attempt (experiment, trial, attempt, seen, result)"
          + " values (?, ?, ?, ?, ?)"
          + " on conflict (experiment, trial, attempt)"
          + " do update set seen = excluded.seen, result = excluded.result";

  private record Key(String trial, long attempt, long segment) {}

  private final Store store;
  private final Supplier<Future<Void>> letGo;

  /**
   * @param letGo what is done with the store in the end
   */
  ChunkTable(Store store, Supplier<Future<Void>> letGo) {
    this.store = store;
    this.letGo = letGo;
  }

  Future<Void> migrate() {
    return MIGRATIONS.apply(store);
  }

  /** The offset before which the log is in chunks. */
  Future<Long> moved() {
    return store
        .read(Statement.of("select upto from metric_moved"), row -> row.integer("upto"))
        .map(List::getFirst);
  }

  /**
   * Stores the chunks of a segment, and only then notes that it has been moved. Doing it again, or
   * again after a part was done, changes nothing.
   */
  Future<Void> save(List<Chunk> chunks, long upto) {
    List<Future<Void>> writes = new ArrayList<>();
    for (int from = 0; from < chunks.size(); from += GROUP) {
      List<Statement> group = new ArrayList<>(2 * GROUP);
      for (Chunk chunk : chunks.subList(from, Math.min(chunks.size(), from + GROUP))) {
        AttemptRef attempt = chunk.points().attempt();
        String experiment = attempt.trial().experiment().value();
        String trial = attempt.trial().trial().value();
        group.add(
            Statement.of(
                SAVE_CHUNK,
                experiment,
                trial,
                attempt.number(),
                chunk.points().segment(),
                chunk.points().toBytes()));
        group.add(
            Statement.of(
                SAVE_ATTEMPT,
                experiment,
                trial,
                attempt.number(),
                chunk.seen(),
                encoded(chunk.result())));
      }
      writes.add(store.write(group));
    }
    return Future.all(writes)
        .compose(
            done -> store.write(List.of(Statement.of("update metric_moved set upto = ?", upto))));
  }

  /** What is known of an attempt; empty when nothing. */
  Future<Optional<AttemptState>> state(AttemptRef attempt) {
    return store
        .read(
            Statement.of(
                "select seen, result from metric_attempt"
                    + " where experiment = ? and trial = ? and attempt = ?",
                attempt.trial().experiment().value(),
                attempt.trial().trial().value(),
                attempt.number()),
            row -> AttemptState.of(attempt, row.blob("seen"), row.blobOrNull("result")))
        .map(rows -> rows.stream().findFirst());
  }

  /** The last attempt of a trial that has points before an offset, 0 when there is none. */
  Future<Integer> lastAttempt(TrialRef trial, long before) {
    return store
        .read(
            Statement.of(
                "select coalesce(max(attempt), 0) as last from metric_chunk"
                    + " where experiment = ? and trial = ? and segment < ?",
                trial.experiment().value(),
                trial.trial().value(),
                before),
            row -> (int) row.integer("last"))
        .map(List::getFirst);
  }

  /** The encoded points of an attempt from before an offset, in the log's order. */
  Future<List<byte[]>> points(AttemptRef attempt, long before) {
    return store.read(
        Statement.of(
            "select points from metric_chunk"
                + " where experiment = ? and trial = ? and attempt = ? and segment < ?"
                + " order by segment",
            attempt.trial().experiment().value(),
            attempt.trial().trial().value(),
            attempt.number(),
            before),
        row -> row.blob("points"));
  }

  /** The first chunk of an attempt from a segment on; none when it would be behind an offset. */
  Future<Optional<Tail.Slice>> next(AttemptRef attempt, long from, long before) {
    return store
        .read(
            Statement.of(
                "select segment, points from metric_chunk"
                    + " where experiment = ? and trial = ? and attempt = ?"
                    + " and segment >= ? and segment < ? order by segment limit 1",
                attempt.trial().experiment().value(),
                attempt.trial().trial().value(),
                attempt.number(),
                from,
                before),
            row -> {
              byte[] points = row.blob("points");
              return new Tail.Slice(attempt, row.integer("segment"), points, points.length);
            })
        .map(rows -> rows.stream().findFirst());
  }

  /** Deletes an experiment bit by bit, so that no other write waits long. */
  Future<Void> delete(ExperimentId experiment) {
    return deleteSome(
            experiment,
            "select trial, attempt, segment from metric_chunk where experiment = ? limit " + GROUP,
            "delete from metric_chunk"
                + " where experiment = ? and trial = ? and attempt = ? and segment = ?")
        .compose(done ->
            deleteSome(
                experiment,
                "select trial, attempt, 0 as segment from metric_attempt"
                    + " where experiment = ? limit "
                    + GROUP,
                "delete from metric_attempt where experiment = ? and trial = ? and attempt = ?"
                    + " and 0 = ?"));
  }

  private Future<Void> deleteSome(ExperimentId experiment, String find, String delete) {
    return store
        .read(
            Statement.of(find, experiment.value()),
            row -> new Key(row.text("trial"), row.integer("attempt"), row.integer("segment")))
        .compose(keys ->
            keys.isEmpty()
                ? Future.succeededFuture()
                : store
                    .write(
                        keys.stream()
                            .map(key ->
                                Statement.of(
                                    delete,
                                    experiment.value(),
                                    key.trial(),
                                    key.attempt(),
                                    key.segment()))
                            .toList())
                    .compose(done -> deleteSome(experiment, find, delete)));
  }

  Future<Void> close() {
    return letGo.get();
  }

  private static byte @Nullable [] encoded(@Nullable MetricPoint point) {
    if (point == null) {
      return null;
    }
    Encoder out = new Encoder(128);
    out.point(point);
    return out.toBytes();
  }
}
