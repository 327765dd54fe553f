package io.orrery.studio.service;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Domains.Rollout;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Services;
import io.orrery.core.bus.contract.Services.OfService;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.bus.contract.Services.PutDone;
import io.orrery.core.bus.contract.Services.PutService;
import io.orrery.core.bus.contract.Services.Service;
import io.orrery.core.bus.contract.Services.ServicePage;
import io.orrery.core.bus.contract.Services.Stage;
import io.orrery.core.bus.contract.Services.Upgrading;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Workload;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.RevisionCheck;
import io.orrery.core.service.ServiceName;
import io.orrery.core.service.ServiceStage;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.sql.WriteConflict;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.build.LastImages;
import io.orrery.studio.deployment.ScalingTable;
import io.orrery.studio.deployment.ServiceUpgrade;
import io.orrery.studio.deployment.UpgradeTable;
import io.orrery.studio.domain.DomainTable;
import io.orrery.studio.service.DeploymentCheck.Place;
import io.orrery.studio.service.PortTable.PortRow;
import io.orrery.studio.service.ServiceDocumentReader.Reading;
import io.orrery.studio.service.ServiceTable.ServiceRow;
import io.orrery.studio.service.ServiceTable.StageRow;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Answers questions about services. */
public final class ServiceHandler {
  private static final String BUNDLE = "sha256:";

  private final Bus bus;
  private final AuditedChanges changes;
  private final ServiceTable table;
  private final StageKeeper keeper;
  private final DeploymentCheck check;
  private final RegistryModels models;
  private final UpgradeTable upgradeTable;
  private final UpgradeChanges upgrades;
  private final StageChanges stages;
  private final ScalingTable scalings;
  private final DomainTable domains;
  private final PortAllocation ports;

  public ServiceHandler(
      Bus bus, Store store, Clock clock, AuditedChanges changes, ServiceNetwork network) {
    this.ports = new PortAllocation(bus, store, network);
    this.bus = bus;
    this.changes = changes;
    this.table = new ServiceTable(store);
    this.keeper = new StageKeeper(bus, clock, table);
    this.domains = new DomainTable(store);
    this.check = new DeploymentCheck(bus, table, domains, ports, network, new LastImages(store));
    this.scalings = new ScalingTable(store);
    this.models = new RegistryModels(bus);
    this.upgradeTable = new UpgradeTable(store);
    this.upgrades = new UpgradeChanges(changes, table, upgradeTable, keeper);
    this.stages = new StageChanges(changes, table, keeper, check, models, upgrades);
  }

  /** The tables of services that are not among those of the studio. */
  public static Future<?> migrate(Store store) {
    return PortTable.MIGRATIONS.apply(store);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    keeper.open();
    return Future.all(
        List.of(
            bus.serve(Services.LIST, this::list),
            bus.serve(Services.GET, asked -> table.get(asked.name()).compose(this::shown)),
            bus.serve(Services.PUT, asked -> WriteConflict.retried(() -> put(asked))),
            bus.serve(Services.DELETE, this::delete),
            bus.serve(
                Services.DEPLOY,
                asked -> WriteConflict.retried(() -> stages.deploy(asked)).compose(this::shown)),
            bus.serve(Services.CLEAR, asked -> stages.clear(asked).compose(this::shown)),
            bus.serve(
                Services.RESTART,
                asked -> WriteConflict.retried(() -> stages.restart(asked)).compose(this::shown)),
            bus.serve(
                Services.SCALE,
                asked -> WriteConflict.retried(() -> stages.scale(asked)).compose(this::shown)),
            bus.serve(Services.AUTOSCALE, stages::scale),
            bus.serve(
                Services.STEER,
                asked -> WriteConflict.retried(() -> upgrades.steer(asked)).compose(this::shown)),
            bus.serve(Services.SHARE, upgrades::share),
            bus.serve(Services.REVERT, upgrades::revert),
            bus.serve(
                Services.SCALINGS, asked -> scalings.of(asked.name()).map(Services.Scalings::new)),
            bus.serve(
                Services.REVISIONS,
                asked ->
                    table
                        .get(asked.name())
                        .compose(known -> table.revisions(known.name()))
                        .map(Services.Revisions::new))));
  }

  /** The digests of the uploaded code that a document has, present or kept. */
  public Future<Set<String>> usedCode() {
    return table
        .documents()
        .map(documents ->
            documents.stream()
                .map(document -> Json.parse(document).path("code").asText(""))
                .filter(code -> code.startsWith(BUNDLE))
                .map(code -> code.substring(BUNDLE.length()))
                .collect(Collectors.toUnmodifiableSet()));
  }

  /** Ends the rounds. */
  public void close() {
    keeper.close();
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<ServicePage> list(Services.ListServices asked) {
    return table
        .page(asked)
        .compose(rows -> {
          boolean more = rows.size() > asked.limit();
          List<ServiceRow> items = more ? rows.subList(0, asked.limit()) : rows;
          return shown(items)
              .map(services ->
                  new ServicePage(services, more ? items.getLast().name().value() : null));
        });
  }

  private Future<Service> shown(ServiceRow row) {
    return shown(List.of(row)).map(List::getFirst);
  }

  /** Services with their stages, and the state of each as far as it can be asked for. */
  private Future<List<Service>> shown(List<ServiceRow> rows) {
    List<ServiceName> names = rows.stream().map(ServiceRow::name).toList();
    return table
        .stagesOf(names)
        .compose(stages ->
            Future.all(
                    workloads(stages),
                    ports.table().of(names),
                    rollouts(rows),
                    upgradeTable.of(names),
                    table.images(rows))
                .map(read -> {
                  Map<WorkloadRef, Workload> workloads = read.resultAt(0);
                  List<PortRow> open = read.resultAt(1);
                  Map<ServiceName, Rollout> rollouts = read.resultAt(2);
                  List<ServiceUpgrade> upgrading = read.resultAt(3);
                  Map<ServiceName, Upgrading> byName =
                      upgrading.stream()
                          .collect(
                              Collectors.toMap(ServiceUpgrade::service, ServiceUpgrade::shown));
                  Map<WorkloadRef, String> images = read.resultAt(4);
                  return rows.stream()
                      .map(row -> service(row, stages, workloads, open, rollouts, byName, images))
                      .toList();
                }));
  }

  /** The rollouts of the domains that services share. */
  private Future<Map<ServiceName, Rollout>> rollouts(List<ServiceRow> rows) {
    return domains
        .of(rows.stream().map(ServiceRow::name).toList())
        .map(found -> {
          Map<ServiceName, Rollout> rollouts = new HashMap<>();
          found.stream()
              .map(DomainTable.DomainRow::domain)
              .forEach(domain ->
                  domain.members().forEach(member -> rollouts.put(member, domain.rollout())));
          return rollouts;
        });
  }

  private Future<Map<WorkloadRef, Workload>> workloads(List<StageRow> stages) {
    List<WorkloadRef> among =
        stages.stream().map(stage -> stage.stage().workload(stage.service())).toList();
    return bus.request(Workloads.LIST, new Workloads.ListSome(among))
        .map(Workloads.Listed::byRef)
        .otherwise(Map.of());
  }

  private static Service service(
      ServiceRow row,
      List<StageRow> stages,
      Map<WorkloadRef, Workload> workloads,
      List<PortRow> ports,
      Map<ServiceName, Rollout> rollouts,
      Map<ServiceName, Upgrading> upgrades,
      Map<WorkloadRef, String> images) {
    return new Service(
        row.name(),
        row.project(),
        row.owner(),
        row.document(),
        row.createdAt(),
        row.changedAt(),
        row.revision(),
        stages.stream()
            .filter(stage -> stage.service().equals(row.name()))
            .map(stage ->
                new Stage(
                    stage.stage(),
                    stage.generation(),
                    stage.revision(),
                    stage.replicas(),
                    stage.deployedAt(),
                    workloads.get(stage.stage().workload(row.name())),
                    ports.stream()
                        .filter(port -> port.isOf(row.name(), stage.stage()))
                        .map(PortRow::exposed)
                        .toList(),
                    images.get(stage.stage().workload(row.name()))))
            .toList(),
        rollouts.get(row.name()),
        upgrades.get(row.name()));
  }

  // ---- the document --------------------------------------------------------------------------

  private Future<PutDone> put(PutService wanted) {
    Reading reading = ServiceDocumentReader.read(wanted.name(), wanted.document());
    return table
        .find(wanted.name())
        .compose(found -> {
          if (found.isEmpty() && !wanted.creates()) {
            throw new Problem.NotFound("There is no service " + wanted.name() + ".").toException();
          }
          if (found.isPresent() && wanted.creates()) {
            throw new Problem.Conflict("There is a service " + wanted.name() + " already.")
                .toException();
          }
          ServiceRow before = found.orElseGet(() -> fresh(wanted));
          return Future.all(
                  models.resolve(reading.document(), before.project(), wanted.by()),
                  table.frozenImage(before.name(), wanted.again()))
              .compose(read -> {
                ServiceDocument document = read.resultAt(0);
                Optional<String> image = read.resultAt(1);
                return check
                    .check(
                        before,
                        document,
                        Objects.requireNonNullElse(document.stage(), ServiceStage.PRODUCTION),
                        wanted.together(),
                        image.orElse(null))
                    .compose(place ->
                        put(
                            wanted,
                            new Reading(document, reading.notices()),
                            before,
                            found.isPresent(),
                            place));
              });
        });
  }

  private ServiceRow fresh(PutService wanted) {
    Instant now = changes.now();
    return new ServiceRow(
        wanted.name(), wanted.project(), wanted.by().name(), wanted.document(), now, now, 1, 0);
  }

  private Future<PutDone> put(
      PutService wanted, Reading reading, ServiceRow before, boolean exists, Place place) {
    RevisionCheck.require(
        "Service " + before.name(),
        wanted.ifRevision(),
        exists ? before.revision() : RevisionCheck.NONE);
    String project = Json.parse(wanted.document()).path("project").asText("");
    if (exists && !project.isEmpty() && !project.equals(before.project().value())) {
      throw new Problem.Refused(
              new Finding(
                  "/project",
                  "service %s belongs to the project %s, and stays there"
                      .formatted(before.name(), before.project())))
          .toException();
    }
    boolean same = exists && Json.parse(before.document()).equals(Json.parse(wanted.document()));
    ServiceStage stage = reading.document().stage();
    Future<Optional<StageRow>> present =
        stage == null
            ? Future.succeededFuture(Optional.empty())
            : table.stage(before.name(), stage);
    return present.compose(deployed -> {
      boolean current =
          stage == null || (deployed.isPresent() && deployed.get().revision() == before.revision());
      Outcome outcome =
          !exists ? Outcome.CREATED : same && current ? Outcome.UNCHANGED : Outcome.CHANGED;
      if (wanted.dryRun() || outcome == Outcome.UNCHANGED) {
        return exists
            ? shown(before).map(service -> new PutDone(service, outcome, reading.notices()))
            : Future.succeededFuture(new PutDone(null, outcome, reading.notices()));
      }
      return commit(wanted, reading, before, exists, same, deployed, place)
          .compose(this::shown)
          .map(service -> new PutDone(service, outcome, reading.notices()));
    });
  }

  private Future<ServiceRow> commit(
      PutService wanted,
      Reading reading,
      ServiceRow before,
      boolean exists,
      boolean same,
      Optional<StageRow> deployed,
      Place place) {
    ServiceStage stage = reading.document().stage();
    ServiceRow changed =
        !exists || same ? before : before.withDocument(wanted.document(), changes.now());
    List<Statement> ahead = new ArrayList<>();
    if (!exists) {
      ahead.addAll(ServiceTable.insert(changed));
    }
    if (!exists || !same) {
      ahead.addAll(ServiceTable.keep(changed, wanted.by().name()));
    }
    String action = exists ? "change" : "create";
    if (stage == null) {
      if (exists) {
        ahead.add(ServiceTable.update(changed, before));
      }
      return changes
          .commitObject(
              wanted.by(),
              StageChanges.what(action, changed, "revision " + changed.revision()),
              ahead)
          .map(changed);
    }
    return stages.deploy(
        wanted.by(),
        action,
        before,
        changed,
        reading.document(),
        stage,
        place,
        StageChanges.replicas(deployed, reading.document()),
        ahead);
  }

  private Future<Done> delete(OfService asked) {
    return table
        .get(asked.name())
        .compose(row ->
            changes
                .commitObject(
                    asked.by(),
                    StageChanges.what("delete", row, ""),
                    ServiceTable.delete(row.name()))
                .compose(deleted ->
                    Future.join(
                            List.of(ServiceStage.values()).stream()
                                .map(stage -> keeper.end(stage.workload(row.name())))
                                .toList())
                        .onComplete(told -> keeper.steer())))
        .map(new Done());
  }
}
