package io.orrery.studio.retention;

import io.orrery.core.bus.contract.Retentions.Kind;
import io.orrery.core.bus.contract.Retentions.Pass;
import io.orrery.core.bus.contract.Retentions.Rule;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of rules and of their last passes. */
public final class RetentionTable {
  public static final Migrations MIGRATIONS =
      new Migrations("retention", RetentionTable.class, List.of("0001-retention.sql"));

  private final Store store;

  RetentionTable(Store store) {
    this.store = store;
  }

  /** The rules of all kinds, in their order. */
  Future<List<Rule>> all() {
    return store
        .read(Statement.of("select * from retention_passes"), RetentionTable::pass)
        .compose(passes -> {
          Map<Kind, Pass> last =
              passes.stream().collect(Collectors.toMap(KindPass::kind, KindPass::pass));
          return store
              .read(
                  Statement.of("select * from retention_rules"),
                  row -> rule(row, last.get(Kind.valueOf(row.text("kind")))))
              .map(changed -> all(changed, last));
        });
  }

  private static List<Rule> all(List<Rule> changed, Map<Kind, Pass> last) {
    Map<Kind, Rule> rules =
        changed.stream().collect(Collectors.toMap(Rule::kind, Function.identity()));
    return Arrays.stream(Kind.values())
        .map(kind ->
            rules.getOrDefault(kind, new Rule(kind, kind.usualDays(), null, null, last.get(kind))))
        .toList();
  }

  static Statement put(Kind kind, @Nullable Integer keepDays, String by, Instant at) {
    return Statement.of(
        "insert into retention_rules (kind, keep_days, changed_by, changed_at)"
            + " values (?, ?, ?, ?) on conflict (kind) do update set keep_days ="
            + " excluded.keep_days, changed_by = excluded.changed_by,"
            + " changed_at = excluded.changed_at",
        kind.name(),
        keepDays == null ? null : keepDays.longValue(),
        by,
        at.toEpochMilli());
  }

  Future<Void> note(Kind kind, Pass pass) {
    return store.write(
        List.of(
            Statement.of(
                "insert into retention_passes (kind, at, removed, kept, failure)"
                    + " values (?, ?, ?, ?, ?) on conflict (kind) do update set at = excluded.at,"
                    + " removed = excluded.removed, kept = excluded.kept,"
                    + " failure = excluded.failure",
                kind.name(),
                pass.at().toEpochMilli(),
                pass.removed(),
                pass.kept(),
                pass.failure())));
  }

  private record KindPass(Kind kind, Pass pass) {}

  private static KindPass pass(Row row) {
    return new KindPass(
        Kind.valueOf(row.text("kind")),
        new Pass(
            row.instant("at"),
            row.integer("removed"),
            row.integer("kept"),
            row.textOrNull("failure")));
  }

  private static Rule rule(Row row, @Nullable Pass last) {
    Long days = row.integerOrNull("keep_days");
    return new Rule(
        Kind.valueOf(row.text("kind")),
        days == null ? null : Math.toIntExact(days),
        row.text("changed_by"),
        row.instant("changed_at"),
        last);
  }
}
