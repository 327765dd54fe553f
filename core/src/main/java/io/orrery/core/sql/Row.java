package io.orrery.core.sql;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of an answer, by column name. Valid only while it is being read. */
public interface Row {
  /** A text, or null. */
  @Nullable String textOrNull(String column);

  /** An integer, or null. */
  @Nullable Long integerOrNull(String column);

  /** A number, NaN and infinities included, or null. */
  @Nullable Double realOrNull(String column);

  /** The bytes of a blob, or null. */
  byte @Nullable [] blobOrNull(String column);

  /** A text that is never null. */
  default String text(String column) {
    return required(column, textOrNull(column));
  }

  /** An integer that is never null. */
  default long integer(String column) {
    return required(column, integerOrNull(column));
  }

  /** Bytes that are never null. */
  default byte[] blob(String column) {
    return required(column, blobOrNull(column));
  }

  /** A time stored as milliseconds since the epoch, or null. */
  default @Nullable Instant instantOrNull(String column) {
    Long millis = integerOrNull(column);
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  /** A time that is never null. */
  default Instant instant(String column) {
    return Instant.ofEpochMilli(integer(column));
  }

  private static <T> T required(String column, @Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("column " + column + " is null");
    }
    return value;
  }
}
