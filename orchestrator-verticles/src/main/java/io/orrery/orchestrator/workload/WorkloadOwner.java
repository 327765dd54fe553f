package io.orrery.orchestrator.workload;

import io.orrery.compute.runtime.Runtime;
import io.orrery.compute.runtime.Runtime.Wanted;
import io.orrery.compute.secret.ProjectSecrets;
import io.orrery.core.access.OriginPasses;
import io.orrery.core.async.KeyedTurns;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Trials.LogPiece;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Event;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.orchestrator.bundle.BundleFolder;
import io.orrery.orchestrator.bundle.ModelFolder;
import io.orrery.orchestrator.workload.WorkloadTable.Stored;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticle that owns all workloads: it stores what is wanted, tells the runtimes, watches what
 * they see, publishes routes, and drains. One server at a time runs it.
 *
 * <p>Each look at a workload is the same chain: see, decide ({@link WorkloadPlan}), record, route,
 * retire. It is level-triggered: the next look makes up for one that is missed.
 */
public final class WorkloadOwner extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(WorkloadOwner.class);

  private static final Duration LOOK = Duration.ofMillis(500);

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final PlacedFiles files;
  private final Map<String, Runtime> runtimes;
  private final WorkloadPlacement placement;
  private final WorkloadTable table;
  private final OpenShells shells;
  private final ReplicaDrains drains;
  private final DomainRouting domains;
  private final RouteLayerWriter routes;
  private final WorkloadTokens tokens;
  private final WorkloadQuota quota;
  private final ReplicaOrders orders;
  private final Map<WorkloadRef, OwnedWorkload> all = new TreeMap<>();
  private final KeyedTurns<WorkloadRef> turns = new KeyedTurns<>();
  private final Set<WorkloadRef> hinted = new LinkedHashSet<>();
  private Clock.@Nullable Timer tick;
  private @Nullable WorkloadCalls calls;
  private boolean closed;

  /**
   * @param store which fails writes when another server owns the workloads
   * @param bundles the code that replicas start in
   * @param models the models that replicas read
   * @param placement its runtimes are closed with this verticle
   * @param passes of guarded origins, which derive the tokens of workloads
   */
  public WorkloadOwner(
      Bus bus,
      Store store,
      Clock clock,
      BundleFolder bundles,
      ModelFolder models,
      WorkloadPlacement placement,
      OriginPasses passes,
      ProjectSecrets secrets,
      long epoch) {
    this.quota = new WorkloadQuota(bus, clock, epoch, all::get, this::allowedChanged);
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.tokens = new WorkloadTokens(passes);
    this.runtimes = placement.runtimes();
    this.placement = placement;
    this.files =
        new PlacedFiles(bundles, models, tokens, secrets, clock, all, this::allowedChanged);
    this.orders = new ReplicaOrders(bus, clock, files, placement, quota, all::get, this::hint);
    this.shells = new OpenShells(clock);
    this.table = new WorkloadTable(store);
    this.drains = new ReplicaDrains(bus, clock, all::values, placement::runtime, this::hint);
    this.domains = new DomainRouting(bus, store, this::routesChanged);
    this.routes =
        new RouteLayerWriter(bus, clock, all::values, domains, drains::soon, this::tellChanged);
  }

  @Override
  public Future<?> start() {
    WorkloadCalls toPrograms = new WorkloadCalls(vertx, tokens, this::known);
    calls = toPrograms;
    return WorkloadTable.MIGRATIONS
        .apply(store)
        .compose(current -> domains.load())
        .compose(loaded -> quota.load())
        .compose(loaded -> table.lastEvents())
        .compose(events -> {
          Map<WorkloadRef, Long> numbers = new HashMap<>();
          events.forEach(last -> numbers.put(last.workload(), last.number()));
          return table.all().map(stored -> own(stored, numbers));
        })
        .compose(this::adopt)
        .compose(adopted -> {
          // First what is there, so that what it holds is not given back.
          List.copyOf(all.keySet()).forEach(this::look);
          List.copyOf(all.values()).forEach(quota::settle);
          return serve(toPrograms);
        })
        .onSuccess(served -> {
          routes.changed();
          files.open();
          tick();
        });
  }

  private List<Stored> own(List<Stored> stored, Map<WorkloadRef, Long> numbers) {
    for (Stored each : stored) {
      WorkloadRef workload = each.want().workload();
      all.put(workload, new OwnedWorkload(each, numbers.getOrDefault(workload, 0L), clock.now()));
    }
    return stored;
  }

  private Future<?> adopt(List<Stored> stored) {
    return Future.all(
        runtimes.entrySet().stream()
            .map(runtime -> {
              runtime.getValue().follow(workload -> context.runOnContext(hint -> hint(workload)));
              List<Future<Wanted>> wanted =
                  stored.stream()
                      .filter(each -> each.want().runtime().equals(runtime.getKey()))
                      .map(this::wanted)
                      .toList();
              return Future.all(wanted)
                  .compose(all -> runtime.getValue().adopt(all.<Wanted>list()));
            })
            .toList());
  }

  /** What is missing of its files is fetched meanwhile. */
  private Future<Wanted> wanted(Stored stored) {
    Want want = stored.want();
    return files
        .specOrNone(want)
        .map(placed -> {
          if (!placed.complete() && !stored.removed()) {
            files.fetch(want.workload());
          }
          return new Wanted(
              want.workload(),
              want.generation(),
              placed.spec(),
              stored.removed() ? 0 : quota.allowedBefore(want));
        });
  }

  private Future<?> serve(WorkloadCalls toPrograms) {
    return Future.all(
        List.of(
            domains.serve(),
            files.serve(vertx, bus),
            bus.serve(Workloads.WANT, want -> turns.run(want.workload(), () -> want(want))),
            bus.serve(Workloads.REMOVE, asked -> turns.run(asked.workload(), () -> remove(asked))),
            bus.serve(
                Workloads.LIST,
                asked -> Future.succeededFuture(new Workloads.Listed(views(asked.among())))),
            bus.serve(
                Workloads.GET, asked -> Future.succeededFuture(view(known(asked.workload())))),
            bus.serve(Workloads.CHECK, asked -> placement.check(asked, all.get(asked.workload()))),
            new SettingsPreflight(placement).serve(bus),
            toPrograms.serve(bus),
            new WorkloadUsages(toPrograms, all::get, placement).serve(bus),
            new WorkloadSnapshots(this::known, placement).serve(bus),
            bus.serve(Workloads.READ_LOG, this::readLog),
            new WorkloadShells(clock, shells, this::known, all::get, placement, table).serve(bus),
            bus.serve(
                Workloads.EVENTS,
                asked -> table.events(asked.workload()).map(Workloads.Events::new))));
  }

  private Future<Done> want(Want want) {
    Runtime runtime = placement.runtime(want.runtime());
    OwnedWorkload known = all.get(want.workload());
    if (known != null) {
      if (known.want().equals(want) && !known.isRemoved()) {
        return Future.succeededFuture(new Done());
      }
      if (want.generation() < known.want().generation()) {
        throw new Problem.Conflict(
                "Generation %d of %s is wanted already, not %d."
                    .formatted(known.want().generation(), want.workload(), want.generation()))
            .toException();
      }
      placement.refuseMove(known, want.runtime());
    }
    return files
        .spec(want)
        .compose(placed ->
            table
                .put(want, known == null ? Set.of() : known.models())
                .compose(stored -> {
                  OwnedWorkload now =
                      all.computeIfAbsent(
                          want.workload(), ref -> new OwnedWorkload(want, false, 0, clock.now()));
                  now.change(want);
                  quota.settle(now);
                  return orders.tell(runtime, now, placed);
                }))
        .map(told -> {
          hint(want.workload());
          return new Done();
        });
  }

  private Future<Done> remove(Workloads.Remove asked) {
    OwnedWorkload known = all.get(asked.workload());
    if (known == null) {
      return Future.succeededFuture(new Done());
    }
    // The studio asks again until it is gone, and once is enough for the table.
    Future<?> removed =
        known.isRemoved() ? Future.succeededFuture() : table.markRemoved(asked.workload());
    return removed
        .compose(marked -> {
          OwnedWorkload workload = all.get(asked.workload());
          if (workload == null) {
            return Future.succeededFuture();
          }
          workload.markRemoved();
          Want want = workload.want();
          Runtime runtime = placement.find(want.runtime());
          // Else it would replace the replicas that are drained.
          return runtime == null
              ? Future.succeededFuture()
              : runtime.want(want.workload(), want.generation(), want.spec(), 0);
        })
        .map(told -> {
          hint(asked.workload());
          return new Done();
        });
  }

  private List<Workload> views(@Nullable List<WorkloadRef> among) {
    var some = among == null ? all.keySet().stream() : among.stream().distinct().sorted();
    return some.map(all::get).filter(Objects::nonNull).map(this::view).toList();
  }

  private Workload view(OwnedWorkload workload) {
    return shells.counted(workload.view());
  }

  private Future<LogPiece> readLog(Workloads.ReadLog asked) {
    return placement
        .runtime(known(asked.replica().workload()).want().runtime())
        .readLog(asked.replica(), asked.previous(), asked.offset(), asked.limit());
  }

  private OwnedWorkload known(WorkloadRef workload) {
    OwnedWorkload known = all.get(workload);
    if (known == null) {
      throw new Problem.NotFound("There is no workload " + workload + ".").toException();
    }
    return known;
  }

  // ---- reconciliation ------------------------------------------------------------------------

  /** Has a workload looked at soon; several hints at once are one look. */
  private void hint(WorkloadRef workload) {
    if (!closed && hinted.add(workload) && hinted.size() == 1) {
      context.runOnContext(go -> {
        List<WorkloadRef> some = List.copyOf(hinted);
        hinted.clear();
        some.forEach(this::look);
      });
    }
  }

  private void allowedChanged(WorkloadRef workload) {
    orders.again(workload);
  }

  private void tellChanged(WorkloadRef workload) {
    bus.publish(Workloads.CHANGED, new Workloads.Changed(workload));
  }

  private void routesChanged() {
    routes.changed();
  }

  private void tick() {
    tick =
        clock.after(
            LOOK,
            () -> {
              if (!closed) {
                shells.closeSilent();
                List.copyOf(all.values()).stream()
                    .filter(OwnedWorkload::isMoving)
                    .forEach(workload -> look(workload.want().workload()));
                tick();
              }
            });
  }

  private void look(WorkloadRef ref) {
    OwnedWorkload workload = all.get(ref);
    if (workload == null || closed) {
      return;
    }
    Runtime runtime = placement.find(workload.want().runtime());
    if (runtime == null) {
      workload.misplace(placement.unknown(workload.want().runtime()));
      return;
    }
    List<Event> events = workload.look(runtime.now(ref), clock.now());
    quota.settle(workload);
    if (!events.isEmpty()) {
      table
          .add(ref, events)
          .onFailure(e -> LOG.warn("could not store events of {}: {}", ref, e.getMessage()));
      tellChanged(ref);
    }
    if (workload.takeRouteDue()) {
      routes.changed();
    }
    if (!workload.toDrain().isEmpty()) {
      drains.soon();
    }
    if (workload.isRemoved() && workload.isGone()) {
      forget(runtime, ref);
    }
  }

  private void forget(Runtime runtime, WorkloadRef ref) {
    runtime
        .remove(ref)
        .compose(gone -> table.forget(ref))
        .onSuccess(forgotten -> {
          OwnedWorkload workload = all.get(ref);
          if (workload != null && workload.isRemoved()) {
            all.remove(ref);
            quota.forget(ref);
            routes.changed();
            tellChanged(ref);
          }
        })
        .onFailure(e -> LOG.warn("could not remove {}: {}", ref, e.getMessage()));
  }

  @Override
  public Future<?> stop() {
    closed = true;
    files.close();
    Future<Void> ended = shells.closeAll();
    orders.close();
    quota.close();
    drains.close();
    routes.close();
    if (tick != null) {
      tick.cancel();
    }
    Future<?> left = calls == null ? Future.succeededFuture() : calls.close();
    return Future.join(left, ended)
        .eventually(() -> Future.join(runtimes.values().stream().map(Runtime::close).toList()));
  }
}
