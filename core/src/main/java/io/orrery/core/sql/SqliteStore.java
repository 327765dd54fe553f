package io.orrery.core.sql;

import io.orrery.core.problem.FileFault;
import io.orrery.core.problem.Problem;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The embedded store: one SQLite file in WAL mode with {@code synchronous=FULL}.
 *
 * <p>One connection writes, in groups (see {@link GroupCommit}); each write among others stands on
 * a savepoint of its own and fails alone. Readers are separate connections that see the last
 * commit; their transactions are one query long, because a long reader would pin the write-ahead
 * log.
 *
 * <p>The file is longer than 400 lines, because its connections share one life, from opening to
 * closing.
 */
public final class SqliteStore implements Store {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);

  /** A write that leaves nothing behind, and is one for all that. */
  private static final List<Statement> PROBE =
      List.of(
          Statement.of("create table if not exists probe (at integer)"),
          Statement.of("drop table probe"));

  /** Bytes; what SQLite takes by itself. */
  private static final int PAGE = 4 << 10;

  /** Of 4, 16 and 32 KB the one with which the metric log took most points a second. */
  private static final int LARGE_PAGE = 16 << 10;

  private static final int READERS = 3;

  private final Vertx vertx;
  private final SqliteSession writer;
  private final BlockingQueue<SqliteSession> readers = new ArrayBlockingQueue<>(READERS);
  private final WorkerExecutor readThreads;
  private final GroupCommit writes;

  /** Null for a file that may be lost. */
  private final @Nullable SqliteMark mark;

  private final Promise<Void> allClosed = Promise.promise();
  private final AtomicBoolean closing = new AtomicBoolean();

  /** Whether the disk refused a write of the group at hand; the writer's. */
  private boolean refused;

  /** Why the disk took nothing the last time, null when it did. */
  private volatile @Nullable SQLException fault;

  private SqliteStore(
      Vertx vertx, Path file, int pageBytes, int queueLimit, @Nullable SqliteMark mark)
      throws SQLException, IOException {
    this.vertx = vertx;
    this.mark = mark;
    makePrivate(file);
    this.writer = SqliteSession.open(file, pageBytes);
    if (mark != null) {
      identify(mark, writer);
    }
    writer.forgetStatistics();
    for (int i = 0; i < READERS; i++) {
      readers.add(SqliteSession.open(file, pageBytes));
    }
    this.readThreads = vertx.createSharedWorkerExecutor("sql-read-" + file.getFileName(), READERS);
    this.writes =
        GroupCommit.start(vertx, "sql-write-" + file.getFileName(), queueLimit, new Writer());
  }

  /** Opens the file, and makes it when it is not there. Blocks for some milliseconds. */
  public static SqliteStore open(Vertx vertx, Path file) {
    return open(vertx, file, GroupCommit.QUEUE_LIMIT);
  }

  /**
   * The same for a file whose content cannot be made anew: beside it lies a mark of what is
   * durable, and when the file is missing, shorter, damaged or another's, this fails. One process
   * at a time may have it open.
   *
   * @throws io.orrery.core.problem.ProblemException Broken, with the file and what to do
   */
  public static SqliteStore openKept(Vertx vertx, Path file) {
    return open(vertx, file, PAGE, GroupCommit.QUEUE_LIMIT, true);
  }

  /**
   * The same as {@link #openKept} for values of kilobytes and more. Each page of one is written to
   * the journal and from there to the file by calls of its own, so four times the page is half of
   * the processor time; and a row that is changed by itself costs a larger page. A file that is
   * there keeps its pages.
   */
  public static SqliteStore openForLargeValues(Vertx vertx, Path file) {
    return open(vertx, file, LARGE_PAGE, GroupCommit.QUEUE_LIMIT, true);
  }

  /**
   * @param queueLimit most writes that may wait
   */
  static SqliteStore open(Vertx vertx, Path file, int queueLimit) {
    return open(vertx, file, PAGE, queueLimit, false);
  }

  private static SqliteStore open(
      Vertx vertx, Path file, int pageBytes, int queueLimit, boolean kept) {
    SqliteMark mark = null;
    try {
      mark = kept ? SqliteMark.check(file) : null;
      return new SqliteStore(vertx, file, pageBytes, queueLimit, mark);
    } catch (SQLException | IOException e) {
      abandon(mark);
      String why = e instanceof IOException of ? FileFault.words(of) : innermost(e);
      throw new Problem.Broken("cannot open the store " + file + ": " + why).toException();
    } catch (RuntimeException e) {
      abandon(mark);
      throw e;
    }
  }

  /** The message of the innermost cause, which says more: no room for the library, for example. */
  private static String innermost(Exception e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.equals(e)
        ? String.valueOf(e.getMessage())
        : e.getMessage() + " (" + cause.getMessage() + ")";
  }

  private static void identify(SqliteMark mark, SqliteSession session)
      throws SQLException, IOException {
    try {
      mark.identify(session);
    } catch (SQLException | IOException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private static void abandon(@Nullable SqliteMark mark) {
    if (mark != null) {
      mark.abandon();
    }
  }

  @Override
  public Engine engine() {
    return Engine.SQLITE;
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
    return readThreads.executeBlocking(
        () -> {
          SqliteSession reader = readers.take();
          try {
            return rows(reader.prepare(query.sql()), query.arguments(), each);
          } catch (SQLException e) {
            reader.forget();
            throw e;
          } finally {
            readers.put(reader);
          }
        },
        false);
  }

  private static <T> List<T> rows(
      PreparedStatement statement, List<@Nullable Object> arguments, Function<Row, T> each)
      throws SQLException {
    bind(statement, arguments);
    List<T> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      Row row = new SqliteRow(result);
      while (result.next()) {
        rows.add(each.apply(row));
      }
    }
    return rows;
  }

  @Override
  public Future<Void> probe() {
    return fault == null ? Future.succeededFuture() : write(PROBE);
  }

  @Override
  public Future<Void> close() {
    if (closing.compareAndSet(false, true)) {
      writes.close().compose(done -> closeReaders()).onComplete(allClosed);
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
    return Future.join(closings)
        .compose(done ->
            mark == null
                ? Future.succeededFuture()
                : readThreads.<Void>executeBlocking(
                    () -> {
                      mark.closed();
                      return null;
                    },
                    false))
        .compose(done -> readThreads.close());
  }

  private final class Writer implements GroupCommit.Committer {
    @Override
    public List<@Nullable Throwable> commit(List<List<Statement>> group) {
      List<@Nullable Throwable> outcomes = new ArrayList<>(group.size());
      refused = false;
      try {
        run("begin immediate");
        if (group.size() == 1) {
          Throwable failure = apply(group.getFirst());
          outcomes.add(failure);
          if (failure == null) {
            run("commit");
          } else {
            rollback();
          }
        } else {
          for (List<Statement> write : group) {
            outcomes.add(applyByItself(write));
          }
          run("commit");
        }
        if (!refused) {
          fault = null;
        }
        if (mark != null) {
          mark.committed();
        }
      } catch (SQLException e) {
        LOG.error("could not commit", e);
        fault = e;
        writer.forget();
        rollback();
        outcomes.clear();
        group.forEach(write -> outcomes.add(broken(e)));
      }
      return outcomes;
    }

    @Override
    public void close() {
      if (mark != null) {
        mark.closing();
      }
      try {
        writer.close();
      } catch (SQLException e) {
        LOG.warn("closing the store", e);
      }
    }
  }

  /** Applies one write among others; its failure, after which nothing of it is left, or null. */
  private @Nullable Throwable applyByItself(List<Statement> write) throws SQLException {
    run("savepoint one");
    Throwable failure = apply(write);
    if (failure != null) {
      run("rollback to one");
    }
    run("release one");
    return failure;
  }

  /** Applies one write; its failure, after which a part of it may be there, or null. */
  private @Nullable Throwable apply(List<Statement> write) {
    try {
      for (Statement statement : write) {
        PreparedStatement sql = writer.prepare(statement.sql());
        bind(sql, statement.arguments());
        int rows = sql.executeUpdate();
        Integer expected = statement.expectedRows();
        if (expected != null && rows != expected) {
          throw WriteConflict.of(expected, rows);
        }
      }
      return null;
    } catch (SQLException e) {
      writer.forget();
      if (isOfTheDisk(e)) {
        fault = e;
        refused = true;
      }
      return broken(e);
    } catch (RuntimeException e) {
      return e;
    }
  }

  private void run(String sql) throws SQLException {
    writer.prepare(sql).executeUpdate();
  }

  private void rollback() {
    try {
      run("rollback");
    } catch (SQLException e) {
      LOG.debug("nothing to roll back", e);
      writer.forget();
    }
  }

  /**
   * Makes the file for its owner alone, wherever it lies: it holds parameters, commands and
   * environments. The engine gives its log and its index the mode of the file. One that exists
   * keeps its mode, which may have been intended.
   */
  private static void makePrivate(Path file) throws SQLException {
    try {
      if (Files.getFileStore(file.toAbsolutePath().getParent())
          .supportsFileAttributeView("posix")) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
    } catch (FileAlreadyExistsException e) {
      LOG.trace("{} is there", file);
    } catch (IOException e) {
      throw new SQLException(FileFault.words(e), e);
    }
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

  /** Whether it was not the statement that was wrong. */
  private static boolean isOfTheDisk(SQLException e) {
    return e instanceof SQLiteException of
        && switch (SQLiteErrorCode.getErrorCode(of.getResultCode().code & 0xff)) {
          case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_CORRUPT -> true;
          default -> false;
        };
  }

  private static Throwable broken(SQLException e) {
    return new Problem.Broken("the store refused: " + e.getMessage()).toException();
  }
}
