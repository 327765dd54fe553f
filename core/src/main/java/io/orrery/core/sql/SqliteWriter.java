package io.orrery.core.sql;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A new database for another program. What was not committed is not in it; without a commit there
 * is no file. Blocks.
 */
public final class SqliteWriter implements AutoCloseable {
  private final Path file;
  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private boolean committed;

  private SqliteWriter(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /**
   * Makes a file.
   *
   * @throws IOException when it is there already, or cannot be made
   */
  public static SqliteWriter create(Path file) throws IOException {
    if (Files.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    try {
      Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file.toAbsolutePath());
      connection.setAutoCommit(false);
      return new SqliteWriter(file, connection);
    } catch (SQLException e) {
      throw new IOException(file + " cannot be made: " + e.getMessage(), e);
    }
  }

  /** Runs a statement with its values. */
  public void run(String sql, @Nullable Object... values) throws IOException {
    try {
      PreparedStatement statement = statements.get(sql);
      if (statement == null) {
        statement = connection.prepareStatement(sql);
        statements.put(sql, statement);
      }
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IOException(file + " cannot be written: " + e.getMessage(), e);
    }
  }

  public void commit() throws IOException {
    try {
      connection.commit();
      committed = true;
    } catch (SQLException e) {
      throw new IOException(file + " cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException(e);
    } finally {
      if (!committed) {
        Files.deleteIfExists(file);
      }
    }
  }
}
