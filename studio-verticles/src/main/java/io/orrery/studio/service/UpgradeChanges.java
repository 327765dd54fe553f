package io.orrery.studio.service;

import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services.OfStage;
import io.orrery.core.bus.contract.Services.RevertUpgrade;
import io.orrery.core.bus.contract.Services.Revision;
import io.orrery.core.bus.contract.Services.ShareUpgrade;
import io.orrery.core.bus.contract.Services.SteerUpgrade;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.problem.Problem;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Statement;
import io.orrery.core.workload.Upgrade;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.deployment.Deployment;
import io.orrery.studio.deployment.DeploymentTable;
import io.orrery.studio.deployment.ServiceUpgrade;
import io.orrery.studio.deployment.UpgradeTable;
import io.orrery.studio.rollout.Rollout;
import io.orrery.studio.rollout.RolloutSteering;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import io.orrery.studio.service.ServiceTable.StageRow;
import io.orrery.studio.service.ServiceTable.StoredWant;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Begins the upgrades of services in production, changes their shares, and goes back. The steps
 * themselves are decided by the controller of deployments.
 */
final class UpgradeChanges {
  /** The author of what upgrades do by themselves, in the audit log. */
  private static final Actor ROLLOUT = new Actor("rollout", "");

  private final AuditedChanges changes;
  private final ServiceTable table;
  private final UpgradeTable upgrades;
  private final StageKeeper keeper;

  UpgradeChanges(
      AuditedChanges changes, ServiceTable table, UpgradeTable upgrades, StageKeeper keeper) {
    this.changes = changes;
    this.table = table;
    this.upgrades = upgrades;
    this.keeper = keeper;
  }

  /**
   * The way in which a deployment takes over.
   *
   * @param statements that store its upgrade, or forget the one before
   */
  record Takeover(Want want, List<Statement> statements) {
    Takeover {
      statements = List.copyOf(statements);
    }
  }

  /**
   * A deployment that has requests, to which a new one is compared.
   *
   * @param followed whether another one has been deployed after it already
   */
  private record Serving(Want want, long revision, boolean followed) {}

  /**
   * Decides how a new deployment takes over from the present one: by the steps of its document when
   * it runs something else, at once otherwise.
   *
   * @param want of the next generation
   * @param restart whether it is the same again, which goes by steps only where these are under way
   */
  Future<Takeover> takeover(
      ServiceRow row, ServiceDocument document, ServiceStage stage, Want want, boolean restart) {
    if (stage != ServiceStage.PRODUCTION) {
      return Future.succeededFuture(new Takeover(want, List.of()));
    }
    return Future.all(
            table.stage(row.name(), stage),
            table.want(row.name(), stage),
            upgrades.find(row.name()))
        .map(read -> {
          Optional<StageRow> present = read.resultAt(0);
          Optional<Want> wanted = read.resultAt(1);
          Optional<ServiceUpgrade> upgrade = read.resultAt(2);
          return takeover(
              row,
              document,
              want,
              restart,
              serving(present.orElse(null), wanted.orElse(null), upgrade.orElse(null)));
        });
  }

  private Takeover takeover(
      ServiceRow row,
      ServiceDocument document,
      Want want,
      boolean restart,
      @Nullable Serving serving) {
    List<Statement> none = List.of(UpgradeTable.drop(row.name()));
    if (serving == null) {
      return new Takeover(want, none);
    }
    long from = serving.want().generation();
    boolean again = restart && !serving.followed();
    if (again || !document.rollout().isGradual() || !isDivisible(serving.want(), want)) {
      return new Takeover(
          serving.followed() ? want.as(want.generation(), new Upgrade(from, null)) : want, none);
    }
    Rollout rollout =
        Rollout.upgrade(row.name(), want.generation(), document.rollout(), changes.now());
    return new Takeover(
        want.as(want.generation(), new Upgrade(from, 0)),
        List.of(
            UpgradeTable.put(
                new ServiceUpgrade(
                    row.name(),
                    row.project(),
                    want.generation(),
                    serving.want(),
                    serving.revision(),
                    rollout,
                    true,
                    1))));
  }

  /** The deployment that has the requests: the earlier one while an upgrade is undecided. */
  private static @Nullable Serving serving(
      @Nullable StageRow present, @Nullable Want want, @Nullable ServiceUpgrade upgrade) {
    if (present == null || want == null || present.replicas() == 0) {
      return null;
    }
    return upgrade != null && upgrade.isUndecided() && upgrade.generation() == present.generation()
        ? new Serving(upgrade.before(), upgrade.beforeRevision(), true)
        : new Serving(want, present.revision(), false);
  }

  /** Whether requests can be divided between two deployments, and there is a difference to see. */
  private static boolean isDivisible(Want before, Want next) {
    return before.route() != null
        && next.route() != null
        && !(next.spec().equals(before.spec()) && Objects.equals(next.code(), before.code()))
        && next.spec().exposure().equals(before.spec().exposure())
        && next.runtime().equals(before.runtime());
  }

  // ---- decisions of the controller -----------------------------------------------------------

  /** Stores a share, and tells the orchestrator. */
  Future<Done> share(ShareUpgrade asked) {
    return present(asked.name(), asked.generation())
        .compose(present ->
            table
                .stored(asked.name(), ServiceStage.PRODUCTION)
                .compose(found -> {
                  StoredWant stored = found.orElseThrow(() -> changed(asked.name()));
                  Want before = stored.want();
                  Upgrade way = Objects.requireNonNull(before.upgrade());
                  Want want = before.as(before.generation(), way.at(asked.percent()));
                  return table
                      .write(List.of(ServiceTable.scale(stored, present, present, want)))
                      .compose(written -> keeper.tell(want));
                }))
        .map(told -> new Done());
  }

  /** Deploys what was there before again, as another generation. */
  Future<Done> revert(RevertUpgrade asked) {
    return Future.all(
            table.get(asked.name()),
            present(asked.name(), asked.generation()),
            upgrades.find(asked.name()),
            table.revisions(asked.name()))
        .compose(read -> {
          ServiceRow row = read.resultAt(0);
          StageRow present = read.resultAt(1);
          Optional<ServiceUpgrade> found = read.resultAt(2);
          List<Revision> revisions = read.resultAt(3);
          ServiceUpgrade upgrade =
              found
                  .filter(each -> each.generation() == asked.generation())
                  .orElseThrow(() -> changed(asked.name()));
          ServiceDocument document =
              revisions.stream()
                  .filter(each -> each.revision() == upgrade.beforeRevision())
                  .findFirst()
                  .map(each -> ServiceDocumentReader.read(row.name(), each.document()).document())
                  .orElse(null);
          return revert(row, present, upgrade, document);
        })
        .map(told -> new Done());
  }

  private Future<Void> revert(
      ServiceRow row, StageRow present, ServiceUpgrade upgrade, @Nullable ServiceDocument before) {
    ServiceRow next = row.withGeneration(row.generation() + 1);
    Want want =
        upgrade
            .before()
            .as(next.generation(), new Upgrade(upgrade.before().generation(), null))
            .with(present.replicas());
    List<Statement> statements = new ArrayList<>();
    statements.add(UpgradeTable.close(upgrade));
    if (before != null) {
      statements.add(DeploymentTable.put(deployment(next, before, changes.now())));
    }
    String detail =
        "revision %d again as generation %d: %s"
            .formatted(upgrade.beforeRevision(), next.generation(), upgrade.rollout().reason());
    What what = StageChanges.what("roll back", next, detail);
    return again(ROLLOUT, what, row, present, upgrade.beforeRevision(), want, statements);
  }

  /** Commits what was frozen before as the next generation, and tells of it. */
  private Future<Void> again(
      Actor by,
      What what,
      ServiceRow row,
      StageRow present,
      long revision,
      Want want,
      List<Statement> besides) {
    StageRow stage =
        new StageRow(
            row.name(),
            present.stage(),
            want.generation(),
            revision,
            want.replicas(),
            changes.now());
    List<Statement> statements = new ArrayList<>(besides);
    statements.add(ServiceTable.update(row.withGeneration(want.generation()), row));
    statements.add(ServiceTable.put(stage, want));
    // A restart of the same revision would take the last image of the build otherwise.
    statements.add(ServiceTable.keepImage(stage));
    return changes
        .commitObject(by, what, statements)
        .compose(committed -> keeper.tell(want))
        .onSuccess(told -> keeper.steer());
  }

  /**
   * Deploys what is deployed again, as it was frozen: its document is another one by now, since it
   * was rolled back or is not deployed yet.
   */
  Future<ServiceRow> restart(OfStage asked, ServiceRow row, StageRow present, Want frozen) {
    long generation = row.generation() + 1;
    String detail =
        "%s, revision %d, generation %d"
            .formatted(asked.stage().word(), present.revision(), generation);
    return again(
            asked.by(),
            StageChanges.what("restart", row, detail),
            row,
            present,
            present.revision(),
            frozen.as(generation, null),
            asked.stage() == ServiceStage.PRODUCTION
                ? List.of(UpgradeTable.drop(row.name()))
                : List.of())
        .map(row.withGeneration(generation));
  }

  /** The deployment in production, as far as something steers it. */
  static Deployment deployment(ServiceRow row, ServiceDocument document, Instant now) {
    return new Deployment(
        row.name(),
        row.project(),
        row.owner(),
        document.ports().isEmpty() ? null : document.host(),
        row.generation(),
        now,
        document.rollout(),
        document.scaling());
  }

  private Future<StageRow> present(ServiceName name, long generation) {
    return table
        .stage(name, ServiceStage.PRODUCTION)
        .map(found ->
            found
                .filter(stage -> stage.generation() == generation)
                .orElseThrow(() -> changed(name)));
  }

  private static RuntimeException changed(ServiceName name) {
    return new Problem.Conflict(
            "Service %s has been deployed again or cleared meanwhile.".formatted(name))
        .toException();
  }

  // ---- commands ------------------------------------------------------------------------------

  /** Steers the upgrade of a service, by a person. */
  Future<ServiceRow> steer(SteerUpgrade asked) {
    return table
        .get(asked.name())
        .compose(row ->
            upgrades
                .find(asked.name())
                .compose(found -> {
                  ServiceUpgrade upgrade =
                      found
                          .filter(ServiceUpgrade::open)
                          .orElseThrow(() ->
                              new Problem.Conflict(
                                      "No upgrade of %s is under way.".formatted(asked.name()))
                                  .toException());
                  Rollout next =
                      RolloutSteering.steer(
                          upgrade.rollout(), asked.action(), asked.by().name(), changes.now());
                  return changes.commitObject(
                      asked.by(),
                      StageChanges.what(
                          RolloutSteering.verb(asked.action()),
                          row,
                          Objects.requireNonNullElse(next.reason(), "")),
                      List.of(UpgradeTable.update(upgrade.with(next))));
                })
                .onSuccess(stored -> keeper.steer())
                .map(row));
  }
}
