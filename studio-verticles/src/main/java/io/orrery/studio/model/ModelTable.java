package io.orrery.studio.model;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Models.ListModels;
import io.orrery.core.bus.contract.Models.Model;
import io.orrery.core.json.Json;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.Where;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of models and their aliases. */
final class ModelTable {
  private static final String COLUMNS =
      "name, project, owner, description, tags, last_number, created_at, changed_at, revision,"
          + " (select version from model_versions v where v.model = models.name"
          + " order by number desc limit 1) as latest";

  private final Store store;

  ModelTable(Store store) {
    this.store = store;
  }

  /**
   * A stored model.
   *
   * @param lastNumber of the version that was registered last, though it may be deleted
   * @param latest the last version that there is; null for none
   */
  record ModelRow(
      ModelName name,
      ProjectName project,
      String owner,
      String description,
      Map<String, String> tags,
      long lastNumber,
      @Nullable VersionName latest,
      Instant createdAt,
      Instant changedAt,
      long revision) {
    /** A model that is not stored yet. */
    static ModelRow fresh(
        ModelName name,
        ProjectName project,
        String owner,
        String description,
        Map<String, String> tags,
        Instant now) {
      return new ModelRow(name, project, owner, description, tags, 0, null, now, now, 1);
    }

    ModelRow with(String text, Map<String, String> newTags, Instant now) {
      return new ModelRow(
          name, project, owner, text, newTags, lastNumber, latest, createdAt, now, revision + 1);
    }

    Model shown(Map<ModelAlias, VersionName> aliases) {
      return new Model(
          name, project, owner, description, tags, aliases, latest, createdAt, changedAt, revision);
    }
  }

  /** An alias of a model. */
  record AliasRow(ModelName model, ModelAlias alias, VersionName version) {}

  Future<Optional<ModelRow>> find(ModelName name) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from models where name = ?", name.value()),
            ModelTable::model)
        .map(rows -> rows.stream().findFirst());
  }

  /** The model; fails with NotFound. */
  Future<ModelRow> get(ModelName name) {
    return find(name).map(found -> found.orElseThrow(() -> missing(name)));
  }

  static RuntimeException missing(ModelName name) {
    return new Problem.NotFound("There is no model '" + name + "'.").toException();
  }

  /** A page in the order of the names, with one more than the limit when there are more. */
  Future<List<ModelRow>> page(ListModels wanted) {
    return store.read(
        new Where()
            .and("name > ?", Objects.requireNonNullElse(wanted.cursor(), ""))
            .equal("owner", wanted.owner())
            .contains("lower(name)", wanted.text())
            .in("project", wanted.among())
            .page("select " + COLUMNS + " from models", "name", wanted.limit()),
        ModelTable::model);
  }

  static Statement insert(ModelRow model) {
    return Statement.of(
            "insert into models (name, project, owner, description, tags, last_number, created_at,"
                + " changed_at, revision) values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " on conflict (name) do nothing",
            model.name().value(),
            model.project().value(),
            model.owner(),
            model.description(),
            Json.write(model.tags()),
            model.lastNumber(),
            model.createdAt().toEpochMilli(),
            model.changedAt().toEpochMilli(),
            model.revision())
        .expecting(1);
  }

  /** The statement that stores a changed model; it fails when another change came first. */
  static Statement update(ModelRow model, long revisionBefore) {
    return Statement.of(
            "update models set description = ?, tags = ?, changed_at = ?, revision = ?"
                + " where name = ? and revision = ?",
            model.description(),
            Json.write(model.tags()),
            model.changedAt().toEpochMilli(),
            model.revision(),
            model.name().value(),
            revisionBefore)
        .expecting(1);
  }

  /** The statement that takes the next number; it fails when another version took it. */
  static Statement take(ModelRow model, Instant now) {
    return Statement.of(
            "update models set last_number = ?, changed_at = ? where name = ? and last_number = ?",
            model.lastNumber() + 1,
            now.toEpochMilli(),
            model.name().value(),
            model.lastNumber())
        .expecting(1);
  }

  /** The statement that notes that something of a model has changed. */
  static Statement changed(ModelName name, Instant now) {
    return Statement.of(
            "update models set changed_at = ?, revision = revision + 1 where name = ?",
            now.toEpochMilli(),
            name.value())
        .expecting(1);
  }

  static List<Statement> rename(ModelName name, ModelName to, Instant now) {
    return List.of(
        Statement.of(
                "update models set name = ?, changed_at = ?, revision = revision + 1"
                    + " where name = ?",
                to.value(),
                now.toEpochMilli(),
                name.value())
            .expecting(1),
        Statement.of(
            "update model_versions set model = ? where model = ?", to.value(), name.value()),
        Statement.of(
            "update model_aliases set model = ? where model = ?", to.value(), name.value()));
  }

  static List<Statement> delete(ModelName name) {
    return List.of(
        Statement.of("delete from models where name = ?", name.value()).expecting(1),
        Statement.of(
            "delete from artifact_files where tree in"
                + " (select 'model/' || id from model_versions where model = ?)",
            name.value()),
        Statement.of("delete from model_versions where model = ?", name.value()),
        Statement.of("delete from model_aliases where model = ?", name.value()));
  }

  // ---- aliases -------------------------------------------------------------------------------

  /** The aliases of some models. */
  Future<Map<ModelName, List<AliasRow>>> aliases(List<ModelName> models) {
    if (models.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    return store
        .read(
            new Statement(
                "select model, alias, version from model_aliases where model in "
                    + Statement.marks(models.size())
                    + " order by model, alias",
                models.stream().<@Nullable Object>map(ModelName::value).toList(),
                null),
            row ->
                new AliasRow(
                    new ModelName(row.text("model")),
                    new ModelAlias(row.text("alias")),
                    new VersionName(row.text("version"))))
        .map(rows -> {
          Map<ModelName, List<AliasRow>> byModel = new HashMap<>();
          rows.forEach(
              row -> byModel.computeIfAbsent(row.model(), model -> new ArrayList<>()).add(row));
          return byModel;
        });
  }

  /** The statement that points an alias to a version; it fails when there is no such version. */
  static Statement point(ModelName model, ModelAlias alias, VersionName version) {
    return Statement.of(
            "insert into model_aliases (model, alias, version)"
                + " select model, ?, version from model_versions where model = ? and version = ?"
                + " on conflict (model, alias) do update set version = excluded.version",
            alias.value(),
            model.value(),
            version.value())
        .expecting(1);
  }

  static Statement drop(ModelName model, ModelAlias alias) {
    return Statement.of(
        "delete from model_aliases where model = ? and alias = ?", model.value(), alias.value());
  }

  @SuppressWarnings("unchecked") // tags are written as an object of texts
  static Map<String, String> tags(String json) {
    return Json.read(json, Map.class);
  }

  private static ModelRow model(Row row) {
    String latest = row.textOrNull("latest");
    return new ModelRow(
        new ModelName(row.text("name")),
        new ProjectName(row.text("project")),
        row.text("owner"),
        row.text("description"),
        tags(row.text("tags")),
        row.integer("last_number"),
        latest == null ? null : new VersionName(latest),
        row.instant("created_at"),
        row.instant("changed_at"),
        row.integer("revision"));
  }
}
