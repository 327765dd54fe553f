package io.orrery.studio.service;

import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Services.OfStage;
import io.orrery.core.bus.contract.Services.Scale;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Statement;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import io.orrery.studio.service.ServiceTable.StageRow;
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

  StageChanges(
      AuditedChanges changes, ServiceTable table, StageKeeper keeper, DeploymentCheck check) {
    this.changes = changes;
    this.table = table;
    this.keeper = keeper;
    this.check = check;
  }

  /** Deploys the present document. */
  Future<ServiceRow> deploy(OfStage asked) {
    return again(asked, "deploy");
  }

  /** Deploys it again where it is deployed. */
  Future<ServiceRow> restart(OfStage asked) {
    return again(asked, RESTART);
  }

  private Future<ServiceRow> again(OfStage asked, String action) {
    return table
        .get(asked.name())
        .compose(row -> {
          ServiceDocument document = document(row);
          return check
              .check(row, document)
              .compose(missing -> table.stages(row.name()))
              .compose(stages -> {
                Optional<StageRow> deployed =
                    stages.stream().filter(each -> each.stage() == asked.stage()).findFirst();
                if (deployed.isEmpty() && action.equals(RESTART)) {
                  throw notDeployed(asked.name(), asked.stage());
                }
                return deploy(
                    asked.by(), action, row, row, document, asked.stage(), deployed, List.of());
              });
        });
  }

  /** Commits another generation of a stage with what belongs to it, and tells the orchestrator. */
  Future<ServiceRow> deploy(
      Actor by,
      String action,
      ServiceRow before,
      ServiceRow changed,
      ServiceDocument document,
      ServiceStage stage,
      Optional<StageRow> deployed,
      List<Statement> ahead) {
    ServiceRow next = changed.withGeneration(changed.generation() + 1);
    int replicas =
        deployed.map(present -> replicas(action, present, document)).orElse(document.least());
    return check
        .cluster(next.project())
        .compose(cluster -> {
          Want want =
              ServiceFreezer.freeze(next, document, cluster, stage, next.generation(), replicas);
          List<Statement> statements = new ArrayList<>(ahead);
          statements.add(ServiceTable.update(next, before));
          statements.add(
              ServiceTable.put(
                  new StageRow(
                      next.name(),
                      stage,
                      next.generation(),
                      next.revision(),
                      replicas,
                      changes.now(),
                      want)));
          String detail =
              "%s, revision %d, generation %d"
                  .formatted(stage.word(), next.revision(), next.generation());
          return changes
              .commit(by, what(action, next, detail), statements)
              .compose(committed -> keeper.tell(want))
              .map(next);
        });
  }

  /**
   * A restart keeps the number of replicas; a deployment keeps it as far as the document lets it.
   */
  private static int replicas(String action, StageRow present, ServiceDocument document) {
    return action.equals(RESTART)
        ? present.replicas()
        : Math.clamp(present.replicas(), document.least(), document.most());
  }

  /** Ends the replicas of a stage. */
  Future<ServiceRow> clear(OfStage asked) {
    return table
        .get(asked.name())
        .compose(row ->
            changes
                .commit(
                    asked.by(),
                    what("clear", row, asked.stage().word()),
                    ServiceTable.drop(row.name(), asked.stage()))
                .compose(dropped -> keeper.end(ServiceFreezer.workload(row.name(), asked.stage())))
                .map(row));
  }

  /** Changes the number of replicas of a stage. */
  Future<ServiceRow> scale(Scale asked) {
    return table
        .get(asked.name())
        .compose(row ->
            table
                .stages(row.name())
                .compose(stages -> {
                  StageRow present =
                      stages.stream()
                          .filter(each -> each.stage() == asked.stage())
                          .findFirst()
                          .orElseThrow(() -> notDeployed(asked.name(), asked.stage()));
                  Want want = scaled(present.want(), asked.replicas());
                  return changes
                      .commit(
                          asked.by(),
                          what(
                              "scale",
                              row,
                              "%s, %d to %d replicas"
                                  .formatted(
                                      asked.stage().word(), present.replicas(), asked.replicas())),
                          ServiceTable.put(
                              new StageRow(
                                  present.service(),
                                  present.stage(),
                                  present.generation(),
                                  present.revision(),
                                  asked.replicas(),
                                  present.deployedAt(),
                                  want)))
                      .compose(stored -> keeper.tell(want));
                })
                .map(row));
  }

  private static Want scaled(Want want, int replicas) {
    return new Want(
        want.workload(),
        want.project(),
        want.owner(),
        want.runtime(),
        want.generation(),
        want.spec(),
        want.code(),
        replicas,
        want.route());
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
