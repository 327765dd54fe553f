package io.orrery.core.sql;

import java.util.Locale;

/** The SQL dialect of a store, for the few statements that differ. */
public enum Engine {
  SQLITE,
  POSTGRESQL;

  /** An expression: milliseconds since the epoch by the database's own clock, at this moment. */
  public String millis() {
    return switch (this) {
      case SQLITE -> "cast(unixepoch('subsec') * 1000 as integer)";
      case POSTGRESQL -> "cast(extract(epoch from clock_timestamp()) * 1000 as bigint)";
    };
  }

  /** The suffix before {@code .sql} of a migration for this engine alone: {@code .sqlite}. */
  String suffix() {
    return "." + name().toLowerCase(Locale.ROOT);
  }
}
