package io.orrery.studio.usage;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.UsageHistory;
import io.orrery.core.bus.contract.UsageHistory.AskHistory;
import io.orrery.core.bus.contract.UsageHistory.Used;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.quota.UsageGroup;
import io.orrery.core.quota.UsageStep;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of what projects have used, beside the rows of what they hold. */
public final class UsageTable {
  public static final Migrations MIGRATIONS =
      new Migrations("usage", UsageTable.class, List.of("0001-usage.sql"));

  private static final List<QuotaResource> RESOURCES = Arrays.asList(QuotaResource.values());

  private final Store store;

  public UsageTable(Store store) {
    this.store = store;
  }

  /** The statement that forgets what a project has used. */
  public static Statement forget(ProjectName project) {
    return Statement.of("delete from usage_sums where project = ?", project.value());
  }

  // ---- adding up -----------------------------------------------------------------------------

  /** Until when use has been added up; empty before the first time. */
  Future<Optional<Instant>> until() {
    return store
        .read(Statement.of("select at from usage_clock"), row -> row.instant("at"))
        .map(rows -> rows.stream().findFirst());
  }

  Future<Boolean> isAnythingHeld() {
    return store
        .read(
            Statement.of("select 1 as held from quota_holdings where units > 0 limit 1"),
            row -> row.integer("held"))
        .map(rows -> !rows.isEmpty());
  }

  /** The write that adds what is held now, for a number of seconds that end now. */
  Future<Void> add(long seconds, Instant now) {
    List<Statement> all = new ArrayList<>();
    all.add(
        Statement.of(
            "insert into usage_clock (one, at) values (1, ?)"
                + " on conflict (one) do update set at = excluded.at",
            now.toEpochMilli()));
    for (UsageStep step : UsageStep.values()) {
      all.add(add(step, false, seconds, now));
    }
    all.add(add(UsageStep.DAY, true, seconds, now));
    return store.write(all);
  }

  private static Statement add(UsageStep step, boolean byObject, long seconds, Instant now) {
    String key = byObject ? "project, user_name, kind, name" : "project, user_name, kind";
    String sums =
        list(resource ->
            "cast(sum(units * %s) * cast(? as bigint) as bigint)".formatted(scaled(resource)));
    String more = list(resource -> "%1$s = usage_sums.%1$s + excluded.%1$s".formatted(resource));
    List<@Nullable Object> values = new ArrayList<>();
    values.add(step.word());
    values.add(step.floor(now).toEpochMilli());
    RESOURCES.forEach(resource -> values.add(seconds));
    return new Statement(
        "insert into usage_sums (step, at, project, user_name, kind, name, "
            + list(UnaryOperator.identity())
            + ") select cast(? as text), cast(? as bigint), project, user_name, kind, "
            + (byObject ? "name" : "''")
            + ", "
            + sums
            + " from quota_holdings where units > 0 group by "
            + key
            + " on conflict (step, at, project, user_name, kind, name) do update set "
            + more,
        values,
        null);
  }

  /** The column of a resource in its unit of sums: mebibytes, so that years fit into a number. */
  private static String scaled(String word) {
    return word.equals(QuotaResource.MEMORY.word()) || word.equals(QuotaResource.STORAGE.word())
        ? "(" + word + " / 1048576)"
        : word;
  }

  private static String list(UnaryOperator<String> each) {
    return RESOURCES.stream().map(QuotaResource::word).map(each).collect(Collectors.joining(", "));
  }

  /** The write that drops what is older than is kept. */
  Future<Void> sweep(Instant now) {
    List<Statement> all = new ArrayList<>();
    for (UsageStep step : UsageStep.values()) {
      all.add(
          Statement.of(
              "delete from usage_sums where step = ? and at < ?",
              step.word(),
              now.minus(step.kept()).toEpochMilli()));
    }
    all.add(
        Statement.of(
            "delete from usage_sums where step = ? and name <> '' and at < ?",
            UsageStep.DAY.word(),
            now.minus(UsageHistory.OBJECTS_KEPT).toEpochMilli()));
    return store.write(all);
  }

  // ---- asking --------------------------------------------------------------------------------

  Future<List<Used>> history(AskHistory asked) {
    List<ProjectName> projects = asked.projects();
    if (projects != null && projects.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    boolean byObject = asked.by() == UsageGroup.OBJECT;
    List<@Nullable Object> values =
        new ArrayList<>(
            List.of(asked.step().word(), asked.from().toEpochMilli(), asked.to().toEpochMilli()));
    StringBuilder where = new StringBuilder("step = ? and at >= ? and at < ?");
    where.append(byObject ? " and name <> ''" : " and name = ''");
    if (projects != null) {
      where.append(" and project in ").append(Statement.marks(projects.size()));
      projects.forEach(project -> values.add(project.value()));
    }
    if (asked.user() != null) {
      where.append(" and user_name = ?");
      values.add(asked.user());
    }
    if (asked.kind() != null) {
      where.append(" and kind = ?");
      values.add(asked.kind());
    }
    values.add(UsageHistory.MOST + 1);
    List<String> columns = columns(asked.by());
    String key = "at, " + String.join(", ", columns);
    return store
        .read(
            new Statement(
                "select "
                    + key
                    + ", "
                    + list(word -> "cast(sum(%1$s) as bigint) as %1$s".formatted(word))
                    + " from usage_sums where "
                    + where
                    + " group by "
                    + key
                    + " order by "
                    + key
                    + " limit ?",
                values,
                null),
            row -> used(row, columns))
        .map(rows -> {
          if (rows.size() > UsageHistory.MOST) {
            throw new Problem.Refused(
                    new Finding(
                        "/from",
                        "there are more than %,d entries: choose a longer step or a shorter time"
                            .formatted(UsageHistory.MOST)))
                .toException();
          }
          return rows;
        });
  }

  private static List<String> columns(UsageGroup by) {
    return switch (by) {
      case PROJECT -> List.of("project");
      case USER -> List.of("user_name");
      case KIND -> List.of("kind");
      case OBJECT -> List.of("project", "user_name", "kind", "name");
    };
  }

  private static Used used(Row row, List<String> columns) {
    EnumMap<QuotaResource, Long> seconds = new EnumMap<>(QuotaResource.class);
    RESOURCES.forEach(resource -> seconds.put(resource, row.integer(resource.word())));
    return new Used(
        row.instant("at"),
        columns.contains("project") ? row.text("project") : null,
        columns.contains("user_name") ? row.text("user_name") : null,
        columns.contains("kind") ? row.text("kind") : null,
        columns.contains("name") ? row.text("name") : null,
        new Amounts(seconds));
  }
}
