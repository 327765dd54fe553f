package io.orrery.core.sql;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements as PostgreSQL wants them. */
final class PostgresSql {
  private PostgresSql() {}

  /** The same SQL with {@code $1, $2, …} for the question marks that stand outside of quotes. */
  static String numbered(String sql) {
    StringBuilder numbered = new StringBuilder(sql.length() + 16);
    int parameters = 0;
    char quote = 0;
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '?') {
        numbered.append('$').append(++parameters);
        continue;
      }
      numbered.append(c);
    }
    return numbered.toString();
  }

  /** The arguments as the driver takes them. */
  static Tuple tuple(List<@Nullable Object> arguments) {
    Tuple tuple = Tuple.tuple();
    for (Object argument : arguments) {
      switch (argument) {
        case null -> tuple.addValue(null);
        // The one character that no text of PostgreSQL's can hold.
        case String text -> tuple.addString(text.replace('\0', '\uFFFD'));
        case Boolean flag -> tuple.addInteger(flag ? 1 : 0);
        case Integer number -> tuple.addInteger(number);
        case Long number -> tuple.addLong(number);
        case Double number -> tuple.addDouble(number);
        case byte[] bytes -> tuple.addBuffer(Buffer.buffer(bytes));
        default ->
            throw new IllegalArgumentException("no SQL argument: " + argument.getClass().getName());
      }
    }
    return tuple;
  }
}
