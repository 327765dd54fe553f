package io.orrery.core.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A row of SQLite's. */
final class SqliteRow implements Row {
  /** How a NaN is stored; see {@link SqliteStore}. */
  static final String NAN = "NaN";

  private final ResultSet result;

  SqliteRow(ResultSet result) {
    this.result = result;
  }

  @Override
  public @Nullable String textOrNull(String column) {
    return (String) value(column, String.class);
  }

  @Override
  public @Nullable Long integerOrNull(String column) {
    Number number = (Number) value(column, Number.class);
    return number == null ? null : number.longValue();
  }

  @Override
  public @Nullable Double realOrNull(String column) {
    Object value = value(column, Object.class);
    return switch (value) {
      case null -> null;
      case Number number -> number.doubleValue();
      case String text when text.equals(NAN) -> Double.NaN;
      default -> throw new IllegalStateException("column " + column + " is no number: " + value);
    };
  }

  @Override
  public byte @Nullable [] blobOrNull(String column) {
    return (byte[]) value(column, byte[].class);
  }

  private @Nullable Object value(String column, Class<?> type) {
    try {
      return type.cast(result.getObject(column));
    } catch (SQLException e) {
      throw new IllegalStateException("column " + column, e);
    }
  }
}
