package io.orrery.gateway.status;

import io.orrery.core.check.CheckResult;
import io.orrery.core.check.ClockSkew;
import io.orrery.core.sql.Engine;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The checks of the database: whether it answers, how soon, its clock and queue. */
final class StoreChecks {
  private static final Duration SLOW = Duration.ofMillis(250);
  private static final double NANOS_OF_MILLISECOND = 1e6;

  /** The part of the queue that writes may fill before the server is said to be too busy. */
  private static final int HALF = 2;

  private final Store store;
  private final Clock clock;

  StoreChecks(Store store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  List<Check> all() {
    String repair = "check the database, its disk and `store.url`";
    return List.of(
        new Check("database", Check.SOON, repair, this::database),
        new Check("clock", Check.SOON, repair, this::clock),
        new Check("queue of writes", Check.SOON, repair, this::queue));
  }

  private String name() {
    return store.engine() == Engine.SQLITE ? "SQLite" : "PostgreSQL";
  }

  private Future<List<CheckResult>> database() {
    long began = System.nanoTime();
    return store
        .read(Statement.of("select 1 as one"), row -> row.integer("one"))
        .map(read -> System.nanoTime() - began)
        .compose(took -> store.probe().map(took))
        .map(took -> {
          String found =
              "%s answers in %.1f ms and can be written"
                  .formatted(name(), took / NANOS_OF_MILLISECOND);
          return List.of(
              took > TimeUnit.MILLISECONDS.toNanos(SLOW.toMillis())
                  ? CheckResult.warning(
                      "database", found, "check its load, its disk and the network to it")
                  : CheckResult.ok("database", found));
        });
  }

  /** The database's time was taken at some moment between the question and the answer. */
  private Future<List<CheckResult>> clock() {
    Instant asked = clock.now();
    return store
        .read(
            Statement.of("select " + store.engine().millis() + " as present"),
            row -> row.instant("present"))
        .map(rows -> {
          Instant there = rows.getFirst();
          Instant now = clock.now();
          Duration apart =
              there.isBefore(asked)
                  ? Duration.between(there, asked)
                  : there.isAfter(now) ? Duration.between(now, there) : Duration.ZERO;
          return List.of(
              ClockSkew.check(
                  "clock",
                  apart,
                  "the database's",
                  now.truncatedTo(ChronoUnit.SECONDS) + ", as the database has it"));
        });
  }

  private Future<List<CheckResult>> queue() {
    Store.Backlog backlog = store.backlog();
    String found = "%,d writes wait, of at most %,d".formatted(backlog.waiting(), backlog.most());
    String advice = "the disk or the database is too slow for what is written: check both";
    CheckResult result;
    if (backlog.most() > 0 && backlog.waiting() >= backlog.most()) {
      result = CheckResult.failed("queue of writes", found + "; more are refused", advice);
    } else if (backlog.waiting() * HALF > backlog.most()) {
      result = CheckResult.warning("queue of writes", found, advice);
    } else {
      result = CheckResult.ok("queue of writes", found);
    }
    return Future.succeededFuture(List.of(result));
  }
}
