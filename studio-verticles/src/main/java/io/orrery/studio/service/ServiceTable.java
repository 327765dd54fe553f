package io.orrery.studio.service;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.ListServices;
import io.orrery.core.bus.contract.Services.Revision;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.Where;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.build.LastImages;
import io.orrery.studio.deployment.DeploymentTable;
import io.orrery.studio.deployment.ScalingTable;
import io.orrery.studio.deployment.UpgradeTable;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of services, of their revisions and of their stages. */
final class ServiceTable {
  private static final String COLUMNS =
      "name, project, owner, document, created_at, changed_at, revision, generation";

  private final Store store;

  ServiceTable(Store store) {
    this.store = store;
  }

  /**
   * A stored service.
   *
   * @param generation the last one that was given to a stage
   */
  record ServiceRow(
      ServiceName name,
      ProjectName project,
      String owner,
      String document,
      Instant createdAt,
      Instant changedAt,
      long revision,
      long generation) {
    ServiceRow withDocument(String text, Instant now) {
      return new ServiceRow(name, project, owner, text, createdAt, now, revision + 1, generation);
    }

    ServiceRow withGeneration(long next) {
      return new ServiceRow(name, project, owner, document, createdAt, changedAt, revision, next);
    }
  }

  /** A stored deployment, without the specification that was frozen for it. */
  record StageRow(
      ServiceName service,
      ServiceStage stage,
      long generation,
      long revision,
      int replicas,
      Instant deployedAt) {
    StageRow withReplicas(int number) {
      return new StageRow(service, stage, generation, revision, number, deployedAt);
    }
  }

  Future<Optional<ServiceRow>> find(ServiceName name) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from services where name = ?", name.value()),
            ServiceTable::service)
        .map(rows -> rows.stream().findFirst());
  }

  /** The service; fails with NotFound. */
  Future<ServiceRow> get(ServiceName name) {
    return find(name)
        .map(found ->
            found.orElseThrow(
                () -> new Problem.NotFound("There is no service " + name + ".").toException()));
  }

  /** A page in the order of the names, with one more than the limit when there are more. */
  Future<List<ServiceRow>> page(ListServices wanted) {
    return store.read(
        new Where()
            .and("name > ?", Objects.requireNonNullElse(wanted.cursor(), ""))
            .equal("owner", wanted.owner())
            .contains("name", wanted.text())
            .in("project", wanted.among())
            .page("select " + COLUMNS + " from services", "name", wanted.limit()),
        ServiceTable::service);
  }

  static List<Statement> insert(ServiceRow service) {
    return List.of(
        Statement.of(
                "insert into services ("
                    + COLUMNS
                    + ") values (?, ?, ?, ?, ?, ?, ?, ?)"
                    + " on conflict (name) do nothing",
                service.name().value(),
                service.project().value(),
                service.owner(),
                service.document(),
                service.createdAt().toEpochMilli(),
                service.changedAt().toEpochMilli(),
                service.revision(),
                service.generation())
            .expecting(1));
  }

  /** The statement that stores a changed service; it fails when another change came first. */
  static Statement update(ServiceRow service, ServiceRow before) {
    return Statement.of(
            "update services set document = ?, changed_at = ?, revision = ?, generation = ?"
                + " where name = ? and revision = ? and generation = ?",
            service.document(),
            service.changedAt().toEpochMilli(),
            service.revision(),
            service.generation(),
            service.name().value(),
            before.revision(),
            before.generation())
        .expecting(1);
  }

  static List<Statement> delete(ServiceName name) {
    return List.of(
        Statement.of("delete from services where name = ?", name.value()).expecting(1),
        Statement.of("delete from service_revisions where service = ?", name.value()),
        Statement.of("delete from service_stages where service = ?", name.value()),
        PortTable.drop(name),
        DeploymentTable.drop(name),
        UpgradeTable.drop(name),
        ScalingTable.drop(name));
  }

  /** Commits statements of a decision that has a log of its own in place of the audit log. */
  Future<Void> write(List<Statement> statements) {
    return store.write(statements);
  }

  // ---- revisions -----------------------------------------------------------------------------

  /** Keeps the document of a service as a revision, and drops those that are too old. */
  static List<Statement> keep(ServiceRow service, String by) {
    return List.of(
        Statement.of(
            "insert into service_revisions (service, revision, at, author, document)"
                + " values (?, ?, ?, ?, ?)",
            service.name().value(),
            service.revision(),
            service.changedAt().toEpochMilli(),
            by,
            service.document()),
        Statement.of(
            "delete from service_revisions where service = ? and revision <= ?",
            service.name().value(),
            service.revision() - Services.KEPT_REVISIONS));
  }

  Future<List<Revision>> revisions(ServiceName name) {
    return store.read(
        Statement.of(
            "select revision, at, author, document from service_revisions where service = ?"
                + " order by revision desc",
            name.value()),
        row ->
            new Revision(
                row.integer("revision"),
                row.instant("at"),
                row.text("author"),
                row.text("document")));
  }

  /** The statement that notes the image that a revision was deployed with. */
  static Statement image(ServiceRow service, @Nullable String image) {
    return Statement.of(
        "update service_revisions set image = ? where service = ? and revision = ?",
        image,
        service.name().value(),
        service.revision());
  }

  /**
   * The image that a revision took from a build when it was deployed last.
   *
   * @param revision null for none
   */
  Future<Optional<String>> frozenImage(ServiceName name, @Nullable Long revision) {
    return revision == null
        ? Future.succeededFuture(Optional.empty())
        : store
            .read(
                Statement.of(
                    "select image from service_revisions"
                        + " where service = ? and revision = ? and image is not null",
                    name.value(),
                    revision),
                row -> row.text("image"))
            .map(rows -> rows.stream().findFirst());
  }

  /** The statement that has restarts of a stage keep the image that it was deployed with. */
  static Statement keepImage(StageRow stage) {
    return Statement.of(
        "update service_stages set image_kept = generation where service = ? and stage = ?",
        stage.service().value(),
        stage.stage().word());
  }

  /** Whether a restart of a stage keeps its image, since that came by a rollback. */
  Future<Boolean> keepsImage(ServiceName name, ServiceStage stage) {
    return store
        .read(
            Statement.of(
                "select generation from service_stages"
                    + " where service = ? and stage = ? and image_kept = generation",
                name.value(),
                stage.word()),
            row -> row.integer("generation"))
        .map(rows -> !rows.isEmpty());
  }

  /** The documents of all services, present and kept. */
  Future<List<String>> documents() {
    return store.read(
        Statement.of("select document from service_revisions"), row -> row.text("document"));
  }

  // ---- stages --------------------------------------------------------------------------------

  /** A stage of a service; empty when it is not deployed there. */
  Future<Optional<StageRow>> stage(ServiceName name, ServiceStage stage) {
    return store
        .read(
            Statement.of(
                "select service, stage, generation, revision, replicas, deployed_at"
                    + " from service_stages where service = ? and stage = ?",
                name.value(),
                stage.word()),
            ServiceTable::stage)
        .map(rows -> rows.stream().findFirst());
  }

  /** The stages of the services of a page; all when the list is null. */
  Future<List<StageRow>> stagesOf(@Nullable List<ServiceName> names) {
    String where =
        names == null ? "" : " where service in " + Statement.marks(Math.max(1, names.size()));
    List<@Nullable Object> arguments = new ArrayList<>();
    if (names != null) {
      names.forEach(name -> arguments.add(name.value()));
      if (names.isEmpty()) {
        arguments.add("");
      }
    }
    return store.read(
        new Statement(
            "select service, stage, generation, revision, replicas, deployed_at"
                + " from service_stages"
                + where
                + " order by service, stage",
            arguments,
            null),
        ServiceTable::stage);
  }

  /** The images of the stages of those services whose document names a build. */
  Future<Map<WorkloadRef, String>> images(List<ServiceRow> rows) {
    List<@Nullable Object> names =
        rows.stream()
            .filter(row -> Json.parse(row.document()).hasNonNull(LastImages.KEY))
            .<@Nullable Object>map(row -> row.name().value())
            .toList();
    return names.isEmpty()
        ? Future.succeededFuture(Map.of())
        : store
            .read(
                new Statement(
                    "select want from service_stages where service in "
                        + Statement.marks(names.size()),
                    names,
                    null),
                row -> Json.read(row.text("want"), Want.class))
            .map(wants -> {
              Map<WorkloadRef, String> images = new HashMap<>();
              for (Want want : wants) {
                String image = want.spec().image();
                if (image != null) {
                  images.put(want.workload(), image);
                }
              }
              return images;
            });
  }

  /** The workload that was frozen for a stage; empty when it is not deployed. */
  Future<Optional<Want>> want(ServiceName name, ServiceStage stage) {
    return stored(name, stage).map(found -> found.map(StoredWant::want));
  }

  /**
   * The workload of a stage.
   *
   * @param text as it is stored
   */
  record StoredWant(Want want, String text) {}

  /** The same as it is stored, to be changed. */
  Future<Optional<StoredWant>> stored(ServiceName name, ServiceStage stage) {
    return store
        .read(
            Statement.of(
                "select want from service_stages where service = ? and stage = ?",
                name.value(),
                stage.word()),
            row -> new StoredWant(Json.read(row.text("want"), Want.class), row.text("want")))
        .map(rows -> rows.stream().findFirst());
  }

  /**
   * The statement that changes the number of replicas of a stage, or its share; it fails when the
   * stage has another generation, number or share by now.
   */
  static Statement scale(StoredWant stored, StageRow before, StageRow stage, Want want) {
    return Statement.of(
            "update service_stages set replicas = ?, want = ?"
                + " where service = ? and stage = ? and generation = ? and replicas = ?"
                + " and want = ?",
            stage.replicas(),
            Json.write(want),
            stage.service().value(),
            stage.stage().word(),
            stage.generation(),
            before.replicas(),
            stored.text())
        .expecting(1);
  }

  static Statement put(StageRow stage, Want want) {
    return Statement.of(
        "insert into service_stages (service, stage, generation, revision, replicas, deployed_at,"
            + " want) values (?, ?, ?, ?, ?, ?, ?) on conflict (service, stage) do update set"
            + " generation = excluded.generation, revision = excluded.revision,"
            + " replicas = excluded.replicas, deployed_at = excluded.deployed_at,"
            + " want = excluded.want",
        stage.service().value(),
        stage.stage().word(),
        stage.generation(),
        stage.revision(),
        stage.replicas(),
        stage.deployedAt().toEpochMilli(),
        Json.write(want));
  }

  static Statement drop(ServiceName name, ServiceStage stage) {
    return Statement.of(
        "delete from service_stages where service = ? and stage = ?", name.value(), stage.word());
  }

  private static ServiceRow service(Row row) {
    return new ServiceRow(
        new ServiceName(row.text("name")),
        new ProjectName(row.text("project")),
        row.text("owner"),
        row.text("document"),
        row.instant("created_at"),
        row.instant("changed_at"),
        row.integer("revision"),
        row.integer("generation"));
  }

  private static StageRow stage(Row row) {
    return new StageRow(
        new ServiceName(row.text("service")),
        ServiceStage.of(row.text("stage")).orElseThrow(),
        row.integer("generation"),
        row.integer("revision"),
        Math.toIntExact(row.integer("replicas")),
        row.instant("deployed_at"));
  }
}
