package io.orrery.metrics.store;

import io.orrery.core.id.AttemptRef;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tables that the log is moved into: every question about one attempt is a key look-up. */
public final class ChunkTable {
  public static final Migrations MIGRATIONS =
      new Migrations(
          "metrics",
          ChunkTable.class,
          List.of("0001-chunks.sql", "0002-deletions.sql", "0003-rollups.sql"));

  /** Chunks in one transaction; bounds its memory. */
  private static final int GROUP = 100;

  private static final String SAVE_CHUNK =
      "insert into metric_chunk (experiment, trial, attempt, segment, points)"
          + " values (?, ?, ?, ?, ?)"
          + " on conflict (experiment, trial, attempt, segment)"
          + " do update set points = excluded.points";

  private static final String SAVE_ATTEMPT =
      "insert into metric_attempt (experiment, trial, attempt, seen, result, segment)"
          + " values (?, ?, ?, ?, ?, ?)"
          + " on conflict (experiment, trial, attempt)"
          + " do update set seen = excluded.seen, result = excluded.result,"
          + " segment = excluded.segment";

  /** Steps from one experiment to the next in the key, however many attempts each has. */
  private static final String EXPERIMENTS =
      "with recursive each (experiment) as ("
          + "select min(experiment) from metric_attempt"
          + " union all select (select min(experiment) from metric_attempt"
          + " where experiment > each.experiment) from each where each.experiment is not null)"
          + " select experiment from each where experiment is not null";

  private final Store store;
  private final Clock clock;
  private final boolean shared;
  private final Supplier<Future<Void>> letGo;

  /**
   * A chunk that was read.
   *
   * @param ended 0; of one that stands for older ones, how many bytes the last of these had
   */
  record Stored(ActiveSegment.Slice slice, int ended) {}

  /**
   * @param clock tells when chunks were stored
   * @param shared whether other servers write to the store as well
   * @param letGo what is done with the store in the end
   */
  ChunkTable(Store store, Clock clock, boolean shared, Supplier<Future<Void>> letGo) {
    this.store = store;
    this.clock = clock;
    this.shared = shared;
    this.letGo = letGo;
  }

  boolean isShared() {
    return shared;
  }

  /** The experiments of which something is stored. */
  Future<List<ExperimentId>> experiments() {
    return store.read(Statement.of(EXPERIMENTS), row -> new ExperimentId(row.text("experiment")));
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
   *
   * @param upto where the segment ends
   */
  Future<Void> save(long segment, List<Chunk> chunks, long upto) {
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
                encoded(chunk.result()),
                chunk.points().segment()));
      }
      writes.add(store.write(group));
    }
    return Future.all(writes)
        .compose(done ->
            store.write(
                List.of(
                    Statement.of(
                        "insert into metric_segment (segment, stored) values (?, ?)"
                            + " on conflict (segment) do nothing",
                        segment,
                        clock.millis()),
                    Statement.of("update metric_moved set upto = ?", upto))));
  }

  /**
   * What is known of all attempts of some trials of an experiment since a segment. One question for
   * many: what a row costs by itself is little beside what a question does.
   *
   * @param trials 1 or more, and not beyond a few hundred
   */
  Future<List<AttemptState>> states(ExperimentId experiment, List<TrialId> trials, long from) {
    List<Object> values = new ArrayList<>(List.of(experiment.value(), from));
    return store.read(
        Statement.of(
            "select trial, attempt, seen, result from metric_attempt"
                + " where experiment = ? and segment >= ? and "
                + oneOf(trials, values),
            values.toArray()),
        row ->
            AttemptState.of(
                new AttemptRef(
                    new TrialRef(experiment, new TrialId(row.text("trial"))),
                    (int) row.integer("attempt")),
                row.blob("seen"),
                row.blobOrNull("result")));
  }

  /**
   * A condition on the trial. Of few lengths, so that few texts have to be prepared; what is named
   * twice is found once.
   *
   * @param values is given what the question marks stand for
   */
  private static String oneOf(List<TrialId> trials, List<Object> values) {
    int length = Integer.highestOneBit(2 * trials.size() - 1);
    for (int i = 0; i < length; i++) {
      values.add(trials.get(Math.min(i, trials.size() - 1)).value());
    }
    return "trial in (?" + ", ?".repeat(length - 1) + ")";
  }

  /**
   * The last attempt of a trial in chunks.
   *
   * @param bytes of the chunks of all of its attempts
   */
  record Last(int attempt, long bytes) {
    static final Last NONE = new Last(0, 0);
  }

  /**
   * The last attempts of some trials that have chunks between two segments.
   *
   * @param trials 1 or more, and not beyond a few hundred
   * @return without those that have none
   */
  Future<Map<TrialId, Last>> lastAttempts(
      ExperimentId experiment, List<TrialId> trials, long from, long before) {
    Map<TrialId, Last> last = new HashMap<>();
    List<Object> values = new ArrayList<>(List.of(experiment.value(), from, before));
    return store
        .read(
            Statement.of(
                "select trial, max(attempt) as last, sum(length(points)) as bytes from metric_chunk"
                    + " where experiment = ? and segment >= ? and segment < ? and "
                    + oneOf(trials, values)
                    + " group by trial",
                values.toArray()),
            row ->
                last.put(
                    new TrialId(row.text("trial")),
                    new Last((int) row.integer("last"), row.integer("bytes"))))
        .map(read -> last);
  }

  /**
   * The encoded points of some attempts between two segments, each one's in the log's order.
   *
   * @param attempts 1 or more of one experiment, one of each trial, and not beyond a few hundred
   * @return without those that have none
   */
  Future<Map<AttemptRef, List<byte[]>>> points(
      ExperimentId experiment, List<AttemptRef> attempts, long from, long before) {
    Set<AttemptRef> wanted = Set.copyOf(attempts);
    Map<AttemptRef, List<byte[]>> found = new HashMap<>();
    IntSummaryStatistics numbers =
        attempts.stream().mapToInt(AttemptRef::number).summaryStatistics();
    List<Object> values =
        new ArrayList<>(
            List.of(experiment.value(), from, before, numbers.getMin(), numbers.getMax()));
    List<TrialId> trials = attempts.stream().map(attempt -> attempt.trial().trial()).toList();
    return store
        .read(
            Statement.of(
                "select trial, attempt, points from metric_chunk"
                    + " where experiment = ? and segment >= ? and segment < ?"
                    + " and attempt >= ? and attempt <= ? and "
                    + oneOf(trials, values)
                    + " order by segment",
                values.toArray()),
            row -> {
              TrialRef trial = new TrialRef(experiment, new TrialId(row.text("trial")));
              AttemptRef attempt = new AttemptRef(trial, (int) row.integer("attempt"));
              if (wanted.contains(attempt)) {
                found.computeIfAbsent(attempt, first -> new ArrayList<>()).add(row.blob("points"));
              }
              return attempt;
            })
        .map(read -> found);
  }

  /** The first chunk of an attempt from a segment on; none when it would be behind an offset. */
  Future<Optional<Stored>> next(AttemptRef attempt, long from, long before) {
    return store
        .read(
            Statement.of(
                "select c.segment, c.points, coalesce(r.ended, 0) as ended from metric_chunk c"
                    + " left join"
                    + Thinning.ROLLUP_OF_CHUNK
                    + " and r.segment = c.segment"
                    + " where c.experiment = ? and c.trial = ? and c.attempt = ?"
                    + " and c.segment >= ? and c.segment < ? order by c.segment limit 1",
                attempt.trial().experiment().value(),
                attempt.trial().trial().value(),
                attempt.number(),
                from,
                before),
            row -> {
              byte[] points = row.blob("points");
              ActiveSegment.Slice slice =
                  new ActiveSegment.Slice(attempt, row.integer("segment"), points, points.length);
              return new Stored(slice, (int) row.integer("ended"));
            })
        .map(rows -> rows.stream().findFirst());
  }

  /** The deletions that were begun and have not been finished. */
  Future<List<Deletion.Begun>> begunDeletions() {
    return Deletion.begun(store);
  }

  /** Deletes what an experiment had before a segment. */
  IncrementalTask deletion(ExperimentId experiment, long upto) {
    return new Deletion(store, experiment, upto);
  }

  /** Thins out what an experiment has had in chunks since before a moment. */
  IncrementalTask thinning(ExperimentId experiment, long from, Instant storedBefore, int points) {
    return new Thinning(store, experiment, from, storedBefore.toEpochMilli(), points);
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
