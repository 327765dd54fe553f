package io.orrery.studio.control;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.DomainRoutes;
import io.orrery.core.bus.contract.DomainRoutes.DomainRoute;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.problem.Problem;
import io.orrery.core.route.DomainRouteName;
import io.orrery.core.route.GenerationRouteName;
import io.orrery.core.service.RolloutState;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Store;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.deployment.Deployment;
import io.orrery.studio.domain.DomainTable;
import io.orrery.studio.domain.DomainTable.DomainRow;
import io.orrery.studio.rollout.DomainState;
import io.orrery.studio.rollout.Rollout;
import io.orrery.studio.rollout.RolloutModel;
import io.orrery.studio.rollout.RolloutModel.Sight;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the domains with what is deployed, and carries out their rollouts. For each domain: take
 * in deployments, look at the candidate, decide ({@link RolloutModel}), store, tell the
 * orchestrator.
 */
final class RolloutRound {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutRound.class);

  /** The author of what rollouts do by themselves, in the audit log. */
  static final Actor ROLLOUT = new Actor("rollout", "");

  private final Bus bus;
  private final Store store;
  private final AuditedChanges changes;
  private final DomainTable table;
  private final RolloutSights sights;
  private Map<String, DomainRow> rows = Map.of();
  private boolean stale = true;

  RolloutRound(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.store = store;
    this.changes = changes;
    this.table = new DomainTable(store);
    this.sights = new RolloutSights(bus);
  }

  /** Has the domains read again at the next round. */
  void reread() {
    stale = true;
  }

  /** Runs a round; each domain's failure is its own. */
  Future<Void> run(List<Deployment> deployments, Instant now) {
    boolean moving = rows.values().stream().anyMatch(row -> isMoving(row.state().rollout()));
    if (!stale && !moving) {
      return Future.succeededFuture();
    }
    return table
        .all()
        .compose(stored -> {
          Map<String, DomainRow> byHost = new TreeMap<>();
          stored.forEach(row -> byHost.put(row.host(), row));
          Map<String, List<Deployment>> deployed =
              deployments.stream()
                  .filter(deployment -> deployment.host() != null)
                  .collect(
                      Collectors.groupingBy(
                          deployment -> Objects.requireNonNull(deployment.host())));
          deployed.forEach((host, some) ->
              byHost.computeIfAbsent(
                  host,
                  added ->
                      new DomainRow(
                          host,
                          some.getFirst().project(),
                          some.getFirst().owner(),
                          DomainState.empty(now),
                          0,
                          now)));
          List<Future<Optional<DomainRow>>> all = new ArrayList<>();
          byHost
              .values()
              .forEach(row ->
                  all.add(
                      domain(row, deployed.getOrDefault(row.host(), List.of()), now)
                          .recover(failure -> {
                            LOG.warn(
                                "could not steer the domain {}: {}",
                                row.host(),
                                Problem.of(failure).detail());
                            return Future.succeededFuture(Optional.of(row));
                          })));
          boolean compare = stale;
          stale = false;
          return Future.join(all)
              .compose(done -> {
                rows =
                    all.stream()
                        .flatMap(row -> row.result().stream())
                        .filter(row -> row.revision() > 0)
                        .collect(Collectors.toMap(DomainRow::host, row -> row));
                sights.keep(rows.keySet());
                return compare ? compare() : Future.succeededFuture();
              });
        });
  }

  private static boolean isMoving(Rollout rollout) {
    return rollout.isActive() || rollout.state() == RolloutState.DONE;
  }

  /** The row as it is afterwards; empty when the domain is no more. */
  private Future<Optional<DomainRow>> domain(
      DomainRow row, List<Deployment> deployed, Instant now) {
    List<DomainState.Member> members =
        deployed.stream()
            .filter(deployment -> deployment.project().equals(row.project()))
            .map(deployment ->
                new DomainState.Member(
                    deployment.service(),
                    deployment.generation(),
                    deployment.deployedAt(),
                    deployment.rollout()))
            .toList();
    if (members.isEmpty()) {
      return row.revision() == 0
          ? Future.succeededFuture(Optional.empty())
          : store
              .write(List.of(DomainTable.drop(row)))
              .compose(dropped -> bus.request(DomainRoutes.DROP, new DomainRoutes.Drop(row.host())))
              .map(Optional.empty());
    }
    DomainState taken = row.state().deployed(members, now);
    return next(row.host(), taken, now)
        .compose(
            next -> next.equals(row.state()) ? Future.succeededFuture(row) : store(row, next, now))
        .map(Optional::of);
  }

  /** The next state of a domain; its old services are cleared before the rollout is over. */
  private Future<DomainState> next(String host, DomainState state, Instant now) {
    Rollout rollout = state.rollout();
    if (!isMoving(rollout)) {
      return Future.succeededFuture(state);
    }
    Future<Sight> sight =
        rollout.isActive() ? sight(host, rollout) : Future.succeededFuture(RolloutSights.UNSEEN);
    return sight.compose(seen -> {
      Rollout next = RolloutModel.next(rollout, seen, now);
      if (next.equals(rollout)) {
        return Future.succeededFuture(state);
      }
      DomainState changed = state.with(next);
      boolean over = rollout.state() == RolloutState.DONE && next.state() == RolloutState.IDLE;
      return (over ? clear(changed.superseded()) : Future.<Void>succeededFuture())
          .map(cleared -> changed);
    });
  }

  private Future<Sight> sight(String host, Rollout rollout) {
    ServiceName candidate = Objects.requireNonNull(rollout.candidate());
    WorkloadRef ref = ServiceStage.PRODUCTION.workload(candidate);
    return bus.request(Workloads.LIST, new Workloads.ListSome(List.of(ref)))
        .compose(listed ->
            sights.of(
                host,
                rollout,
                listed.byRef().get(ref),
                List.of(DomainRouteName.of(host)),
                name -> GenerationRouteName.isOf(candidate.value(), name),
                name -> !GenerationRouteName.isOf(candidate.value(), name)));
  }

  private Future<Void> clear(List<ServiceName> services) {
    return Future.join(
            services.stream()
                .map(service ->
                    bus.request(
                        Services.CLEAR,
                        new Services.OfStage(ROLLOUT, service, ServiceStage.PRODUCTION)))
                .toList())
        .mapEmpty();
  }

  private Future<DomainRow> store(DomainRow row, DomainState next, Instant now) {
    DomainRow changed = row.with(next, now);
    Rollout rollout = next.rollout();
    String detail =
        rollout.reason() == null ? DomainState.words(next.backends()) : rollout.reason();
    boolean told =
        rollout.state() == row.state().rollout().state()
            && rollout.step() == row.state().rollout().step()
            && next.backends().equals(row.state().backends());
    return (told
            ? store.write(List.of(DomainTable.put(changed)))
            : changes.commitObject(
                ROLLOUT,
                new What("rollout", "domain", row.host(), row.project(), detail),
                List.of(DomainTable.put(changed))))
        .compose(stored -> tell(changed))
        .map(changed);
  }

  // ---- the orchestrator ----------------------------------------------------------------------

  private Future<Void> tell(DomainRow row) {
    return bus.request(DomainRoutes.PUT, route(row)).mapEmpty();
  }

  private static DomainRoute route(DomainRow row) {
    return new DomainRoute(
        row.host(), row.revision(), row.state().backends(), row.state().shadows());
  }

  /** Makes up for what the orchestrator was not told. */
  private Future<Void> compare() {
    return bus.request(DomainRoutes.LIST, new DomainRoutes.ListAll())
        .compose(listed -> {
          Map<String, DomainRoute> there =
              listed.items().stream().collect(Collectors.toMap(DomainRoute::host, route -> route));
          List<Future<Void>> repairs = new ArrayList<>();
          rows.values()
              .forEach(row -> {
                DomainRoute known = there.remove(row.host());
                if (known == null || known.revision() < row.revision()) {
                  repairs.add(tell(row));
                }
              });
          there
              .keySet()
              .forEach(host ->
                  repairs.add(
                      bus.request(DomainRoutes.DROP, new DomainRoutes.Drop(host)).mapEmpty()));
          return Future.join(repairs).mapEmpty();
        });
  }
}
