package io.orrery.core.sql;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** A row of PostgreSQL's. */
final class PostgresRow implements Row {
  private final io.vertx.sqlclient.Row row;

  PostgresRow(io.vertx.sqlclient.Row row) {
    this.row = row;
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
    Number number = (Number) value(column, Number.class);
    return number == null ? null : number.doubleValue();
  }

  @Override
  public byte @Nullable [] blobOrNull(String column) {
    Buffer bytes = (Buffer) value(column, Buffer.class);
    return bytes == null ? null : bytes.getBytes();
  }

  private @Nullable Object value(String column, Class<?> type) {
    int place = row.getColumnIndex(column);
    if (place < 0) {
      throw new IllegalStateException("there is no column " + column);
    }
    Object value = row.getValue(place);
    if (value != null && !type.isInstance(value)) {
      throw new IllegalStateException(
          "column " + column + " is " + value.getClass().getSimpleName());
    }
    return value;
  }
}
