package io.orrery.metrics.store;

import io.orrery.core.id.ExperimentId;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what an experiment had before a segment. Notes first that it does so, because the request
 * stands in the log, and the log is short; takes the note away with the last piece. So what was
 * begun is finished after any number of crashes, and doing it again deletes nothing that came
 * later.
 */
final class Deletion implements IncrementalTask {
  /** Rows in one piece, and bytes in them unless one row alone has more. */
  private static final int MOST_ROWS = 100;

  private static final long MOST_BYTES = 1 << 20;

  private enum Stage {
    NOTE,
    CHUNKS,
    ATTEMPTS
  }

  private record Key(String trial, long attempt, long segment, long bytes) {
    static final Key FIRST = new Key("", 0, 0, 0);
  }

  private final Store store;
  private final ExperimentId experiment;
  private final long upto;
  private Stage stage = Stage.NOTE;

  /** The last row that was deleted: the search goes on behind it, past no index of dead rows. */
  private Key last = Key.FIRST;

  /**
   * @param upto the segment from which on everything stays
   */
  Deletion(Store store, ExperimentId experiment, long upto) {
    this.store = store;
    this.experiment = experiment;
    this.upto = upto;
  }

  /** A deletion that was begun and has not been finished. */
  record Begun(ExperimentId experiment, long upto) {}

  /** All of them. */
  static Future<List<Begun>> begun(Store store) {
    return store.read(
        Statement.of("select experiment, upto from metric_deletion"),
        row -> new Begun(new ExperimentId(row.text("experiment")), row.integer("upto")));
  }

  @Override
  public String what() {
    return "delete forgotten points of experiment " + experiment;
  }

  @Override
  public Future<Boolean> next() {
    return switch (stage) {
      case NOTE -> note();
      case CHUNKS -> chunks();
      case ATTEMPTS -> attempts();
    };
  }

  private Future<Boolean> note() {
    return store
        .write(
            List.of(
                Statement.of(
                    "insert into metric_deletion (experiment, upto) values (?, ?)"
                        + " on conflict (experiment) do update set upto = excluded.upto",
                    experiment.value(),
                    upto)))
        .map(noted -> goOn(Stage.CHUNKS));
  }

  private Future<Boolean> chunks() {
    return find(
            "select trial, attempt, segment, length(points) as bytes from metric_chunk"
                + " where experiment = ? and segment < ?"
                + " and (trial, attempt, segment) > (?, ?, ?)"
                + " order by trial, attempt, segment limit "
                + MOST_ROWS,
            last.segment())
        .compose(keys ->
            keys.isEmpty()
                ? Future.succeededFuture(goOn(Stage.ATTEMPTS))
                : delete(
                    light(keys),
                    "delete from metric_chunk"
                        + " where experiment = ? and trial = ? and attempt = ? and segment = ?",
                    "delete from metric_rollup"
                        + " where experiment = ? and trial = ? and attempt = ? and segment = ?"));
  }

  private Future<Boolean> attempts() {
    return find(
            "select trial, attempt, segment, 0 as bytes from metric_attempt"
                + " where experiment = ? and segment < ? and (trial, attempt) > (?, ?)"
                + " order by trial, attempt limit "
                + MOST_ROWS,
            null)
        .compose(keys ->
            keys.isEmpty()
                ? forgetNote()
                : delete(
                    keys,
                    "delete from metric_attempt"
                        + " where experiment = ? and trial = ? and attempt = ? and segment = ?"));
  }

  private Future<Boolean> forgetNote() {
    return store
        .write(
            List.of(
                Statement.of(
                    "delete from metric_deletion where experiment = ? and upto = ?",
                    experiment.value(),
                    upto)))
        .map(done -> true);
  }

  private Future<List<Key>> find(String sql, @Nullable Long segment) {
    List<@Nullable Object> arguments = new ArrayList<>();
    arguments.add(experiment.value());
    arguments.add(upto);
    arguments.add(last.trial());
    arguments.add(last.attempt());
    if (segment != null) {
      arguments.add(segment);
    }
    return store.read(
        new Statement(sql, arguments, null),
        row ->
            new Key(
                row.text("trial"),
                row.integer("attempt"),
                row.integer("segment"),
                row.integer("bytes")));
  }

  /** As many of the first rows as a piece may have. */
  private static List<Key> light(List<Key> keys) {
    long bytes = 0;
    for (int i = 0; i < keys.size(); i++) {
      bytes += keys.get(i).bytes();
      if (bytes > MOST_BYTES) {
        return keys.subList(0, Math.max(1, i));
      }
    }
    return keys;
  }

  private Future<Boolean> delete(List<Key> keys, String... tables) {
    List<Statement> statements = new ArrayList<>();
    for (Key key : keys) {
      for (String sql : tables) {
        statements.add(
            Statement.of(sql, experiment.value(), key.trial(), key.attempt(), key.segment()));
      }
    }
    return store
        .write(statements)
        .map(deleted -> {
          last = keys.getLast();
          return false;
        });
  }

  private boolean goOn(Stage next) {
    stage = next;
    last = Key.FIRST;
    return false;
  }
}
