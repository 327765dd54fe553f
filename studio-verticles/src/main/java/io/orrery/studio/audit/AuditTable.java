package io.orrery.studio.audit;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Audits.Entry;
import io.orrery.core.bus.contract.Audits.EntryPage;
import io.orrery.core.bus.contract.Audits.ListEntries;
import io.orrery.core.sql.Cursor;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The rows of the audit log. */
public final class AuditTable {
  private static final int MOST_DETAIL = 2_000;

  private final Store store;
  private final RandomGenerator random;

  /** An entry with the place of its row. */
  private record Placed(Entry entry, String id) {}

  public AuditTable(Store store, RandomGenerator random) {
    this.store = store;
    this.random = random;
  }

  /** The statement that adds an entry; it belongs in the commit of the change. */
  public Statement insert(Entry entry) {
    ProjectName project = entry.project();
    String detail = entry.detail();
    return Statement.of(
        "insert into audit (at, id, user_name, address, action, kind, name, project, result,"
            + " detail) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        entry.at().toEpochMilli(),
        id(entry.at()),
        entry.user(),
        entry.from(),
        entry.action(),
        entry.kind(),
        entry.name(),
        project == null ? null : project.value(),
        entry.result(),
        detail.length() <= MOST_DETAIL ? detail : detail.substring(0, MOST_DETAIL) + "…");
  }

  /** Sorts as the time does within a millisecond, in twenty bits; the rest is random. */
  private String id(Instant at) {
    long nanos = at.get(ChronoField.NANO_OF_SECOND) % 1_000_000;
    return HexFormat.of().toHexDigits(nanos << 44 | random.nextLong() >>> 20);
  }

  /** A page, newest first; the cursor is the place after the last row: time and id. */
  public Future<EntryPage> page(ListEntries wanted) {
    StringBuilder where = new StringBuilder(" where at >= ? and at < ?");
    List<@Nullable Object> arguments = new ArrayList<>();
    arguments.add(millis(wanted.from(), 0));
    arguments.add(millis(wanted.to(), Long.MAX_VALUE));
    add(where, arguments, "user_name", wanted.user());
    add(where, arguments, "kind", wanted.kind());
    add(where, arguments, "name", wanted.name());
    ProjectName project = wanted.project();
    add(where, arguments, "project", project == null ? null : project.value());
    if (wanted.cursor() != null) {
      Cursor from = Cursor.parse(wanted.cursor());
      where.append(" and (at < ? or (at = ? and id < ?))");
      arguments.add(from.number());
      arguments.add(from.number());
      arguments.add(from.mark());
    }
    arguments.add(wanted.limit() + 1);
    return store
        .read(
            new Statement(
                "select * from audit" + where + " order by at desc, id desc limit ?",
                arguments,
                null),
            row -> new Placed(entry(row), row.text("id")))
        .map(rows -> {
          boolean more = rows.size() > wanted.limit();
          List<Placed> items = more ? rows.subList(0, wanted.limit()) : rows;
          String next =
              more
                  ? new Cursor(items.getLast().entry().at().toEpochMilli(), items.getLast().id())
                      .text()
                  : null;
          return new EntryPage(items.stream().map(Placed::entry).toList(), next);
        });
  }

  private static long millis(@Nullable Instant instant, long otherwise) {
    return instant == null ? otherwise : instant.toEpochMilli();
  }

  private static void add(
      StringBuilder where,
      List<@Nullable Object> arguments,
      String column,
      @Nullable String value) {
    if (value != null) {
      where.append(" and ").append(column).append(" = ?");
      arguments.add(value);
    }
  }

  /**
   * The entries from before an instant.
   *
   * @param first the time of the oldest
   */
  public record Older(long count, Instant first) {}

  /** How many entries there are from before an instant; empty when there are none. */
  public Future<Optional<Older>> older(Instant before) {
    return store
        .read(
            Statement.of(
                "select count(*) as entries, coalesce(min(at), 0) as first_at from audit"
                    + " where at < ?",
                before.toEpochMilli()),
            row -> new Older(row.integer("entries"), row.instant("first_at")))
        .map(rows -> rows.stream().filter(older -> older.count() > 0).findFirst());
  }

  /** The statement that drops entries from before an instant. */
  public Statement forget(Instant before) {
    return Statement.of("delete from audit where at < ?", before.toEpochMilli());
  }

  private static Entry entry(Row row) {
    String project = row.textOrNull("project");
    return new Entry(
        row.instant("at"),
        row.text("user_name"),
        row.text("address"),
        row.text("action"),
        row.text("kind"),
        row.text("name"),
        project == null ? null : new ProjectName(project),
        row.text("result"),
        row.text("detail"));
  }
}
