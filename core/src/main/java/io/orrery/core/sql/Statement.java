package io.orrery.core.sql;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A SQL statement as a value. Parameters are written {@code ?}; the SQL is what SQLite and
 * PostgreSQL both take (upserts with {@code on conflict}, {@code returning}, JSON as text, times as
 * integers of milliseconds, identifiers made by us).
 *
 * @param arguments text, Long, Integer, Double (NaN included), Boolean (stored as 0 and 1), byte[]
 *     or null
 * @param expectedRows how many rows it must touch, or null when any number will do: a write whose
 *     statement touches another number fails whole
 */
public record Statement(
    String sql, List<@Nullable Object> arguments, @Nullable Integer expectedRows) {
  public Statement {
    arguments = Collections.unmodifiableList(arguments);
  }

  public static Statement of(String sql, @Nullable Object... arguments) {
    return new Statement(sql, Arrays.asList(arguments.clone()), null);
  }

  /**
   * As many parameters in brackets, for {@code in}: {@code (?, ?)}.
   *
   * @param number 1 or more: an empty list is no SQL
   */
  public static String marks(int number) {
    return "(" + String.join(", ", Collections.nCopies(number, "?")) + ")";
  }

  /** The same, failing the whole write unless it touches exactly this many rows. */
  public Statement expecting(int rows) {
    return new Statement(sql, arguments, rows);
  }
}
