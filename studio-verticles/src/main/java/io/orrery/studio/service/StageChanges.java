package io.orrery.studio.service;

import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services.AutoScale;
import io.orrery.core.bus.contract.Services.OfStage;
import io.orrery.core.bus.contract.Services.Scale;
import io.orrery.core.bus.contract.Services.Scaling;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Statement;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.deployment.DeploymentTable;
import io.orrery.studio.deployment.ScalingTable;
import io.orrery.studio.deployment.UpgradeTable;
import io.orrery.studio.service.DeploymentCheck.Place;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import io.orrery.studio.service.ServiceTable.StageRow;
import io.orrery.studio.service.ServiceTable.StoredWant;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Deploys, restarts, scales and clears stages: commits what is wanted, then tells of it. */
final class StageChanges {
  private static final String RESTART = "restart";

  private final AuditedChanges changes;
  private final ServiceTable table;
  private final StageKeeper keeper;
  private final DeploymentCheck check;
  private final RegistryModels models;
  private final UpgradeChanges upgrades;

  StageChanges(
      AuditedChanges changes,
      ServiceTable table,
      StageKeeper keeper,
      DeploymentCheck check,
      RegistryModels models,
      UpgradeChanges upgrades) {
    this.changes = changes;
    this.table = table;
    this.keeper = keeper;
    this.check = check;
    this.models = models;
    this.upgrades = upgrades;
  }

  /** Deploys the present document. */
  Future<ServiceRow> deploy(OfStage asked) {
    return table
        .get(asked.name())
        .compose(row ->
            models
                .resolve(document(row), row.project(), asked.by())
                .compose(document ->
                    check
                        .check(row, document, asked.stage())
                        .compose(place ->
                            table
                                .stage(row.name(), asked.stage())
                                .compose(deployed ->
                                    deploy(
                                        asked.by(),
                                        "deploy",
                                        row,
                                        row,
                                        document,
                                        asked.stage(),
                                        place,
                                        replicas(deployed, document),
                                        List.of())))));
  }

  /**
   * Deploys what is deployed again, with as many replicas as there are, the version of its model,
   * and the last image of its build; after a rollback with the image that this was to.
   */
  Future<ServiceRow> restart(OfStage asked) {
    return table
        .get(asked.name())
        .compose(row ->
            deployed(row, asked.stage())
                .compose(present ->
                    table
                        .want(row.name(), asked.stage())
                        .map(found ->
                            found.orElseThrow(() -> notDeployed(row.name(), asked.stage())))
                        .compose(want ->
                            present.revision() == row.revision()
                                ? restart(asked, row, present, want)
                                : upgrades.restart(asked, row, present, want))));
  }

  private Future<ServiceRow> restart(OfStage asked, ServiceRow row, StageRow present, Want want) {
    return models
        .resolve(RegistryModels.keep(document(row), want.spec().model()), row.project(), asked.by())
        .compose(document ->
            table
                .keepsImage(row.name(), asked.stage())
                .compose(keeps ->
                    check.check(
                        row,
                        document,
                        asked.stage(),
                        List.of(),
                        keeps ? want.spec().image() : null))
                .compose(place ->
                    deploy(
                        asked.by(),
                        RESTART,
                        row,
                        row,
                        document,
                        asked.stage(),
                        place,
                        present.replicas(),
                        List.of())));
  }

  /** The present number of replicas, as far as the document lets it be. */
  static int replicas(Optional<StageRow> deployed, ServiceDocument document) {
    return deployed
        .map(present -> Math.clamp(present.replicas(), document.least(), document.most()))
        // One that may rest begins with a replica, which tells whether it works.
        .orElse(Math.max(document.least(), Math.min(1, document.most())));
  }

  /**
   * Commits another generation of a stage with what belongs to it, and tells the orchestrator.
   *
   * @param place which was checked for this stage
   */
  Future<ServiceRow> deploy(
      Actor by,
      String action,
      ServiceRow before,
      ServiceRow changed,
      ServiceDocument document,
      ServiceStage stage,
      Place place,
      int replicas,
      List<Statement> ahead) {
    ServiceRow next = changed.withGeneration(changed.generation() + 1);
    Want want =
        ServiceFreezer.freeze(
            next,
            place.document(),
            place.project(),
            stage,
            next.generation(),
            replicas,
            place.exposed(),
            place.addresses());
    return check
        .frozen(want)
        .compose(frozen -> upgrades.takeover(next, document, stage, frozen, action.equals(RESTART)))
        .compose(takeover -> {
          List<Statement> statements = new ArrayList<>(ahead);
          statements.addAll(takeover.statements());
          return commit(
              by, action, before, next, document, stage, takeover.want(), place, statements);
        });
  }

  private Future<ServiceRow> commit(
      Actor by,
      String action,
      ServiceRow before,
      ServiceRow next,
      ServiceDocument document,
      ServiceStage stage,
      Want want,
      Place place,
      List<Statement> ahead) {
    StageRow deployment =
        new StageRow(
            next.name(), stage, next.generation(), next.revision(), want.replicas(), changes.now());
    List<Statement> statements = new ArrayList<>(ahead);
    statements.addAll(RegistryModels.guard(document));
    statements.add(ServiceTable.update(next, before));
    statements.add(ServiceTable.put(deployment, want));
    if (place.keepsImage()) {
      statements.add(ServiceTable.keepImage(deployment));
    }
    statements.addAll(PortTable.put(next.name(), stage, place.exposed()));
    if (stage == ServiceStage.PRODUCTION) {
      statements.add(DeploymentTable.put(UpgradeChanges.deployment(next, document, changes.now())));
    }
    String detail =
        "%s, revision %d, generation %d"
            .formatted(stage.word(), next.revision(), next.generation());
    if (document.imageOf() != null) {
      detail += ", image " + want.spec().image();
      if (stage == document.stage()) {
        statements.add(ServiceTable.image(next, want.spec().image()));
      }
    }
    return changes
        .commitObject(by, what(action, next, detail), statements)
        .compose(committed -> keeper.tell(want))
        .onSuccess(told -> keeper.steer())
        .map(next);
  }

  /** Ends the replicas of a stage. */
  Future<ServiceRow> clear(OfStage asked) {
    return table
        .get(asked.name())
        .compose(row ->
            changes
                .commitObject(
                    asked.by(),
                    what("clear", row, asked.stage().word()),
                    dropped(row.name(), asked.stage()))
                .compose(dropped -> keeper.end(asked.stage().workload(row.name())))
                .onSuccess(told -> keeper.steer())
                .map(row));
  }

  private static List<Statement> dropped(ServiceName name, ServiceStage stage) {
    Statement drop = ServiceTable.drop(name, stage);
    Statement ports = PortTable.drop(name, stage);
    return stage == ServiceStage.PRODUCTION
        ? List.of(drop, ports, DeploymentTable.drop(name), UpgradeTable.drop(name))
        : List.of(drop, ports);
  }

  /** Changes the number of replicas of a stage. */
  Future<ServiceRow> scale(Scale asked) {
    return table
        .get(asked.name())
        .compose(row ->
            deployed(row, asked.stage())
                .compose(present ->
                    table
                        .stored(row.name(), asked.stage())
                        .compose(stored ->
                            scale(
                                asked,
                                row,
                                present,
                                stored.orElseThrow(() -> notDeployed(row.name(), asked.stage())))))
                .map(row));
  }

  private Future<Void> scale(Scale asked, ServiceRow row, StageRow present, StoredWant stored) {
    Want want = stored.want().with(asked.replicas());
    String detail =
        "%s, %d to %d replicas"
            .formatted(asked.stage().word(), present.replicas(), asked.replicas());
    return changes
        .commitObject(
            asked.by(),
            what("scale", row, detail),
            scaled(stored, present, want, "%s scaled it".formatted(asked.by().name())))
        .compose(committed -> keeper.tell(want));
  }

  private List<Statement> scaled(StoredWant stored, StageRow present, Want want, String reason) {
    List<Statement> statements = new ArrayList<>();
    statements.add(
        ServiceTable.scale(stored, present, present.withReplicas(want.replicas()), want));
    if (present.stage() == ServiceStage.PRODUCTION && present.replicas() != want.replicas()) {
      statements.addAll(
          ScalingTable.add(
              present.service(),
              new Scaling(changes.now(), present.replicas(), want.replicas(), reason)));
    }
    return statements;
  }

  /** Changes the number of replicas in production by a decision of the server. */
  Future<Done> scale(AutoScale asked) {
    return table
        .get(asked.name())
        .compose(row -> deployed(row, ServiceStage.PRODUCTION))
        .compose(present -> {
          if (present.replicas() != asked.before()) {
            throw new Problem.Conflict(
                    "Service %s has %d replicas by now, not %d."
                        .formatted(asked.name(), present.replicas(), asked.before()))
                .toException();
          }
          return table
              .stored(asked.name(), ServiceStage.PRODUCTION)
              .compose(found -> {
                StoredWant stored =
                    found.orElseThrow(() -> notDeployed(asked.name(), ServiceStage.PRODUCTION));
                Want want = stored.want().with(asked.after());
                return table
                    .write(scaled(stored, present, want, asked.reason()))
                    .compose(written -> keeper.tell(want));
              });
        })
        .map(told -> new Done());
  }

  private Future<StageRow> deployed(ServiceRow row, ServiceStage stage) {
    return table
        .stage(row.name(), stage)
        .map(found -> found.orElseThrow(() -> notDeployed(row.name(), stage)));
  }

  private static ServiceDocument document(ServiceRow row) {
    return ServiceDocumentReader.read(row.name(), row.document()).document();
  }

  private static RuntimeException notDeployed(ServiceName name, ServiceStage stage) {
    return new Problem.Conflict(
            "Service %s is not deployed at the stage %s: deploy it first."
                .formatted(name, stage.word()))
        .toException();
  }

  /** The entry of the audit log for a change of a service. */
  static What what(String action, ServiceRow row, String detail) {
    return new What(action, "service", row.name().value(), row.project(), detail);
  }
}
