package io.orrery.core.sql;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A condition on texts that contain another one, in any case. */
public final class Like {
  private Like() {}

  /**
   * Adds the condition that one of several columns contains a text, taken as it is.
   *
   * @param where to which {@code and (…)} is added
   * @param arguments to which what the question marks stand for is added
   */
  public static void any(
      List<String> columns, String text, StringBuilder where, List<@Nullable Object> arguments) {
    String pattern = "%" + text.toLowerCase(Locale.ROOT).replaceAll("([\\\\%_])", "\\\\$1") + "%";
    String separator = " and (";
    for (String column : columns) {
      where.append(separator).append("lower(").append(column).append(") like ? escape '\\'");
      arguments.add(pattern);
      separator = " or ";
    }
    where.append(')');
  }
}
