package io.orrery.core.sql;

import io.orrery.core.check.CheckResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks a database: logs in beside the server, if there is one, or looks through its store.
 * Changes nothing. What returns a list blocks, for half a minute at most.
 */
public final class DatabaseCheck {
  private static final String DATABASE = "database";
  private static final Duration QUICK_CHECK = Duration.ofSeconds(20);
  private static final String LOGIN =
      "select current_setting('server_version') as version,"
          + " case when pg_is_in_recovery() then 1 else 0 end as standby,"
          + " case when has_schema_privilege(current_schema(), 'CREATE') then 1 else 0 end as makes,"
          + " (select count(*) from information_schema.tables"
          + " where table_schema = current_schema() and table_name = 'migrations') as used";
  private static final String USED =
      "select count(*) as used from sqlite_master where type = 'table' and name = 'migrations'";

  private DatabaseCheck() {}

  /** A look that has been taken at a PostgreSQL database. */
  private record Login(String version, boolean standby, boolean makes, boolean used) {
    static Login of(Row row) {
      return new Login(
          row.text("version"),
          row.integer("standby") == 1,
          row.integer("makes") == 1,
          row.integer("used") == 1);
    }
  }

  /**
   * The outcomes for a PostgreSQL database.
   *
   * @param known all migrations of this program
   * @param command that checks it, as {@code pg_stat_activity} names it
   */
  public static List<CheckResult> postgres(
      Vertx vertx, PostgresAddress address, List<Migrations> known, String command) {
    List<CheckResult> results = new ArrayList<>();
    try (PostgresReader reader = PostgresReader.open(vertx, address, command)) {
      Login login = reader.read(LOGIN, Login::of).getFirst();
      results.add(login(address, login));
      results.addAll(schema(reader, known, login.used()));
    } catch (UnusableDatabase e) {
      results.add(CheckResult.failed(DATABASE, e.reason(), e.remedy()));
    } catch (IOException e) {
      results.add(
          CheckResult.failed(
              results.isEmpty() ? DATABASE : SchemaCheck.NAME,
              address + " does not answer: " + e.getMessage(),
              "read the log of PostgreSQL"));
    }
    return results;
  }

  private static CheckResult login(PostgresAddress address, Login login) {
    String found = "PostgreSQL %s at %s takes this user".formatted(login.version(), address);
    if (login.standby()) {
      return CheckResult.failed(
          DATABASE,
          found + ", but is a standby, which cannot be written",
          "name the primary in store.url");
    }
    return login.makes() || login.used()
        ? CheckResult.ok(DATABASE, found)
        : CheckResult.failed(
            DATABASE,
            found + ", but lets it make no tables",
            "grant create on schema public to this user, or make it the owner of the database");
  }

  private static List<CheckResult> schema(
      DatabaseReader reader, List<Migrations> known, boolean used) throws IOException {
    if (!used) {
      return List.of(CheckResult.ok(SchemaCheck.NAME, "no tables yet: the first start makes them"));
    }
    List<SchemaCheck.Applied> applied =
        reader.read(SchemaCheck.APPLIED.sql(), SchemaCheck.Applied::of);
    List<StoreRelease> newest =
        SchemaCheck.tellsRelease(applied)
            ? reader.read(StoreRelease.NEWEST.sql(), StoreRelease::of)
            : List.of();
    CheckResult changes = SchemaCheck.of(known, applied, first(newest));
    return changes.state() == CheckResult.State.FAILED
        ? List.of(changes)
        : List.of(
            changes,
            SchemaShape.expected(known, applied, reader.engine()).check(SchemaShape.read(reader)));
  }

  /**
   * The outcomes for the schema of the database of a server that runs.
   *
   * @param known all migrations of this program
   */
  public static Future<List<CheckResult>> schema(Vertx vertx, Store store, List<Migrations> known) {
    return store
        .read(SchemaCheck.APPLIED, SchemaCheck.Applied::of)
        .compose(applied ->
            newest(store, applied)
                .compose(newest -> {
                  CheckResult changes = SchemaCheck.of(known, applied, first(newest));
                  return changes.state() == CheckResult.State.FAILED
                      ? Future.succeededFuture(List.of(changes))
                      : tables(vertx, store, known, applied)
                          .map(tables -> List.of(changes, tables));
                }));
  }

  private static Future<List<StoreRelease>> newest(Store store, List<SchemaCheck.Applied> applied) {
    return SchemaCheck.tellsRelease(applied)
        ? store.read(StoreRelease.NEWEST, StoreRelease::of)
        : Future.succeededFuture(List.of());
  }

  private static @Nullable StoreRelease first(List<StoreRelease> newest) {
    return newest.isEmpty() ? null : newest.getFirst();
  }

  private static Future<CheckResult> tables(
      Vertx vertx, Store store, List<Migrations> known, List<SchemaCheck.Applied> applied) {
    return SchemaShape.read(store)
        .compose(present ->
            vertx.executeBlocking(
                () -> SchemaShape.expected(known, applied, store.engine()).check(present), false));
  }

  /**
   * The outcomes for a file of SQLite.
   *
   * @param name of the check of the file
   * @param known all migrations that this program may apply to it; without any its content alone is
   *     checked
   */
  public static List<CheckResult> sqlite(String name, Path file, List<Migrations> known) {
    if (!Files.exists(file)) {
      return List.of(CheckResult.ok(name, file + " is not there yet: the first start makes it"));
    }
    List<CheckResult> results = new ArrayList<>();
    try (SqliteFile opened = SqliteFile.open(file)) {
      CheckResult content = content(name, file, opened);
      results.add(content);
      if (!known.isEmpty() && content.state() != CheckResult.State.FAILED) {
        boolean used = opened.read(USED, row -> row.integer("used")).getFirst() == 1;
        results.addAll(schema(opened, known, used));
      }
    } catch (IOException e) {
      results.add(CheckResult.failed(name, String.valueOf(e.getMessage()), repair(file)));
    }
    return results;
  }

  private static CheckResult content(String name, Path file, SqliteFile opened) throws IOException {
    try {
      List<String> faults = opened.damage(QUICK_CHECK);
      return faults.isEmpty()
          ? CheckResult.ok(name, file + " is whole")
          : CheckResult.failed(
              name, file + " is damaged: " + String.join("; ", faults), repair(file));
    } catch (InterruptedIOException e) {
      return CheckResult.unknown(
          name,
          "%s (%,d MB) could not be read to its end within %d s"
              .formatted(file, Files.size(file) >> 20, QUICK_CHECK.toSeconds()),
          "`sqlite3 " + file + " 'pragma quick_check'` takes its time");
    }
  }

  private static String repair(Path file) {
    return "stop the server, and restore a backup (`orrery restore`), or let its user read " + file;
  }
}
