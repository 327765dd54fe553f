package io.orrery.core.sql;

import io.orrery.core.check.CheckResult;
import io.orrery.core.sql.SchemaCheck.Applied;
import io.vertx.core.Future;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The names in a schema, to find what was taken out by hand: its tables with their columns, and its
 * indexes. Those that migrations make are found by applying them to an empty database in memory.
 * Other tables, columns and indexes are ignored.
 *
 * @param columns by the names of tables
 */
record SchemaShape(Map<String, Set<String>> columns, Set<String> indexes) {
  static final String NAME = "tables";

  private static final String SQLITE_COLUMNS =
      "select t.name as relation, c.name as part from sqlite_master t, pragma_table_info(t.name) c"
          + " where t.type = 'table' and t.name not like 'sqlite_%'";
  private static final String SQLITE_INDEXES =
      "select name from sqlite_master where type = 'index' and name not like 'sqlite_%'";
  private static final String POSTGRESQL_COLUMNS =
      "select cast(t.relname as text) as relation, cast(c.attname as text) as part"
          + " from pg_class t join pg_attribute c on c.attrelid = t.oid"
          + " where t.relnamespace = cast(current_schema() as regnamespace)"
          + " and t.relkind in ('r', 'p') and c.attnum > 0 and not c.attisdropped";
  private static final String POSTGRESQL_INDEXES =
      "select cast(indexname as text) as name from pg_indexes where schemaname = current_schema()";

  private record Column(String relation, String name) {
    static Column of(Row row) {
      return new Column(row.text("relation"), row.text("part"));
    }
  }

  /** The shape of a database. */
  static SchemaShape read(DatabaseReader reader) throws IOException {
    return of(
        reader.read(columns(reader.engine()), Column::of),
        reader.read(indexes(reader.engine()), row -> row.text("name")));
  }

  /** The shape of the database of a server that runs. */
  static Future<SchemaShape> read(Store store) {
    return store
        .read(Statement.of(columns(store.engine())), Column::of)
        .compose(columns ->
            store
                .read(Statement.of(indexes(store.engine())), row -> row.text("name"))
                .map(indexes -> of(columns, indexes)));
  }

  private static String columns(Engine engine) {
    return engine == Engine.SQLITE ? SQLITE_COLUMNS : POSTGRESQL_COLUMNS;
  }

  private static String indexes(Engine engine) {
    return engine == Engine.SQLITE ? SQLITE_INDEXES : POSTGRESQL_INDEXES;
  }

  private static SchemaShape of(List<Column> all, List<String> indexes) {
    Map<String, Set<String>> columns = new TreeMap<>();
    all.forEach(column -> add(columns, column.relation(), column.name()));
    return new SchemaShape(columns, new TreeSet<>(indexes));
  }

  /**
   * The shape that migrations make.
   *
   * @param known in an order in which they can be applied
   * @param applied the ones that count
   * @param engine whose files are read
   */
  static SchemaShape expected(List<Migrations> known, List<Applied> applied, Engine engine)
      throws IOException {
    Map<String, Integer> last = new HashMap<>();
    applied.forEach(each -> last.merge(each.module(), each.number(), Math::max));
    try (Connection empty = DriverManager.getConnection("jdbc:sqlite::memory:");
        java.sql.Statement statement = empty.createStatement()) {
      for (Migrations module : known) {
        int number = Math.min(last.getOrDefault(module.module(), 0), module.files().size());
        for (String file : module.files().subList(0, number)) {
          for (String sql : module.sql(file, engine)) {
            apply(statement, sql);
          }
        }
      }
      return read(SqliteFile.over(empty));
    } catch (SQLException e) {
      throw new IOException("a migration cannot be read: " + e.getMessage(), e);
    }
  }

  /** Leaves out the words of PostgreSQL that change no name. */
  private static void apply(java.sql.Statement statement, String sql) throws SQLException {
    if (!sql.matches("(?is)alter table \\S+ alter column .*")) {
      statement.execute(sql.replaceAll("(?i) nulls last", ""));
    }
  }

  private static void add(Map<String, Set<String>> columns, String table, String column) {
    columns.computeIfAbsent(table, name -> new TreeSet<>()).add(column);
  }

  /** The outcome for a database of some shape that should have this one. */
  CheckResult check(SchemaShape present) {
    List<String> missing = new ArrayList<>();
    columns.forEach((table, names) -> {
      Set<String> there = present.columns().get(table);
      if (there == null) {
        missing.add("the table " + table);
      } else {
        names.stream()
            .filter(name -> !there.contains(name))
            .forEach(name -> missing.add("the column " + name + " of " + table));
      }
    });
    List<String> slow =
        indexes.stream()
            .filter(name -> !present.indexes().contains(name))
            .map(name -> "the index " + name)
            .toList();
    if (missing.isEmpty() && slow.isEmpty()) {
      return CheckResult.ok(
          NAME, "%d tables and %d indexes are there".formatted(columns.size(), indexes.size()));
    }
    if (missing.isEmpty()) {
      return CheckResult.warning(
          NAME,
          "it lacks " + SchemaCheck.shortened(slow) + ", without which it is slow",
          "make it again as the migration does that made it");
    }
    missing.addAll(slow);
    return CheckResult.failed(
        NAME,
        "it lacks " + SchemaCheck.shortened(missing) + ": it was changed by hand",
        "restore a backup, or make them again as the migrations do that made them");
  }
}
