package io.orrery.core.sql;

import java.util.Locale;

/** Which SQL a store speaks, for the few statements that cannot be the same on both. */
public enum Engine {
  SQLITE,
  POSTGRESQL;

  /** What a migration file for this engine alone has before its {@code .sql}: {@code .sqlite}. */
  String suffix() {
    return "." + name().toLowerCase(Locale.ROOT);
  }
}
