package io.orrery.core.sql;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A row of SQLite's. To ask of which kind a value is costs as much as the value: only where it
 * would be zero it is asked. So a column that is read as what it is not is found by PostgreSQL
 * alone. And a text comes fastest as the bytes that it is stored as: the driver's own way makes a
 * buffer around each one first.
 */
final class SqliteRow implements Row {
  /** How a NaN is stored; see {@link SqliteStore}. */
  static final String NAN = "NaN";

  private final ResultSet result;

  SqliteRow(ResultSet result) {
    this.result = result;
  }

  @Override
  public @Nullable String textOrNull(String column) {
    byte[] text = read(column, result::getBytes);
    return text == null ? null : new String(text, StandardCharsets.UTF_8);
  }

  @Override
  public @Nullable Long integerOrNull(String column) {
    long integer = read(column, result::getLong);
    if (integer == 0 && read(column, name -> result.wasNull())) {
      return null;
    }
    return integer;
  }

  @Override
  public @Nullable Double realOrNull(String column) {
    double real = read(column, result::getDouble);
    if (real != 0) {
      return real;
    }
    Object value = read(column, result::getObject);
    return switch (value) {
      case null -> null;
      case Number number -> number.doubleValue();
      case String text when text.equals(NAN) -> Double.NaN;
      default -> throw new IllegalStateException("column " + column + " is no number: " + value);
    };
  }

  @Override
  public byte @Nullable [] blobOrNull(String column) {
    return read(column, result::getBytes);
  }

  /** A method of the result set that reads a column. */
  private interface Reader<T extends @Nullable Object> {
    T read(String column) throws SQLException;
  }

  private static <T extends @Nullable Object> T read(String column, Reader<T> reader) {
    try {
      return reader.read(column);
    } catch (SQLException e) {
      throw new IllegalStateException("column " + column, e);
    }
  }
}
