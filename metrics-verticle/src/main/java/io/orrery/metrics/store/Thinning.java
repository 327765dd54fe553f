package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Replaces the old chunks of an experiment's attempts by one each that has fewer points ({@link
 * Rollup}). It is a chunk as any other, so a reader of an attempt finds the rest of its past and
 * all of its present in one. A piece takes some megabytes of one attempt; what was thinned out
 * before is taken in again, so an attempt of any length needs no more memory than that.
 */
final class Thinning implements IncrementalTask {
  /** A piece ends with the chunk that reaches this. */
  private static final long BYTES = 4 << 20;

  private static final long UNKNOWN = -2;

  /** Joins a chunk with the rollup of its attempt. */
  static final String ROLLUP_OF_CHUNK =
      " metric_rollup r on r.experiment = c.experiment and r.trial = c.trial"
          + " and r.attempt = c.attempt";

  private record Found(String trial, int attempt, long last) {}

  private record Old(long segment, byte[] points) {}

  private final Store store;
  private final ExperimentId experiment;
  private final long from;
  private final long storedBefore;
  private final int points;

  /** The last segment that is old enough. */
  private long upto = UNKNOWN;

  private Found at = new Found("", 0, -1);

  /**
   * @param from chunks before this segment are of a history that is forgotten
   * @param storedBefore milliseconds since the epoch: what was stored later stays as it is
   * @param points about how many points are left of each metric of an attempt
   */
  Thinning(Store store, ExperimentId experiment, long from, long storedBefore, int points) {
    this.store = store;
    this.experiment = experiment;
    this.from = from;
    this.storedBefore = storedBefore;
    this.points = points;
  }

  @Override
  public String what() {
    return "thin out old points of experiment " + experiment;
  }

  @Override
  public Future<Boolean> next() {
    return oldest()
        .compose(oldEnough -> find())
        .compose(found -> {
          if (found.isEmpty()) {
            return Future.succeededFuture(true);
          }
          at = found.getFirst();
          TrialRef trial = new TrialRef(experiment, new TrialId(at.trial()));
          return thin(
                  new AttemptRef(trial, at.attempt()),
                  new Rollup(points),
                  from - 1,
                  0,
                  new ArrayList<>())
              .map(thinned -> false);
        });
  }

  private Future<Void> oldest() {
    if (upto != UNKNOWN) {
      return Future.succeededFuture();
    }
    return store
        .read(
            Statement.of(
                "select coalesce(max(segment), -1) as segment from metric_segment where stored < ?",
                storedBefore),
            row -> row.integer("segment"))
        .map(segment -> {
          upto = segment.getFirst();
          return null;
        });
  }

  /** The next attempt, from where we are on, with old chunks behind its rollup. */
  private Future<List<Found>> find() {
    return store.read(
        Statement.of(
            "select c.trial, c.attempt, max(c.segment) as last from metric_chunk c left join"
                + ROLLUP_OF_CHUNK
                + " where c.experiment = ? and c.segment >= ? and c.segment <= ?"
                + " and (c.trial, c.attempt) >= (?, ?)"
                + " and (r.segment is null or c.segment > r.segment)"
                + " group by c.trial, c.attempt order by c.trial, c.attempt limit 1",
            experiment.value(),
            from,
            upto,
            at.trial(),
            at.attempt()),
        row -> new Found(row.text("trial"), (int) row.integer("attempt"), row.integer("last")));
  }

  /** Reads chunk after chunk until it is enough, and writes what is left of them. */
  private Future<Void> thin(
      AttemptRef attempt, Rollup rollup, long behind, long bytes, List<Statement> replacement) {
    return store
        .read(
            Statement.of(
                "select segment, points from metric_chunk"
                    + " where experiment = ? and trial = ? and attempt = ?"
                    + " and segment > ? and segment <= ? order by segment limit 1",
                experiment.value(),
                attempt.trial().trial().value(),
                attempt.number(),
                behind,
                upto),
            row -> {
              Old old = new Old(row.integer("segment"), row.blob("points"));
              // Here and not later: so a chunk's points are never all in memory, nor on a loop.
              Decoder in = new Decoder(old.points());
              while (in.hasMore()) {
                rollup.add(in.point(attempt));
              }
              return old;
            })
        .compose(read -> {
          Old old = read.getFirst();
          replacement.add(
              ofAttempt("delete from metric_chunk where segment = ? and", attempt, old));
          long all = bytes + old.points().length;
          // Two at least, the first may be the rollup of before.
          boolean enough = all >= BYTES && replacement.size() > 1;
          return old.segment() == at.last() || enough
              ? replace(attempt, rollup, old, replacement)
              : thin(attempt, rollup, old.segment(), all, replacement);
        });
  }

  private Statement ofAttempt(String sql, AttemptRef attempt, Old old) {
    return Statement.of(
        sql + " experiment = ? and trial = ? and attempt = ?",
        old.segment(),
        experiment.value(),
        attempt.trial().trial().value(),
        attempt.number());
  }

  private Future<Void> replace(
      AttemptRef attempt, Rollup rollup, Old last, List<Statement> replacement) {
    Encoder out = new Encoder(1 << 12);
    for (MetricPoint point : rollup.points()) {
      out.point(point);
    }
    String trial = attempt.trial().trial().value();
    replacement.add(
        Statement.of(
            "insert into metric_chunk (experiment, trial, attempt, segment, points)"
                + " values (?, ?, ?, ?, ?)",
            experiment.value(),
            trial,
            attempt.number(),
            last.segment(),
            out.toBytes()));
    replacement.add(
        Statement.of(
            "insert into metric_rollup (experiment, trial, attempt, segment, ended)"
                + " values (?, ?, ?, ?, ?) on conflict (experiment, trial, attempt)"
                + " do update set segment = excluded.segment, ended = excluded.ended",
            experiment.value(),
            trial,
            attempt.number(),
            last.segment(),
            last.points().length));
    return store.write(replacement);
  }
}
