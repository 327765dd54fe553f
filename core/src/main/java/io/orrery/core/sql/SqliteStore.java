package io.orrery.core.sql;

import io.orrery.core.problem.Problem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded store: one SQLite file in WAL mode with {@code synchronous=FULL}.
 *
 * <p>Durability costs one fsync whatever is in the commit, so one writer thread drains a bounded
 * queue into one transaction: while it waits for the disk, the next commit gathers. Each write of
 * the group stands on a savepoint of its own and fails alone. Readers are separate connections that
 * see the last commit; their transactions are one query long, because a long reader would pin the
 * write-ahead log.
 */
public final class SqliteStore implements Store {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);

  private static final int QUEUE_LIMIT = 10_000;

  /** Writes in one commit; bounds how long the first of them waits for the last. */
  private static final int GROUP_LIMIT = 1_000;

  private static final int READERS = 3;
  private static final int CACHED_STATEMENTS = 128;
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final Problem CLOSED = new Problem.Broken("the store is closed");

  private record Write(List<Statement> statements, Promise<Void> promise, Context home) {}

  private final Vertx vertx;
  private final Connection writer;
  private final Map<String, PreparedStatement> prepared = new StatementCache();
  private final int queueLimit;
  private final BlockingQueue<Write> queue;
  private final BlockingQueue<Connection> readers = new ArrayBlockingQueue<>(READERS);
  private final WorkerExecutor readThreads;
  private final Thread writeThread;
  private final Promise<Void> closed = Promise.promise();
  private final Promise<Void> allClosed = Promise.promise();

  /**
   * Set once, under the lock under which writes are taken: none slips in behind the last commit.
   */
  private volatile boolean closing;

  private SqliteStore(Vertx vertx, Path file, int queueLimit) throws SQLException {
    this.vertx = vertx;
    this.queueLimit = queueLimit;
    this.queue = new ArrayBlockingQueue<>(queueLimit);
    this.writer = connect(file);
    for (int i = 0; i < READERS; i++) {
      readers.add(connect(file));
    }
    this.readThreads = vertx.createSharedWorkerExecutor("sql-read-" + file.getFileName(), READERS);
    this.writeThread = new Thread(this::drain, "sql-write-" + file.getFileName());
    writeThread.setDaemon(true);
    writeThread.start();
  }

  /** Opens the file, and makes it when it is not there. Blocks for some milliseconds. */
  public static SqliteStore open(Vertx vertx, Path file) {
    return open(vertx, file, QUEUE_LIMIT);
  }

  /**
   * @param queueLimit most writes that may wait
   */
  static SqliteStore open(Vertx vertx, Path file, int queueLimit) {
    try {
      return new SqliteStore(vertx, file, queueLimit);
    } catch (SQLException e) {
      throw new Problem.Broken("cannot open the store " + file + ": " + e.getMessage())
          .toException();
    }
  }

  @Override
  public Future<Void> write(List<Statement> statements) {
    Write write = new Write(List.copyOf(statements), Promise.promise(), vertx.getOrCreateContext());
    synchronized (queue) {
      if (closing) {
        return Future.failedFuture(CLOSED.toException());
      }
      if (!queue.offer(write)) {
        return Future.failedFuture(
            new Problem.Busy("the store has " + queueLimit + " writes waiting", RETRY_AFTER)
                .toException());
      }
    }
    return write.promise().future();
  }

  @Override
  public <T> Future<List<T>> read(Statement query, Function<Row, T> each) {
    if (closing) {
      return Future.failedFuture(CLOSED.toException());
    }
    return readThreads.executeBlocking(
        () -> {
          Connection connection = readers.take();
          try (PreparedStatement statement = connection.prepareStatement(query.sql())) {
            bind(statement, query.arguments());
            List<T> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
              Row row = new SqliteRow(result);
              while (result.next()) {
                rows.add(each.apply(row));
              }
            }
            return rows;
          } finally {
            readers.put(connection);
          }
        },
        false);
  }

  @Override
  public Future<Void> close() {
    synchronized (queue) {
      if (!closing) {
        closing = true;
        writeThread.interrupt();
        closed.future().compose(done -> closeReaders()).onComplete(allClosed);
      }
    }
    Promise<Void> answer = Promise.promise();
    Context home = vertx.getOrCreateContext();
    allClosed.future().onComplete(outcome -> home.runOnContext(go -> answer.handle(outcome)));
    return answer.future();
  }

  /**
   * Takes the readers through the queue of the read threads, and thereby after all reads that were
   * handed in.
   */
  private Future<Void> closeReaders() {
    List<Future<Void>> closings = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      closings.add(
          readThreads.executeBlocking(
              () -> {
                readers.take().close();
                return null;
              },
              false));
    }
    return Future.join(closings).compose(done -> readThreads.close());
  }

  private void drain() {
    List<Write> group = new ArrayList<>(GROUP_LIMIT);
    while (!(closing && queue.isEmpty())) {
      try {
        if (queue.isEmpty()) {
          group.add(queue.take());
        }
      } catch (InterruptedException e) {
        continue; // close() woke us up: the condition of the loop decides
      }
      queue.drainTo(group, GROUP_LIMIT - group.size());
      commit(group);
      group.clear();
    }
    letGo();
  }

  private void commit(List<Write> group) {
    List<@Nullable Throwable> outcomes = new ArrayList<>(group.size());
    try {
      run("begin immediate");
      for (Write write : group) {
        outcomes.add(apply(write));
      }
      run("commit");
    } catch (SQLException e) {
      LOG.error("commit failed", e);
      forgetPrepared();
      rollback();
      outcomes.clear();
      group.forEach(write -> outcomes.add(broken(e)));
    }
    for (int i = 0; i < group.size(); i++) {
      complete(group.get(i), outcomes.get(i));
    }
  }

  /** Applies one write of a group; its failure, or null. */
  private @Nullable Throwable apply(Write write) throws SQLException {
    run("savepoint one");
    Throwable failure = null;
    try {
      for (Statement statement : write.statements()) {
        PreparedStatement sql = prepare(statement.sql());
        bind(sql, statement.arguments());
        int rows = sql.executeUpdate();
        Integer expected = statement.expectedRows();
        if (expected != null && rows != expected) {
          throw new Problem.Conflict("expected " + expected + " rows, touched " + rows)
              .toException();
        }
      }
    } catch (SQLException e) {
      failure = broken(e);
      forgetPrepared();
    } catch (RuntimeException e) {
      failure = e;
    }
    if (failure != null) {
      run("rollback to one");
    }
    run("release one");
    return failure;
  }

  private static void complete(Write write, @Nullable Throwable failure) {
    write
        .home()
        .runOnContext(go -> {
          if (failure == null) {
            write.promise().complete();
          } else {
            write.promise().fail(failure);
          }
        });
  }

  private void run(String sql) throws SQLException {
    prepare(sql).executeUpdate();
  }

  private void rollback() {
    try {
      run("rollback");
    } catch (SQLException e) {
      LOG.debug("nothing to roll back", e);
      forgetPrepared();
    }
  }

  /** The driver gives a statement up that met a full disk or the like: it works only anew. */
  private void forgetPrepared() {
    for (PreparedStatement statement : prepared.values()) {
      try {
        statement.close();
      } catch (SQLException e) {
        LOG.debug("closing a statement that had failed", e);
      }
    }
    prepared.clear();
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = writer.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }

  private void letGo() {
    try (writer;
        java.sql.Statement statement = writer.createStatement()) {
      statement.execute("pragma optimize");
    } catch (SQLException e) {
      LOG.warn("closing the store", e);
    }
    closed.complete();
  }

  private static Connection connect(Path file) throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
    try (java.sql.Statement statement = connection.createStatement()) {
      statement.execute("pragma busy_timeout = 10000");
      // Counts only before the first table: what is deleted gives its disk back.
      statement.execute("pragma auto_vacuum = full");
      statement.execute("pragma journal_mode = wal");
      statement.execute("pragma synchronous = full");
      statement.execute("pragma foreign_keys = on");
      statement.execute("pragma temp_store = memory");
    }
    return connection;
  }

  private static void bind(PreparedStatement statement, List<@Nullable Object> arguments)
      throws SQLException {
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case null -> statement.setObject(i + 1, null);
        case String text -> statement.setString(i + 1, text);
        case Integer number -> statement.setInt(i + 1, number);
        case Long number -> statement.setLong(i + 1, number);
        case Boolean flag -> statement.setInt(i + 1, flag ? 1 : 0);
        // SQLite turns a NaN into NULL; as text it stays, and sorts after all numbers.
        case Double number when number.isNaN() -> statement.setString(i + 1, SqliteRow.NAN);
        case Double number -> statement.setDouble(i + 1, number);
        case byte[] bytes -> statement.setBytes(i + 1, bytes);
        default ->
            throw new IllegalArgumentException(
                "no SQL argument: " + arguments.get(i).getClass().getName());
      }
    }
  }

  private static Throwable broken(SQLException e) {
    return new Problem.Broken("the store refused: " + e.getMessage()).toException();
  }

  /** Prepared statements of the writer, the least recently used one closed first. */
  private static final class StatementCache extends LinkedHashMap<String, PreparedStatement> {
    private static final long serialVersionUID = 1L;

    StatementCache() {
      super(CACHED_STATEMENTS, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, PreparedStatement> eldest) {
      if (size() <= CACHED_STATEMENTS) {
        return false;
      }
      try {
        eldest.getValue().close();
      } catch (SQLException e) {
        LOG.debug("closing a statement", e);
      }
      return true;
    }
  }
}
