package io.orrery.studio.control;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.DomainRouteName;
import io.orrery.core.route.GenerationRouteName;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Store;
import io.orrery.core.workload.Upgrade;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.deployment.Deployment;
import io.orrery.studio.deployment.ServiceUpgrade;
import io.orrery.studio.deployment.UpgradeTable;
import io.orrery.studio.rollout.Rollout;
import io.orrery.studio.rollout.RolloutModel;
import io.orrery.studio.rollout.RolloutModel.Sight;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the upgrades of services, by which a generation takes over from an earlier one. For
 * each: look, decide ({@link RolloutModel}), store, have the share changed.
 *
 * <p>The share that the orchestrator has is compared with the one that is stored at each round, so
 * one that it was not told of is made up for.
 */
final class UpgradeRound {
  private static final Logger LOG = LoggerFactory.getLogger(UpgradeRound.class);

  private final Bus bus;
  private final Store store;
  private final AuditedChanges changes;
  private final UpgradeTable table;
  private final RolloutSights sights;
  private boolean moving;
  private boolean stale = true;

  UpgradeRound(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.store = store;
    this.changes = changes;
    this.table = new UpgradeTable(store);
    this.sights = new RolloutSights(bus);
  }

  /** Has the upgrades read again at the next round. */
  void reread() {
    stale = true;
  }

  /** Runs a round; each upgrade's failure is its own. */
  Future<Void> run(List<Deployment> deployments, Instant now) {
    if (!stale && !moving) {
      return Future.succeededFuture();
    }
    stale = false;
    return table
        .open()
        .compose(upgrades -> {
          moving = !upgrades.isEmpty();
          sights.keep(
              upgrades.stream()
                  .map(upgrade -> upgrade.service().value())
                  .collect(Collectors.toSet()));
          return moving ? run(upgrades, deployments, now) : Future.succeededFuture();
        });
  }

  private Future<Void> run(
      List<ServiceUpgrade> upgrades, List<Deployment> deployments, Instant now) {
    List<WorkloadRef> among = upgrades.stream().map(UpgradeRound::workload).toList();
    return bus.request(Workloads.LIST, new Workloads.ListSome(among))
        .compose(listed -> {
          Map<WorkloadRef, Workload> workloads = listed.byRef();
          return Future.join(
                  upgrades.stream()
                      .map(upgrade ->
                          steer(
                              upgrade,
                              taken(upgrade, workloads.get(workload(upgrade))),
                              host(upgrade, deployments),
                              now))
                      .toList())
              .mapEmpty();
        });
  }

  private static WorkloadRef workload(ServiceUpgrade upgrade) {
    return ServiceStage.PRODUCTION.workload(upgrade.service());
  }

  /** The workload of an upgrade; null while the orchestrator has not heard of its generation. */
  private static @Nullable Workload taken(ServiceUpgrade upgrade, @Nullable Workload workload) {
    return workload == null || workload.generation() != upgrade.generation() ? null : workload;
  }

  private static @Nullable String host(ServiceUpgrade upgrade, List<Deployment> deployments) {
    return deployments.stream()
        .filter(deployment -> deployment.service().equals(upgrade.service()))
        .map(Deployment::host)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private Future<Void> steer(
      ServiceUpgrade upgrade, @Nullable Workload workload, @Nullable String host, Instant now) {
    return sight(upgrade, workload, host)
        .compose(seen -> next(upgrade, RolloutModel.next(upgrade.rollout(), seen, now), workload))
        .recover(failure -> {
          LOG.warn(
              "could not steer the upgrade of {}: {}",
              upgrade.service(),
              Problem.of(failure).detail());
          return Future.succeededFuture();
        });
  }

  private Future<Sight> sight(
      ServiceUpgrade upgrade, @Nullable Workload workload, @Nullable String host) {
    if (!upgrade.rollout().isActive()) {
      return Future.succeededFuture(RolloutSights.UNSEEN);
    }
    String name = upgrade.service().value();
    List<String> entries = new ArrayList<>(List.of(name));
    if (host != null) {
      entries.add(DomainRouteName.of(host));
    }
    return sights.of(
        name,
        upgrade.rollout(),
        workload,
        entries,
        GenerationRouteName.of(name, upgrade.generation())::equals,
        name::equals);
  }

  /** Stores the next state once the orchestrator has what belongs before it. */
  private Future<Void> next(ServiceUpgrade upgrade, Rollout next, @Nullable Workload workload) {
    Integer told = told(workload);
    if (next.state() == RolloutState.IDLE && (workload == null || told != null)) {
      return workload == null ? Future.succeededFuture() : share(upgrade, null);
    }
    if (!next.equals(upgrade.rollout())) {
      ServiceUpgrade changed = upgrade.with(next);
      return store(upgrade, changed).compose(stored -> carryOut(changed, told, workload != null));
    }
    return carryOut(upgrade, told, workload != null);
  }

  private Future<Void> carryOut(ServiceUpgrade upgrade, @Nullable Integer told, boolean taken) {
    return switch (upgrade.rollout().state()) {
      case STEP, PAUSED, DONE ->
          !taken || Objects.equals(told, upgrade.rollout().percent())
              ? Future.succeededFuture()
              : share(upgrade, upgrade.rollout().percent());
      // The share is taken first: what was there before may not be able to start again.
      case ROLLED_BACK ->
          (taken && told != null && told > 0 ? share(upgrade, 0) : Future.<Void>succeededFuture())
              .compose(shared ->
                  bus.request(
                      Services.REVERT,
                      new Services.RevertUpgrade(upgrade.service(), upgrade.generation())))
              .mapEmpty();
      case IDLE -> Future.succeededFuture();
    };
  }

  private static @Nullable Integer told(@Nullable Workload workload) {
    Upgrade upgrade = workload == null ? null : workload.upgrade();
    return upgrade == null ? null : upgrade.percent();
  }

  private Future<Void> share(ServiceUpgrade upgrade, @Nullable Integer percent) {
    return bus.request(
            Services.SHARE,
            new Services.ShareUpgrade(upgrade.service(), upgrade.generation(), percent))
        .mapEmpty();
  }

  /** A reason alone is no entry of the audit log. */
  private Future<Void> store(ServiceUpgrade before, ServiceUpgrade changed) {
    Rollout rollout = changed.rollout();
    boolean same =
        rollout.state() == before.rollout().state() && rollout.step() == before.rollout().step();
    return same
        ? store.write(List.of(UpgradeTable.update(changed)))
        : changes.commitObject(
            RolloutRound.ROLLOUT,
            new What(
                "rollout",
                "service",
                changed.service().value(),
                changed.project(),
                Objects.requireNonNullElse(rollout.reason(), rollout.state().name())),
            List.of(UpgradeTable.update(changed)));
  }
}
