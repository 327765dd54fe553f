package io.orrery.core.sql;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteOpenMode;

/** A foreign database, which is read and never changed. Blocks. */
public final class SqliteFile implements DatabaseReader {
  /** Steps of SQLite's machine between two looks at the time. */
  private static final int STEPS = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(SqliteFile.class);

  private final Path file;
  private final Connection connection;

  private SqliteFile(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /**
   * Opens a file.
   *
   * @throws IOException when it is not there or cannot be read
   */
  public static SqliteFile open(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new NoSuchFileException(file.toString());
    }
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setOpenMode(SQLiteOpenMode.READONLY);
    config.setBusyTimeout(30_000);
    try {
      return new SqliteFile(file, config.createConnection("jdbc:sqlite:" + file.toAbsolutePath()));
    } catch (SQLException e) {
      throw new IOException(file + " cannot be opened: " + e.getMessage(), e);
    }
  }

  /** A database without a file, whose connection stays that of the caller. */
  static SqliteFile over(Connection memory) {
    return new SqliteFile(Path.of(":memory:"), memory);
  }

  @Override
  public Engine engine() {
    return Engine.SQLITE;
  }

  /**
   * All rows of an answer.
   *
   * @throws IOException when the file is no database, or is another than expected
   */
  @Override
  public <T> List<T> read(String sql, Function<Row, T> each) throws IOException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet result = statement.executeQuery()) {
      List<T> rows = new ArrayList<>();
      Row row = new SqliteRow(result);
      while (result.next()) {
        rows.add(each.apply(row));
      }
      return rows;
    } catch (SQLException e) {
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Writes the database as it is at one moment into a file that is not there yet, while others go
   * on writing into this one.
   */
  public void copyTo(Path target) throws IOException {
    try (PreparedStatement statement = connection.prepareStatement("vacuum into ?")) {
      statement.setString(1, target.toAbsolutePath().toString());
      statement.execute();
    } catch (SQLException e) {
      throw new IOException(file + " cannot be copied: " + e.getMessage(), e);
    }
  }

  /** The faults that SQLite finds in it; empty when there are none. */
  public List<String> damage() throws IOException {
    return read("pragma integrity_check(10)", row -> row.text("integrity_check")).stream()
        .filter(line -> !line.equals("ok"))
        .toList();
  }

  /**
   * The faults that a quick check finds, which does not compare indexes with their tables; empty
   * when there are none.
   *
   * @param limit after which the check is given up
   * @throws InterruptedIOException when it was
   * @throws IOException when the file is no database
   */
  public List<String> damage(Duration limit) throws IOException {
    long began = System.nanoTime();
    try {
      ProgressHandler.setHandler(
          connection,
          STEPS,
          new ProgressHandler() {
            @Override
            protected int progress() {
              return System.nanoTime() - began > limit.toNanos() ? 1 : 0;
            }
          });
      return read("pragma quick_check(10)", row -> row.text("quick_check")).stream()
          .filter(line -> !line.equals("ok"))
          .toList();
    } catch (SQLException e) {
      throw new IOException(e);
    } catch (IOException e) {
      if (e.getCause() instanceof SQLException cause
          && cause.getErrorCode() == SQLiteErrorCode.SQLITE_INTERRUPT.code) {
        throw new InterruptedIOException(file + " was not checked within " + limit.toSeconds());
      }
      throw e;
    } finally {
      clearHandler();
    }
  }

  private void clearHandler() {
    try {
      ProgressHandler.clearHandler(connection);
    } catch (SQLException e) {
      LOG.debug("could not clear the handler of {}", file, e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }
}
