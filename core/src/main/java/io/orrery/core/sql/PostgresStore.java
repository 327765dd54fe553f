package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The store on a PostgreSQL server, for one Orrery server at a time or for several that share it.
 *
 * <p>One connection writes, in groups (see {@link GroupCommit}), and holds the locks that keep
 * others away ({@link Ownership}); a pool of others reads what is committed. When the database goes
 * away for a while, as in a restart, writes and reads take longer and nothing else is seen of it
 * ({@link PostgresWriter}); when it stays away, or another server has it, it is {@link #lost}.
 */
public final class PostgresStore implements Store {
  private static final int READERS = 4;
  private static final int READS_LIMIT = 10_000;
  private static final int CONNECTING_SECONDS = 5;

  /** A read that fails because its connection is lost is made again as often as this. */
  private static final int READ_AGAIN = 5;

  private final Vertx vertx;
  private final PostgresWriter writer;
  private final GroupCommit writes;
  private final Pool readers;
  private final WorkerExecutor rowThreads;
  private final Set<Future<?>> reading = ConcurrentHashMap.newKeySet();
  private final Promise<Void> allClosed = Promise.promise();
  private final AtomicBoolean closing = new AtomicBoolean();

  private PostgresStore(
      Vertx vertx,
      PostgresAddress address,
      StoreOwner owner,
      PostgresWriter writer,
      int queueLimit) {
    this.vertx = vertx;
    this.writer = writer;
    this.writes = GroupCommit.start(vertx, "sql-write-postgresql", queueLimit, writer);
    this.rowThreads = vertx.createSharedWorkerExecutor("sql-read-postgresql", READERS);
    this.readers =
        PgBuilder.pool()
            .connectingTo(address.options(owner))
            .with(
                new PoolOptions()
                    .setMaxSize(READERS)
                    .setMaxWaitQueueSize(READS_LIMIT)
                    .setConnectionTimeout(CONNECTING_SECONDS)
                    .setConnectionTimeoutUnit(TimeUnit.SECONDS))
            .using(vertx)
            .build();
  }

  /**
   * Connects and takes the database for this server. Blocks: for some milliseconds; for seconds
   * when no server answers or another server is just going; for two minutes when the last server
   * was another one and did not say goodbye.
   *
   * @throws ProblemException Conflict when another server has the database, else Broken with what
   *     to do; within ten seconds
   */
  public static PostgresStore open(Vertx vertx, PostgresAddress address, StoreOwner owner) {
    return open(
        vertx, address, owner, Tenancy.SOLE, DatabaseTimeouts.STANDARD, GroupCommit.QUEUE_LIMIT);
  }

  /**
   * Connects to a database that other servers write to as well: code that writes what another might
   * write too does so under a {@link io.orrery.core.lease.Lease}. A server that has it alone keeps
   * all that share out, and they keep it out. Blocks and fails as {@link #open} does.
   */
  public static PostgresStore share(Vertx vertx, PostgresAddress address, StoreOwner owner) {
    return open(
        vertx, address, owner, Tenancy.SHARED, DatabaseTimeouts.STANDARD, GroupCommit.QUEUE_LIMIT);
  }

  /**
   * @param queueLimit most writes that may wait
   */
  static PostgresStore open(
      Vertx vertx,
      PostgresAddress address,
      StoreOwner owner,
      Tenancy tenancy,
      DatabaseTimeouts patience,
      int queueLimit) {
    PostgresWriter writer = new PostgresWriter(vertx, address, owner, tenancy, patience);
    try {
      writer.open();
    } catch (Ownership.Taken e) {
      throw e.problem().toException();
    } catch (ConnectionLost | RuntimeException e) {
      throw address.unusable(e).problem();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem.Broken("interrupted while waiting for the database").toException();
    }
    return new PostgresStore(vertx, address, owner, writer, queueLimit);
  }

  /**
   * Completes when this server can no longer use the database: it is away for too long, or another
   * server has it. Every write and read then fails; the parts that decide have to stop.
   */
  public Future<Problem> lost() {
    return writer.lost();
  }

  @Override
  public Engine engine() {
    return Engine.POSTGRESQL;
  }

  @Override
  public Future<Void> write(List<Statement> statements) {
    return writes.write(statements);
  }

  @Override
  public Backlog backlog() {
    return writes.backlog();
  }

  @Override
  public <T> Future<List<T>> read(Statement query, Function<Row, T> each) {
    if (closing.get()) {
      return Future.failedFuture(GroupCommit.closed().toException());
    }
    Promise<List<T>> answer = Promise.promise();
    reading.add(answer.future());
    answer.future().onComplete(done -> reading.remove(answer.future()));
    Context home = vertx.getOrCreateContext();
    read(query, each, READ_AGAIN)
        .onComplete(outcome -> home.runOnContext(go -> answer.handle(outcome)));
    return answer.future();
  }

  private <T> Future<List<T>> read(Statement query, Function<Row, T> each, int again) {
    return rows(query)
        .compose(rows ->
            rowThreads.executeBlocking(
                () -> {
                  List<T> values = new ArrayList<>(rows.size());
                  for (io.vertx.sqlclient.Row row : rows) {
                    values.add(each.apply(new PostgresRow(row)));
                  }
                  return values;
                },
                false))
        .recover(failure -> {
          if (again > 0 && ConnectionLost.is(failure)) {
            // A write of nothing is done when the database is back, and fails when it is lost.
            return writes.write(List.of()).compose(back -> read(query, each, again - 1));
          }
          return Future.failedFuture(
              failure instanceof PgException ? PostgresSession.refused(failure) : failure);
        });
  }

  private Future<RowSet<io.vertx.sqlclient.Row>> rows(Statement query) {
    try {
      return readers
          .preparedQuery(PostgresSql.numbered(query.sql()))
          .execute(PostgresSql.tuple(query.arguments()));
    } catch (RuntimeException e) { // an argument of no known type
      return Future.failedFuture(e);
    }
  }

  /** The database comes back by itself, or is {@link #lost}: there is nothing to be tried. */
  @Override
  public Future<Void> probe() {
    String away = writer.away();
    return away == null
        ? Future.succeededFuture()
        : Future.failedFuture(
            new Problem.Broken("the database cannot be reached: " + away).toException());
  }

  @Override
  public Future<Void> close() {
    if (closing.compareAndSet(false, true)) {
      Future.join(List.copyOf(reading))
          .otherwiseEmpty()
          .compose(done -> writes.close())
          .eventually(readers::close)
          .eventually(rowThreads::close)
          .onComplete(allClosed);
    }
    Promise<Void> answer = Promise.promise();
    Context home = vertx.getOrCreateContext();
    allClosed.future().onComplete(outcome -> home.runOnContext(go -> answer.handle(outcome)));
    return answer.future();
  }
}
