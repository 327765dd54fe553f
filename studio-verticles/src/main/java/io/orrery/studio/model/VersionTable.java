package io.orrery.studio.model;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Models.About;
import io.orrery.core.bus.contract.Models.Content;
import io.orrery.core.bus.contract.Models.ListVersions;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.json.Json;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.ModelStage;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Cursor;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of the versions of models. */
final class VersionTable {
  private static final String SELECT =
      "select v.*, m.project as project"
          + " from model_versions v join models m on m.name = v.model";

  private final Store store;

  VersionTable(Store store) {
    this.store = store;
  }

  /** A version without its aliases. */
  Future<Optional<Version>> find(ModelName model, VersionName version) {
    return store
        .read(
            Statement.of(
                SELECT + " where v.model = ? and v.version = ?", model.value(), version.value()),
            VersionTable::version)
        .map(rows -> rows.stream().findFirst());
  }

  /** The version; fails with NotFound. */
  Future<Version> get(ModelName model, VersionName version) {
    return find(model, version).map(found -> found.orElseThrow(() -> missing(model, version)));
  }

  static RuntimeException missing(ModelName model, VersionName version) {
    return new Problem.NotFound("Model '%s' has no version %s.".formatted(model, version))
        .toException();
  }

  /** A page, the newest of each model first, with one more than the limit when there are more. */
  Future<List<Version>> page(ListVersions wanted) {
    StringBuilder where = new StringBuilder(" where 1 = 1");
    List<@Nullable Object> arguments = new ArrayList<>();
    ModelName model = wanted.model();
    if (model != null) {
      where.append(" and v.model = ?");
      arguments.add(model.value());
    }
    List<ProjectName> among = wanted.among();
    if (among != null) {
      if (among.isEmpty()) {
        return Future.succeededFuture(List.of());
      }
      where.append(" and m.project in ").append(Statement.marks(among.size()));
      among.forEach(project -> arguments.add(project.value()));
    }
    if (wanted.cursor() != null) {
      Cursor from = Cursor.parse(wanted.cursor());
      where.append(" and (v.model > ? or (v.model = ? and v.number < ?))");
      arguments.add(from.mark());
      arguments.add(from.mark());
      arguments.add(from.number());
    }
    arguments.add(wanted.limit() + 1);
    return store.read(
        new Statement(SELECT + where + " order by v.model, v.number desc limit ?", arguments, null),
        VersionTable::version);
  }

  /** The cursor behind a version. */
  static String cursor(Version last) {
    return new Cursor(last.number(), last.model().value()).text();
  }

  static Statement insert(Version version) {
    About about = version.about();
    Content content = version.content();
    return Statement.of(
            "insert into model_versions (model, version, number, owner, id, path, digest, files,"
                + " bytes, stage, description, framework, metrics, source, tags, created_at,"
                + " changed_at, revision)"
                + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " on conflict (model, version) do nothing",
            version.model().value(),
            version.version().value(),
            version.number(),
            version.owner(),
            version.id(),
            content.path(),
            content.digest(),
            content.files(),
            content.bytes(),
            about.stage().word(),
            about.description(),
            about.framework(),
            about.metrics(),
            about.source(),
            Json.write(about.tags()),
            version.createdAt().toEpochMilli(),
            version.changedAt().toEpochMilli(),
            version.revision())
        .expecting(1);
  }

  /** The statement that stores a changed version; it fails when another change came first. */
  static Statement update(Version version, About about, long changedAt) {
    return Statement.of(
            "update model_versions set stage = ?, description = ?, framework = ?, metrics = ?,"
                + " tags = ?, changed_at = ?, revision = revision + 1"
                + " where model = ? and version = ? and revision = ?",
            about.stage().word(),
            about.description(),
            about.framework(),
            about.metrics(),
            Json.write(about.tags()),
            changedAt,
            version.model().value(),
            version.version().value(),
            version.revision())
        .expecting(1);
  }

  /** The statement that deletes a version; it fails when an alias or a deployment has it. */
  static Statement delete(ModelName model, VersionName version, String id) {
    return Statement.of(
            "delete from model_versions where model = ? and version = ?"
                + " and not exists (select 1 from model_aliases a"
                + " where a.model = model_versions.model and a.version = model_versions.version)"
                + " and not exists (select 1 from service_stages where want like ?)"
                + " and not exists (select 1 from upgrades where is_open = 1"
                + " and before_want like ?)",
            model.value(),
            version.value(),
            "%\"id\":\"" + id + "\"%",
            "%\"id\":\"" + id + "\"%")
        .expecting(1);
  }

  private static Version version(Row row) {
    return new Version(
        new ModelName(row.text("model")),
        new VersionName(row.text("version")),
        row.integer("number"),
        new ProjectName(row.text("project")),
        row.text("owner"),
        row.text("id"),
        new Content(
            row.textOrNull("path"),
            row.textOrNull("digest"),
            Math.toIntExact(row.integer("files")),
            row.integer("bytes")),
        new About(
            ModelStage.of(row.text("stage")).orElseThrow(),
            row.text("description"),
            row.text("framework"),
            row.text("metrics"),
            row.text("source"),
            ModelTable.tags(row.text("tags"))),
        List.<ModelAlias>of(),
        row.instant("created_at"),
        row.instant("changed_at"),
        row.integer("revision"));
  }
}
