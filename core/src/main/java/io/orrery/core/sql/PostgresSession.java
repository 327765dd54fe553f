package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that one thread uses, which waits for its answers; never an event loop.
 *
 * <p>A group of writes is sent whole before the first answer is read. When anything in it fails,
 * the transaction is rolled back and the group is done again write by write, each on a savepoint of
 * its own: a round trip for each statement, but failures are rare.
 */
final class PostgresSession {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresSession.class);
  private static final Duration CONNECTING = Duration.ofSeconds(5);

  /**
   * A commit is on disk when it is answered, whatever the server's default is; and the server
   * notices within a minute that a client has fallen silent, and frees its locks.
   */
  private static final String SETTINGS =
      "select set_config('synchronous_commit', 'on', false)"
          + " where current_setting('synchronous_commit') = 'off';"
          + " set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10;"
          + " set tcp_keepalives_count = 3";

  private final Context home;
  private final PgConnection connection;
  private final Duration silence;

  private PostgresSession(Context home, PgConnection connection, Duration silence) {
    this.home = home;
    this.connection = connection;
    this.silence = silence;
  }

  /**
   * Connects.
   *
   * @throws ConnectionLost when no server answers
   * @throws io.vertx.pgclient.PgException when the server refuses us
   */
  static PostgresSession connect(Vertx vertx, PgConnectOptions options, Duration silence)
      throws ConnectionLost {
    Context home = vertx.getOrCreateContext();
    Future<PgConnection> connecting =
        on(home, () -> PgConnection.connect(vertx, options).map(PostgresSession::quiet));
    try {
      PostgresSession session = new PostgresSession(home, await(connecting, CONNECTING), silence);
      session.await(() -> session.connection.query(SETTINGS).execute());
      return session;
    } catch (ConnectionLost | RuntimeException e) {
      connecting.onSuccess(late -> late.close().onFailure(failure -> LOG.debug("late", failure)));
      throw e;
    }
  }

  /** What a server says out of turn, as when it is shut down, is followed by the loss itself. */
  private static PgConnection quiet(PgConnection connection) {
    return connection.exceptionHandler(failure -> LOG.debug("said out of turn", failure));
  }

  /** One statement, outside of a transaction. */
  <T> List<T> read(Statement statement, Function<Row, T> each) throws ConnectionLost {
    List<T> rows = new ArrayList<>();
    for (io.vertx.sqlclient.Row row : await(() -> execute(statement))) {
      rows.add(each.apply(new PostgresRow(row)));
    }
    return rows;
  }

  void ping() throws ConnectionLost {
    command("select 1");
  }

  /**
   * Begins a transaction and applies writes in their order.
   *
   * @return for each write its failure, or null when it stands in the transaction
   */
  List<@Nullable Throwable> apply(List<List<Statement>> group) throws ConnectionLost {
    List<Future<RowSet<io.vertx.sqlclient.Row>>> answers = new ArrayList<>();
    List<Statement> sent = group.stream().flatMap(List::stream).toList();
    Future<?> all =
        on(
            home,
            () -> {
              answers.add(connection.query("begin").execute());
              sent.forEach(statement -> answers.add(execute(statement)));
              return Future.join(answers);
            });
    try {
      await(all, silence);
    } catch (RuntimeException e) {
      lostIfAny(answers);
      return applyOneByOne(group);
    }
    for (int i = 0; i < sent.size(); i++) {
      if (!asExpected(sent.get(i), answers.get(i + 1).result().rowCount())) {
        return applyOneByOne(group);
      }
    }
    List<@Nullable Throwable> outcomes = new ArrayList<>();
    group.forEach(write -> outcomes.add(null));
    return outcomes;
  }

  private static void lostIfAny(List<? extends Future<?>> answers) throws ConnectionLost {
    for (Future<?> answer : answers) {
      if (answer.failed() && ConnectionLost.is(answer.cause())) {
        throw new ConnectionLost(answer.cause());
      }
    }
  }

  private List<@Nullable Throwable> applyOneByOne(List<List<Statement>> group)
      throws ConnectionLost {
    command("rollback");
    command("begin");
    List<@Nullable Throwable> outcomes = new ArrayList<>();
    for (List<Statement> write : group) {
      command("savepoint one");
      Throwable failure = applyOne(write);
      if (failure != null) {
        command("rollback to one");
      }
      command("release one");
      outcomes.add(failure);
    }
    return outcomes;
  }

  private @Nullable Throwable applyOne(List<Statement> write) throws ConnectionLost {
    for (Statement statement : write) {
      int rows;
      try {
        rows = await(() -> execute(statement)).rowCount();
      } catch (RuntimeException e) {
        return refused(e);
      }
      Integer expected = statement.expectedRows();
      if (expected != null && rows != expected) {
        return WriteConflict.of(expected, rows);
      }
    }
    return null;
  }

  /** As the store answers when the database refused. */
  static ProblemException refused(Throwable failure) {
    return new Problem.Broken("the store refused: " + failure.getMessage()).toException();
  }

  private static boolean asExpected(Statement statement, int rows) {
    Integer expected = statement.expectedRows();
    return expected == null || expected == rows;
  }

  void commit() throws ConnectionLost {
    command("commit");
  }

  void rollback() throws ConnectionLost {
    command("rollback");
  }

  /** Closes the connection, whether or not the server is there. */
  void close() {
    try {
      await(on(home, connection::close), CONNECTING);
    } catch (ConnectionLost | RuntimeException e) {
      LOG.debug("closing a connection", e);
    }
  }

  private Future<RowSet<io.vertx.sqlclient.Row>> execute(Statement statement) {
    try {
      return connection
          .preparedQuery(PostgresSql.numbered(statement.sql()))
          .execute(PostgresSql.tuple(statement.arguments()));
    } catch (RuntimeException e) { // an argument of no known type
      return Future.failedFuture(e);
    }
  }

  private void command(String sql) throws ConnectionLost {
    await(() -> connection.query(sql).execute());
  }

  private <T> T await(Supplier<Future<T>> sending) throws ConnectionLost {
    return await(on(home, sending), silence);
  }

  private static <T> Future<T> on(Context home, Supplier<Future<T>> sending) {
    Promise<T> answer = Promise.promise();
    home.runOnContext(go -> sending.get().onComplete(answer));
    return answer.future();
  }

  private static <T> T await(Future<T> answer, Duration limit) throws ConnectionLost {
    try {
      return answer.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new ConnectionLost(
          new TimeoutException("no answer within " + limit.toSeconds() + " s"));
    } catch (Exception e) { // await throws the cause as it is, checked or not
      if (ConnectionLost.is(e)) {
        throw new ConnectionLost(e);
      }
      throw e instanceof RuntimeException known ? known : new IllegalStateException(e);
    }
  }
}
