package io.orrery.studio.model;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.DropAlias;
import io.orrery.core.bus.contract.Models.ListModels;
import io.orrery.core.bus.contract.Models.Model;
import io.orrery.core.bus.contract.Models.ModelPage;
import io.orrery.core.bus.contract.Models.OfModel;
import io.orrery.core.bus.contract.Models.PutModel;
import io.orrery.core.bus.contract.Models.Rename;
import io.orrery.core.bus.contract.Models.Resolve;
import io.orrery.core.bus.contract.Models.Resolved;
import io.orrery.core.bus.contract.Models.SetAlias;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.artifact.ArtifactHandler;
import io.orrery.studio.artifact.ArtifactTable;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.model.ModelTable.AliasRow;
import io.orrery.studio.model.ModelTable.ModelRow;
import io.orrery.studio.quota.QuotaHandler;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Answers questions about models and their aliases. */
public final class ModelHandler {
  private final Bus bus;
  private final AuditedChanges changes;
  private final ModelTable table;
  private final VersionTable versions;
  private final ModelUse use;
  private final VersionHandler versionHandler;

  /**
   * @param quotas which the files of versions are charged to
   */
  public ModelHandler(
      Bus bus,
      Store store,
      AuditedChanges changes,
      ArtifactHandler artifacts,
      QuotaHandler quotas) {
    this.bus = bus;
    this.changes = changes;
    this.table = new ModelTable(store);
    this.versions = new VersionTable(store);
    this.use = new ModelUse(store);
    this.versionHandler =
        new VersionHandler(
            bus,
            changes,
            table,
            versions,
            new VersionContent(
                bus, artifacts, new ArtifactTable(store), new TrialFiles(bus, artifacts)),
            use,
            artifacts::freshName,
            quotas);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Models.LIST, this::list),
            bus.serve(Models.GET, asked -> shown(asked.name())),
            bus.serve(Models.PUT, this::put),
            bus.serve(Models.RENAME, this::rename),
            bus.serve(Models.DELETE, this::delete),
            bus.serve(Models.SET_ALIAS, this::point),
            bus.serve(Models.DROP_ALIAS, this::drop),
            bus.serve(Models.RESOLVE, this::resolve),
            versionHandler.serve()));
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<ModelPage> list(ListModels asked) {
    return table
        .page(asked)
        .compose(rows -> {
          boolean more = rows.size() > asked.limit();
          List<ModelRow> items = more ? rows.subList(0, asked.limit()) : rows;
          String next = more ? items.getLast().name().value() : null;
          return shown(items).map(models -> new ModelPage(models, next));
        });
  }

  private Future<Model> shown(ModelName name) {
    return table.get(name).compose(row -> shown(List.of(row))).map(List::getFirst);
  }

  private Future<List<Model>> shown(List<ModelRow> rows) {
    return table
        .aliases(rows.stream().map(ModelRow::name).toList())
        .map(aliases ->
            rows.stream()
                .map(row -> row.shown(byAlias(aliases.getOrDefault(row.name(), List.of()))))
                .toList());
  }

  private static Map<ModelAlias, VersionName> byAlias(List<AliasRow> rows) {
    return rows.stream().collect(Collectors.toMap(AliasRow::alias, AliasRow::version));
  }

  private Future<Resolved> resolve(Resolve asked) {
    Future<VersionName> name =
        asked.version() != null
            ? Future.succeededFuture(asked.version())
            : table
                .aliases(List.of(asked.model()))
                .map(aliases ->
                    aliases.getOrDefault(asked.model(), List.of()).stream()
                        .filter(row -> row.alias().equals(asked.alias()))
                        .findFirst()
                        .map(AliasRow::version)
                        .orElseThrow(() -> noAlias(asked.model(), asked.alias())));
    return table
        .get(asked.model())
        .compose(model -> name)
        .compose(version -> versions.get(asked.model(), version))
        .map(version ->
            new Resolved(
                version.model(),
                version.version(),
                version.project(),
                version.owner(),
                version.id(),
                version.content()));
  }

  private static RuntimeException noAlias(ModelName model, @Nullable ModelAlias alias) {
    return new Problem.NotFound("Model '%s' has no alias '%s'.".formatted(model, alias))
        .toException();
  }

  // ---- changing ------------------------------------------------------------------------------

  private Future<Model> put(PutModel wanted) {
    return table
        .find(wanted.name())
        .compose(found -> {
          if (found.isEmpty() && !wanted.creates()) {
            throw ModelTable.missing(wanted.name());
          }
          if (found.isPresent() && wanted.creates()) {
            throw new Problem.Conflict("There is a model '" + wanted.name() + "' already.")
                .toException();
          }
          check(wanted, found);
          Instant now = changes.now();
          ModelRow row =
              found
                  .map(before -> before.with(wanted.description(), wanted.tags(), now))
                  .orElseGet(() ->
                      ModelRow.fresh(
                          wanted.name(),
                          wanted.project(),
                          wanted.by().name(),
                          wanted.description(),
                          wanted.tags(),
                          now));
          if (wanted.dryRun()) {
            return Future.succeededFuture(row.shown(Map.of()));
          }
          return changes
              .commitObject(
                  wanted.by(),
                  what(found.isEmpty() ? "create" : "change", row, ""),
                  List.of(
                      found
                          .map(before -> ModelTable.update(row, before.revision()))
                          .orElseGet(() -> ModelTable.insert(row))))
              .compose(done -> shown(row.name()));
        });
  }

  private static void check(PutModel wanted, Optional<ModelRow> found) {
    RevisionCheck.require(
        "Model '" + wanted.name() + "'",
        wanted.ifRevision(),
        found.map(ModelRow::revision).orElse(RevisionCheck.NONE));
  }

  private Future<Model> rename(Rename asked) {
    return table
        .get(asked.name())
        .compose(row ->
            table
                .find(asked.to())
                .compose(taken -> {
                  if (taken.isPresent()) {
                    throw new Problem.Conflict("There is a model '" + asked.to() + "' already.")
                        .toException();
                  }
                  return use.requireNone(asked.name());
                })
                .compose(free ->
                    changes.commitObject(
                        asked.by(),
                        what("rename", row, "to " + asked.to()),
                        ModelTable.rename(asked.name(), asked.to(), changes.now()))))
        .compose(done -> shown(asked.to()));
  }

  private Future<Done> delete(OfModel asked) {
    return table
        .get(asked.name())
        .compose(row ->
            use.requireNone(asked.name())
                .compose(free -> {
                  List<Statement> statements =
                      new ArrayList<>(
                          QuotaHandler.giveBackAll(
                              row.project(),
                              VersionHandler.CHARGED,
                              "select id from model_versions where model = ?",
                              asked.name().value()));
                  statements.addAll(ModelTable.delete(asked.name()));
                  return changes.commitObject(asked.by(), what("delete", row, ""), statements);
                })
                .onSuccess(deleted -> bus.publish(Quotas.FREED, new Quotas.Freed(row.project()))))
        .map(new Done());
  }

  private Future<Model> point(SetAlias asked) {
    return table
        .get(asked.model())
        .compose(row ->
            versions
                .get(asked.model(), asked.version())
                .compose(version ->
                    changes.commitObject(
                        asked.by(),
                        what(
                            "alias",
                            row,
                            "%s to version %s".formatted(asked.alias(), asked.version())),
                        List.of(
                            ModelTable.point(asked.model(), asked.alias(), asked.version()),
                            ModelTable.changed(asked.model(), changes.now())))))
        .compose(done -> shown(asked.model()));
  }

  private Future<Model> drop(DropAlias asked) {
    return shown(asked.model())
        .compose(model -> {
          if (!model.aliases().containsKey(asked.alias())) {
            throw noAlias(asked.model(), asked.alias());
          }
          return use.requireNone(asked.model(), asked.alias());
        })
        .compose(free -> table.get(asked.model()))
        .compose(row ->
            changes.commitObject(
                asked.by(),
                what("alias", row, "removed " + asked.alias()),
                List.of(
                    ModelTable.drop(asked.model(), asked.alias()),
                    ModelTable.changed(asked.model(), changes.now()))))
        .compose(done -> shown(asked.model()));
  }

  private static What what(String action, ModelRow row, String detail) {
    return new What(action, "model", row.name().value(), row.project(), detail);
  }
}
