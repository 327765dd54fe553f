package io.orrery.studio.model;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Models;
import io.orrery.core.bus.contract.Models.ChangeVersion;
import io.orrery.core.bus.contract.Models.ListVersions;
import io.orrery.core.bus.contract.Models.OfVersion;
import io.orrery.core.bus.contract.Models.RegisterVersion;
import io.orrery.core.bus.contract.Models.Version;
import io.orrery.core.bus.contract.Models.VersionPage;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Quotas;
import io.orrery.core.model.ModelAlias;
import io.orrery.core.model.ModelName;
import io.orrery.core.model.VersionName;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.quota.Amounts;
import io.orrery.core.quota.QuotaObject;
import io.orrery.core.quota.QuotaResource;
import io.orrery.core.sql.Statement;
import io.orrery.studio.artifact.ArtifactTable;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.model.ModelTable.AliasRow;
import io.orrery.studio.model.ModelTable.ModelRow;
import io.orrery.studio.model.VersionContent.Collected;
import io.orrery.studio.quota.QuotaHandler;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Answers questions about the versions of models. */
final class VersionHandler {
  /** How often a number is taken anew when another version took it first. */
  private static final int TRIES = 20;

  /** What files of a version are charged as. */
  static final String CHARGED = "model";

  private final Bus bus;
  private final AuditedChanges changes;
  private final ModelTable models;
  private final VersionTable table;
  private final VersionContent contents;
  private final ModelUse use;
  private final Supplier<String> freshIds;
  private final QuotaHandler quotas;

  VersionHandler(
      Bus bus,
      AuditedChanges changes,
      ModelTable models,
      VersionTable table,
      VersionContent contents,
      ModelUse use,
      Supplier<String> freshIds,
      QuotaHandler quotas) {
    this.bus = bus;
    this.changes = changes;
    this.models = models;
    this.table = table;
    this.contents = contents;
    this.use = use;
    this.freshIds = freshIds;
    this.quotas = quotas;
  }

  Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Models.VERSIONS, this::list),
            bus.serve(
                Models.VERSION,
                asked -> table.get(asked.model(), asked.version()).compose(this::shown)),
            bus.serve(Models.REGISTER, this::register),
            bus.serve(Models.CHANGE_VERSION, this::change),
            bus.serve(Models.DELETE_VERSION, this::delete)));
  }

  private Future<VersionPage> list(ListVersions asked) {
    return table
        .page(asked)
        .compose(rows -> {
          boolean more = rows.size() > asked.limit();
          List<Version> items = more ? rows.subList(0, asked.limit()) : rows;
          String next = more ? VersionTable.cursor(items.getLast()) : null;
          return shown(items).map(shown -> new VersionPage(shown, next));
        });
  }

  private Future<Version> shown(Version version) {
    return shown(List.of(version)).map(List::getFirst);
  }

  /** Versions with their aliases. */
  private Future<List<Version>> shown(List<Version> versions) {
    return models
        .aliases(versions.stream().map(Version::model).distinct().toList())
        .map(aliases -> versions.stream().map(version -> with(version, aliases)).toList());
  }

  private static Version with(Version version, Map<ModelName, List<AliasRow>> aliases) {
    List<ModelAlias> own =
        aliases.getOrDefault(version.model(), List.of()).stream()
            .filter(row -> row.version().equals(version.version()))
            .map(AliasRow::alias)
            .toList();
    return new Version(
        version.model(),
        version.version(),
        version.number(),
        version.project(),
        version.owner(),
        version.id(),
        version.content(),
        version.about(),
        own,
        version.createdAt(),
        version.changedAt(),
        version.revision());
  }

  // ---- registering ---------------------------------------------------------------------------

  private Future<Version> register(RegisterVersion wanted) {
    return models
        .find(wanted.model())
        .compose(found -> {
          if (found.isEmpty() && !wanted.createsModel()) {
            throw ModelTable.missing(wanted.model());
          }
          return free(wanted);
        })
        .compose(free -> contents.collect(wanted))
        .compose(collected -> register(wanted, collected, 1));
  }

  private Future<Void> free(RegisterVersion wanted) {
    VersionName version = wanted.version();
    return version == null
        ? Future.succeededFuture()
        : table
            .find(wanted.model(), version)
            .map(taken -> {
              if (taken.isPresent()) {
                throw new Problem.Conflict(
                        "Model '%s' has a version %s already: its files cannot be replaced."
                            .formatted(wanted.model(), version))
                    .toException();
              }
              return null;
            });
  }

  private Future<Version> register(RegisterVersion wanted, Collected collected, int attempt) {
    Instant now = changes.now();
    return models
        .find(wanted.model())
        .compose(found -> {
          ModelRow model =
              found.orElseGet(() ->
                  ModelRow.fresh(
                      wanted.model(), wanted.project(), wanted.by().name(), "", Map.of(), now));
          Version version = version(wanted, collected, model, now);
          if (wanted.dryRun()) {
            return Future.succeededFuture(version);
          }
          List<Statement> statements = new ArrayList<>();
          if (found.isEmpty()) {
            statements.add(ModelTable.insert(model));
          }
          statements.add(ModelTable.take(model, now));
          statements.add(VersionTable.insert(version));
          statements.addAll(ArtifactTable.insert(Models.tree(version.id()), collected.files()));
          wanted
              .aliases()
              .forEach(alias ->
                  statements.add(ModelTable.point(model.name(), alias, version.version())));
          return charge(version)
              .compose(charged -> {
                statements.addAll(charged);
                return changes.commitObject(wanted.by(), what("register", version), statements);
              })
              .compose(done -> table.get(version.model(), version.version()).compose(this::shown));
        })
        .recover(failure ->
            Problem.of(failure) instanceof Problem.Conflict && attempt < TRIES
                ? free(wanted).compose(free -> register(wanted, collected, attempt + 1))
                : Future.failedFuture(failure));
  }

  /** The files of a version are charged to the storage of its project, until it is deleted. */
  private Future<List<Statement>> charge(Version version) {
    long bytes = version.content().bytes();
    return bytes == 0
        ? Future.succeededFuture(List.of())
        : quotas.charge(
            new Quotas.Hold(
                new QuotaObject(CHARGED, version.id()),
                version.project(),
                version.owner(),
                1,
                Amounts.of(QuotaResource.STORAGE, bytes),
                1),
            "version %s of model '%s'".formatted(version.version(), version.model()));
  }

  private Version version(
      RegisterVersion wanted, Collected collected, ModelRow model, Instant now) {
    long number = model.lastNumber() + 1;
    return new Version(
        model.name(),
        Objects.requireNonNullElseGet(
            wanted.version(), () -> new VersionName(Long.toString(number))),
        number,
        model.project(),
        wanted.by().name(),
        freshIds.get(),
        collected.content(),
        collected.about(),
        wanted.aliases(),
        now,
        now,
        1);
  }

  // ---- changing ------------------------------------------------------------------------------

  private Future<Version> change(ChangeVersion wanted) {
    return table
        .get(wanted.model(), wanted.version())
        .compose(version -> {
          RevisionCheck.require(
              "Version %s of model '%s'".formatted(version.version(), version.model()),
              wanted.ifRevision(),
              version.revision());
          if (wanted.dryRun()) {
            return shown(version);
          }
          Instant now = changes.now();
          return changes
              .commitObject(
                  wanted.by(),
                  what("change", version),
                  List.of(
                      VersionTable.update(version, wanted.about(), now.toEpochMilli()),
                      ModelTable.changed(version.model(), now)))
              .compose(done -> table.get(wanted.model(), wanted.version()).compose(this::shown));
        });
  }

  private Future<Done> delete(OfVersion asked) {
    return table
        .get(asked.model(), asked.version())
        .compose(this::shown)
        .compose(version -> {
          if (!version.aliases().isEmpty()) {
            throw new Problem.Conflict(
                    "Version %s of model '%s' is used by the alias %s: point it elsewhere first."
                        .formatted(
                            version.version(), version.model(), version.aliases().getFirst()))
                .toException();
          }
          return use.requireNone(version.model(), version.version(), version.aliases())
              .compose(free -> {
                List<Statement> statements =
                    new ArrayList<>(
                        List.of(
                            VersionTable.delete(version.model(), version.version(), version.id()),
                            ArtifactTable.drop(Models.tree(version.id()), ""),
                            ModelTable.changed(version.model(), changes.now())));
                statements.addAll(QuotaHandler.giveBack(version.project(), CHARGED, version.id()));
                return changes.commitObject(asked.by(), what("delete", version), statements);
              })
              .onSuccess(deleted -> bus.publish(Quotas.FREED, new Quotas.Freed(version.project())));
        })
        .map(new Done());
  }

  private static What what(String action, Version version) {
    return new What(
        action,
        "model",
        version.model().value(),
        version.project(),
        "version " + version.version());
  }
}
