package io.orrery.studio.build;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Builds.ImageBuild;
import io.orrery.core.image.BuildSpec;
import io.orrery.core.image.BuildStatus;
import io.orrery.core.json.Json;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of builds. */
final class BuildTable {
  private static final String COLUMNS =
      "name, project, owner, spec, number, status, canceling, reason, digest, size_bytes,"
          + " started_by, created_at, queued_at, started_at, ended_at, revision";
  private static final String SELECT = "select " + COLUMNS + " from builds";

  private final Store store;

  BuildTable(Store store) {
    this.store = store;
  }

  /**
   * The builds of projects, by name.
   *
   * @param among null for all projects
   */
  Future<List<ImageBuild>> among(@Nullable List<ProjectName> among) {
    if (among == null) {
      return store.read(Statement.of(SELECT + " order by name"), BuildTable::row);
    }
    if (among.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return store.read(
        new Statement(
            SELECT + " where project in " + Statement.marks(among.size()) + " order by name",
            among.stream().<@Nullable Object>map(ProjectName::value).toList(),
            null),
        BuildTable::row);
  }

  Future<Optional<ImageBuild>> find(String name) {
    return store
        .read(Statement.of(SELECT + " where name = ?", name), BuildTable::row)
        .map(rows -> rows.stream().findFirst());
  }

  /** Those that are not over, in the order of their starts. */
  Future<List<ImageBuild>> unfinished() {
    List<@Nullable Object> states =
        Arrays.stream(BuildStatus.values())
            .filter(status -> !status.isOver())
            .<@Nullable Object>map(BuildStatus::name)
            .toList();
    return store.read(
        new Statement(
            SELECT
                + " where status in "
                + Statement.marks(states.size())
                + " order by queued_at, name",
            states,
            null),
        BuildTable::row);
  }

  /** The statement that stores a build; it fails when another change came first. */
  static Statement put(ImageBuild build) {
    Instant started = build.startedAt();
    Instant ended = build.endedAt();
    Object[] values = {
      build.name(),
      build.project().value(),
      build.owner(),
      Json.write(build.spec()),
      (long) build.number(),
      build.status().name(),
      build.canceling() ? 1L : 0L,
      build.reason(),
      build.digest(),
      build.bytes(),
      build.startedBy(),
      build.createdAt().toEpochMilli(),
      build.queuedAt().toEpochMilli(),
      started == null ? null : started.toEpochMilli(),
      ended == null ? null : ended.toEpochMilli(),
      build.revision()
    };
    if (build.revision() == 1) {
      return Statement.of(
              "insert into builds (%s) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                      .formatted(COLUMNS)
                  + " on conflict (name) do nothing",
              values)
          .expecting(1);
    }
    Object[] all = Arrays.copyOf(values, values.length + 2);
    all[values.length] = build.name();
    all[values.length + 1] = build.revision() - 1;
    return Statement.of(
            "update builds set "
                + COLUMNS.replace(",", " = ?,")
                + " = ? where name = ? and revision = ?",
            all)
        .expecting(1);
  }

  static Statement drop(ImageBuild build) {
    return Statement.of(
            "delete from builds where name = ? and revision = ?", build.name(), build.revision())
        .expecting(1);
  }

  private static ImageBuild row(Row row) {
    return new ImageBuild(
        row.text("name"),
        new ProjectName(row.text("project")),
        row.text("owner"),
        Json.read(row.text("spec"), BuildSpec.class),
        Math.toIntExact(row.integer("number")),
        BuildStatus.valueOf(row.text("status")),
        row.integer("canceling") == 1,
        row.textOrNull("reason"),
        row.textOrNull("digest"),
        row.integerOrNull("size_bytes"),
        row.text("started_by"),
        row.instant("created_at"),
        row.instant("queued_at"),
        row.instantOrNull("started_at"),
        row.instantOrNull("ended_at"),
        row.integer("revision"));
  }
}
