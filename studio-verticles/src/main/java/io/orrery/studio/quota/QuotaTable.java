package io.orrery.studio.quota;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.bus.contract.Quotas.HeldUnits;
import io.orrery.core.bus.contract.Quotas.Hold;
import io.orrery.core.bus.contract.Quotas.ObjectUsage;
import io.orrery.core.bus.contract.Quotas.ProjectUsage;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaLimits;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rows of what projects use. */
public final class QuotaTable {
  public static final Migrations MIGRATIONS =
      new Migrations(
          "quotas", QuotaTable.class, List.of("0001-quotas.sql", "0002-tracked-artifacts.sql"));

  /** The row of all projects together, in the place of a name of a project. */
  static final String ALL = "";

  private static final List<String> RESOURCES =
      Arrays.stream(QuotaResource.values()).map(QuotaResource::word).toList();
  private static final String UNIT = String.join(", ", RESOURCES);
  private static final String SUMS =
      RESOURCES.stream()
          .map(word -> "cast(sum(units * %s) as bigint) as %s".formatted(word, word))
          .collect(Collectors.joining(", "));
  private static final String CHANGED_UNIT =
      RESOURCES.stream()
          .map(word -> "%s = excluded.%s".formatted(word, word))
          .collect(Collectors.joining(", "));

  private final Store store;

  QuotaTable(Store store) {
    this.store = store;
  }

  /**
   * The limits of a project.
   *
   * @param revision of all that it uses
   */
  record Ledger(QuotaLimits limits, long revision) {}

  /** The units of an object. */
  record Holding(int units, long epoch) {}

  /** The limits that count now; NotFound when there is no such project. */
  Future<Ledger> ledger(ProjectName project) {
    return store
        .read(
            Statement.of(
                "select p.quota, coalesce(l.revision, 0) as revision from projects p"
                    + " left join quota_ledgers l on l.project = p.name where p.name = ?",
                project.value()),
            row -> new Ledger(limits(row.text("quota")), row.integer("revision")))
        .map(rows ->
            rows.stream()
                .findFirst()
                .orElseThrow(() ->
                    new Problem.NotFound("There is no project " + project + ".").toException()));
  }

  /** The revision upon which decisions about the limits of all projects are made. */
  Future<Long> revisionOfAll() {
    return store
        .read(
            Statement.of("select revision from quota_ledgers where project = ?", ALL),
            row -> row.integer("revision"))
        .map(rows -> rows.isEmpty() ? 0L : rows.getFirst());
  }

  /**
   * The sums by project.
   *
   * @param without an object that is left out; null for none
   */
  Future<List<ProjectUsage>> byProject(@Nullable QuotaObject without) {
    String sql = "select project, " + SUMS + " from quota_holdings";
    String group = " group by project order by project";
    Statement query =
        without == null
            ? Statement.of(sql + group)
            : Statement.of(
                sql + " where not (kind = ? and name = ? and part = ?)" + group,
                without.kind(),
                without.name(),
                without.part());
    return store.read(
        query, row -> new ProjectUsage(new ProjectName(row.text("project")), amounts(row)));
  }

  private static QuotaLimits limits(String quota) {
    return Json.parse(quota) instanceof ObjectNode object
        ? QuotaLimits.read(object, "").limits()
        : QuotaLimits.UNLIMITED;
  }

  Future<Optional<Holding>> holding(QuotaObject object) {
    return store
        .read(
            Statement.of(
                "select units, epoch from quota_holdings where kind = ? and name = ? and part = ?",
                object.kind(),
                object.name(),
                object.part()),
            row -> new Holding(Math.toIntExact(row.integer("units")), row.integer("epoch")))
        .map(rows -> rows.stream().findFirst());
  }

  /** The bytes of storage that an object is charged. */
  Future<Long> storage(QuotaObject object) {
    return store
        .read(
            Statement.of(
                "select units * storage as bytes from quota_holdings"
                    + " where kind = ? and name = ? and part = ?",
                object.kind(),
                object.name(),
                object.part()),
            row -> row.integer("bytes"))
        .map(rows -> rows.isEmpty() ? 0L : rows.getFirst());
  }

  /**
   * The sums of a project by user.
   *
   * @param without an object that is left out; null for none
   */
  Future<Map<String, Amounts>> used(ProjectName project, @Nullable QuotaObject without) {
    String sql = "select user_name, " + SUMS + " from quota_holdings where project = ?";
    Statement query =
        without == null
            ? Statement.of(sql + " group by user_name order by user_name", project.value())
            : Statement.of(
                sql
                    + " and not (kind = ? and name = ? and part = ?)"
                    + " group by user_name order by user_name",
                project.value(),
                without.kind(),
                without.name(),
                without.part());
    return store
        .read(query, row -> Map.entry(row.text("user_name"), amounts(row)))
        .map(rows -> {
          Map<String, Amounts> sums = new LinkedHashMap<>();
          rows.forEach(each -> sums.put(each.getKey(), each.getValue()));
          return sums;
        });
  }

  Future<List<ObjectUsage>> objects(ProjectName project) {
    return store.read(
        Statement.of(
            "select kind, name, user_name, min(since) as since, "
                + SUMS
                + " from quota_holdings where project = ? and units > 0"
                + " group by kind, name, user_name order by min(since), kind, name limit ?",
            project.value(),
            Quotas.MOST_OBJECTS),
        row ->
            new ObjectUsage(
                row.text("kind"),
                row.text("name"),
                row.text("user_name"),
                amounts(row),
                row.instant("since")));
  }

  Future<List<HeldUnits>> ofKind(String kind) {
    return store.read(
        Statement.of(
            "select name, part, units from quota_holdings where kind = ? order by name, part",
            kind),
        row ->
            new HeldUnits(
                new QuotaObject(kind, row.text("name"), row.text("part")),
                Math.toIntExact(row.integer("units"))));
  }

  /** The projects in which an object or a part of it holds something. */
  Future<List<ProjectName>> projects(String kind, String name) {
    return store.read(
        Statement.of(
            "select distinct project from quota_holdings where kind = ? and name = ?", kind, name),
        row -> new ProjectName(row.text("project")));
  }

  private static Amounts amounts(Row row) {
    EnumMap<QuotaResource, Long> amounts = new EnumMap<>(QuotaResource.class);
    for (QuotaResource resource : QuotaResource.values()) {
      amounts.put(resource, row.integer(resource.word()));
    }
    return new Amounts(amounts);
  }

  // ---- statements ----------------------------------------------------------------------------

  /** The statements that fail when anything of a project was changed after a revision. */
  private static List<Statement> next(String project, long revision) {
    return List.of(
        Statement.of(
            "insert into quota_ledgers (project, revision) values (?, 0)"
                + " on conflict (project) do nothing",
            project),
        Statement.of(
                "update quota_ledgers set revision = revision + 1"
                    + " where project = ? and revision = ?",
                project,
                revision)
            .expecting(1));
  }

  /** The statements that fail when another project was given something after a revision. */
  static List<Statement> nextOfAll(long revision) {
    return next(ALL, revision);
  }

  /** The statement of another change of a project that decisions depend on. */
  static Statement moved(ProjectName project) {
    return Statement.of(
        "update quota_ledgers set revision = revision + 1 where project = ?", project.value());
  }

  /** The write that has an object hold a number of units, decided upon a revision. */
  static List<Statement> hold(Hold hold, int units, long revision, Instant now) {
    List<Statement> all = new ArrayList<>(next(hold.project().value(), revision));
    QuotaObject object = hold.object();
    if (units == 0) {
      all.add(
          Statement.of(
              "delete from quota_holdings where kind = ? and name = ? and part = ?"
                  + " and epoch <= ?",
              object.kind(),
              object.name(),
              object.part(),
              hold.epoch()));
      return all;
    }
    List<@Nullable Object> values =
        new ArrayList<>(
            List.of(
                object.kind(),
                object.name(),
                object.part(),
                hold.project().value(),
                hold.user(),
                hold.epoch(),
                units,
                now.toEpochMilli()));
    for (QuotaResource resource : QuotaResource.values()) {
      values.add(hold.unit().get(resource));
    }
    all.add(
        new Statement(
            "insert into quota_holdings (kind, name, part, project, user_name, epoch, units, since, "
                + UNIT
                + ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " on conflict (kind, name, part) do update set epoch = excluded.epoch,"
                + " units = excluded.units, user_name = excluded.user_name, "
                + CHANGED_UNIT
                + " where quota_holdings.epoch <= excluded.epoch"
                + " and quota_holdings.project = excluded.project",
            values,
            1));
    return all;
  }

  static List<Statement> release(Quotas.Release asked) {
    List<@Nullable Object> values = new ArrayList<>(List.of(asked.kind(), asked.name()));
    values.add(asked.epoch());
    values.addAll(asked.except());
    String kept =
        asked.except().isEmpty()
            ? ""
            : " and part not in " + Statement.marks(asked.except().size());
    return List.of(
        new Statement(
            "delete from quota_holdings where kind = ? and name = ? and epoch <= ?" + kept,
            values,
            null));
  }
}
