package io.orrery.core.sql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;

/**
 * A connection to the file of a {@link SqliteStore}, set up as that wants it, with the statements
 * that it has prepared. Blocks; belongs to one thread at a time.
 */
final class SqliteSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteSession.class);

  /** Bytes after which the journal is brought into the file, about as by itself. */
  private static final int JOURNAL = 4 << 20;

  private final Connection connection;
  private final Prepared prepared = new Prepared();

  private SqliteSession(Connection connection) {
    this.connection = connection;
  }

  /**
   * Opens the file.
   *
   * @param pageBytes of a file that is new; another keeps its pages
   */
  static SqliteSession open(Path file, int pageBytes) throws SQLException {
    Connection connection =
        DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath(), settings());
    try (java.sql.Statement statement = connection.createStatement()) {
      statement.execute("pragma busy_timeout = 10000");
      // Both count only before the first table. What is deleted gives its disk back.
      statement.execute("pragma page_size = " + pageBytes);
      statement.execute("pragma auto_vacuum = full");
      statement.execute("pragma journal_mode = wal");
      statement.execute("pragma wal_autocheckpoint = " + JOURNAL / pageBytes(statement));
      statement.execute("pragma synchronous = full");
      statement.execute("pragma foreign_keys = on");
      statement.execute("pragma temp_store = memory");
    }
    return new SqliteSession(connection);
  }

  private static int pageBytes(java.sql.Statement statement) throws SQLException {
    try (ResultSet pages = statement.executeQuery("pragma page_size")) {
      return pages.getInt(1);
    }
  }

  /** Generated keys are not needed, and looking them up is a query after every insert. */
  private static Properties settings() {
    SQLiteConfig config = new SQLiteConfig();
    config.setGetGeneratedKeys(false);
    return config.toProperties();
  }

  /**
   * Statistics are of the day on which they were taken: a table that was small then is read from
   * end to end when it has a hundred thousand rows. Without them the planner takes the index.
   */
  void forgetStatistics() throws SQLException {
    try (java.sql.Statement statement = connection.createStatement()) {
      statement.execute("drop table if exists sqlite_stat1");
      statement.execute("drop table if exists sqlite_stat4");
    }
  }

  /** Runs a statement that is needed once. */
  void run(String sql) throws SQLException {
    try (java.sql.Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of the first row of an answer; null when there is none. */
  @Nullable String text(String sql) throws SQLException {
    try (java.sql.Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  /** A statement, which stays this session's. */
  PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }

  /** After a failure: the driver gives up a statement that met a full disk or the like. */
  void forget() {
    prepared.values().forEach(Prepared::close);
    prepared.clear();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /** A cache of prepared statements by text; the least recently used one is closed first. */
  private static final class Prepared extends LinkedHashMap<String, PreparedStatement> {
    private static final long serialVersionUID = 1L;
    private static final int MOST = 128;

    Prepared() {
      super(MOST, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, PreparedStatement> eldest) {
      if (size() <= MOST) {
        return false;
      }
      close(eldest.getValue());
      return true;
    }

    private static void close(PreparedStatement statement) {
      try {
        statement.close();
      } catch (SQLException e) {
        LOG.debug("closing a statement", e);
      }
    }
  }
}
