package io.orrery.studio.tracking;

import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.bus.contract.Tracking.History;
import io.orrery.core.bus.contract.Tracking.HistoryOf;
import io.orrery.core.bus.contract.Tracking.Log;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Cursor;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.tracking.TrackedPoints;
import io.orrery.studio.tracking.LoggedTable.Chunk;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores what is logged to runs. Points that come together are one row for each metric, so that
 * their cost is that of the rows and not of the points.
 */
final class TrackingLog {
  /** Chunks that are read at once. */
  private static final int CHUNKS = 1_000;

  private final Store store;
  private final Clock clock;
  private final LoggedTable table;

  /** The time of the last chunk: each one has a later one, so that their order is certain. */
  private long lastMicros;

  TrackingLog(Store store, Clock clock, LoggedTable table) {
    this.store = store;
    this.clock = clock;
    this.table = table;
  }

  Future<Done> log(Log wanted) {
    String run = wanted.run();
    long now = nextMicros();
    List<Statement> statements = new ArrayList<>();
    wanted.metrics().forEach(chunk -> statements.addAll(LoggedTable.add(run, chunk, now)));
    wanted
        .tags()
        .forEach((name, value) -> {
          statements.add(LoggedTable.tag(run, name, value));
          if (name.equals(Tracking.NAME_TAG)) {
            statements.add(TrackedRunTable.rename(run, value));
          }
        });
    wanted.dropped().forEach(name -> statements.add(LoggedTable.dropTag(run, name)));
    wanted
        .parameters()
        .forEach((name, value) -> statements.add(LoggedTable.parameter(run, name, value)));
    return statements.isEmpty()
        ? Future.succeededFuture(new Done())
        : store
            .write(statements)
            .map(new Done())
            .recover(failure ->
                Problem.of(failure) instanceof Problem.Conflict
                    ? refused(wanted)
                    : Future.failedFuture(failure));
  }

  private long nextMicros() {
    lastMicros = Math.max(lastMicros + 1, clock.millis() * 1_000);
    return lastMicros;
  }

  /** Says which statement did not fit. */
  private Future<Done> refused(Log wanted) {
    return table
        .parameters(List.of(wanted.run()))
        .compose(all -> {
          Map<String, String> present = all.getOrDefault(wanted.run(), Map.of());
          for (Map.Entry<String, String> each : wanted.parameters().entrySet()) {
            String before = present.get(each.getKey());
            if (before != null && !before.equals(each.getValue())) {
              return Future.failedFuture(
                  new Problem.Refused(
                          new Finding(
                              "",
                              ("a parameter cannot be changed: '%s' of run %s has the value '%s',"
                                      + " not '%s'")
                                  .formatted(each.getKey(), wanted.run(), before, each.getValue())))
                      .toException());
            }
          }
          return Future.failedFuture(
              new Problem.NotFound(
                      "Run %s has no tag %s.".formatted(wanted.run(), wanted.dropped()))
                  .toException());
        });
  }

  Future<History> history(HistoryOf wanted) {
    return page(
        wanted,
        wanted.cursor() == null ? null : Cursor.parse(wanted.cursor()),
        new ByteArrayOutputStream());
  }

  private Future<History> page(
      HistoryOf wanted, @Nullable Cursor from, ByteArrayOutputStream packed) {
    return table
        .chunks(wanted.run(), wanted.metric(), from, CHUNKS)
        .compose(chunks -> {
          Cursor last = from;
          for (int i = 0; i < chunks.size(); i++) {
            Chunk chunk = chunks.get(i);
            packed.writeBytes(chunk.packed());
            last = new Cursor(chunk.at(), chunk.mark());
            boolean more = i < chunks.size() - 1 || chunks.size() == CHUNKS;
            if (more && packed.size() / TrackedPoints.POINT >= wanted.limit()) {
              return Future.succeededFuture(new History(packed.toByteArray(), last.text()));
            }
          }
          return chunks.size() < CHUNKS
              ? Future.succeededFuture(new History(packed.toByteArray(), null))
              : page(wanted, last, packed);
        });
  }
}
