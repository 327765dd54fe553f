package io.orrery.orchestrator.workload;

import io.orrery.core.access.ProjectName;
import io.orrery.core.bus.contract.Workloads;
import io.orrery.core.bus.contract.Workloads.Event;
import io.orrery.core.bus.contract.Workloads.Want;
import io.orrery.core.json.Json;
import io.orrery.core.sql.Migrations;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.workload.ReplicaRef;
import io.orrery.core.workload.Upgrade;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.core.workload.WorkloadSpec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The rows of workloads and of their events. */
public final class WorkloadTable {
  public static final Migrations MIGRATIONS =
      new Migrations(
          "workloads",
          WorkloadTable.class,
          List.of(
              "0001-workloads.sql",
              "0002-domains.sql",
              "0003-upgrades.sql",
              "0004-earlier-models.sql"));

  private final Store store;

  WorkloadTable(Store store) {
    this.store = store;
  }

  /**
   * A stored workload.
   *
   * @param removed whether it is to end and be forgotten
   * @param earlierModels the digests of the models of generations before it that may still run
   */
  record Stored(Want want, boolean removed, Set<String> earlierModels) {
    Stored {
      earlierModels = Set.copyOf(earlierModels);
    }
  }

  Future<List<Stored>> all() {
    return store.read(
        Statement.of(
            "select workload, project, owner, runtime, generation, replicas, spec, code, route, upgrade,"
                + " earlier_models, removed from workloads order by workload"),
        WorkloadTable::stored);
  }

  /**
   * Stores what is wanted.
   *
   * @param earlierModels the digests of the models of generations before it that may still run
   */
  Future<Void> put(Want want, Set<String> earlierModels) {
    return store.write(
        List.of(
            Statement.of(
                "insert into workloads (workload, project, owner, runtime, generation, replicas,"
                    + " spec, code, route, upgrade, earlier_models, removed)"
                    + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"
                    + " on conflict (workload) do update set project = excluded.project,"
                    + " owner = excluded.owner, runtime = excluded.runtime,"
                    + " generation = excluded.generation, replicas = excluded.replicas,"
                    + " spec = excluded.spec, code = excluded.code, route = excluded.route,"
                    + " upgrade = excluded.upgrade,"
                    + " earlier_models = excluded.earlier_models, removed = 0",
                want.workload().toString(),
                want.project().value(),
                want.owner(),
                want.runtime(),
                want.generation(),
                want.replicas(),
                Json.write(want.spec()),
                want.code(),
                want.route(),
                want.upgrade() == null ? null : Json.write(want.upgrade()),
                earlierModels.isEmpty() ? null : String.join(" ", new TreeSet<>(earlierModels)))));
  }

  Future<Void> markRemoved(WorkloadRef workload) {
    return store.write(
        List.of(
            Statement.of(
                "update workloads set removed = 1 where workload = ?", workload.toString())));
  }

  Future<Void> forget(WorkloadRef workload) {
    return store.write(
        List.of(
            Statement.of(
                "delete from workloads where workload = ? and removed = 1", workload.toString()),
            Statement.of("delete from workload_events where workload = ?", workload.toString())));
  }

  // ---- events --------------------------------------------------------------------------------

  Future<List<Event>> events(WorkloadRef workload) {
    return store.read(
        Statement.of(
            "select number, at, replica, state, reason from workload_events where workload = ?"
                + " order by number",
            workload.toString()),
        WorkloadTable::event);
  }

  /** The number of the last event of each workload that has one. */
  Future<List<Last>> lastEvents() {
    return store.read(
        Statement.of(
            "select workload, max(number) as number from workload_events group by workload"),
        row -> new Last(WorkloadRef.parse(row.text("workload")), row.integer("number")));
  }

  record Last(WorkloadRef workload, long number) {}

  /** Adds events, and drops those that are too old to keep. */
  Future<Void> add(WorkloadRef workload, List<Event> events) {
    long oldest = events.getLast().number() - Workloads.MOST_EVENTS;
    List<Statement> statements =
        new ArrayList<>(events.stream().map(event -> insert(workload, event)).toList());
    statements.add(
        Statement.of(
            "delete from workload_events where workload = ? and number <= ?",
            workload.toString(),
            oldest));
    return store.write(statements);
  }

  private static Statement insert(WorkloadRef workload, Event event) {
    return Statement.of(
        "insert into workload_events (workload, number, at, replica, state, reason)"
            + " values (?, ?, ?, ?, ?, ?)",
        workload.toString(),
        event.number(),
        event.at().toEpochMilli(),
        Objects.toString(event.replica(), null),
        event.state(),
        event.reason());
  }

  private static Event event(Row row) {
    String replica = row.textOrNull("replica");
    return new Event(
        row.integer("number"),
        row.instant("at"),
        replica == null ? null : ReplicaRef.parse(replica),
        row.text("state"),
        row.textOrNull("reason"));
  }

  private static Stored stored(Row row) {
    String upgrade = row.textOrNull("upgrade");
    String models = row.textOrNull("earlier_models");
    return new Stored(
        new Want(
            WorkloadRef.parse(row.text("workload")),
            new ProjectName(row.text("project")),
            row.text("owner"),
            row.text("runtime"),
            row.integer("generation"),
            Json.read(row.text("spec"), WorkloadSpec.class),
            row.textOrNull("code"),
            Math.toIntExact(row.integer("replicas")),
            row.textOrNull("route"),
            upgrade == null ? null : Json.read(upgrade, Upgrade.class)),
        row.integer("removed") != 0,
        models == null ? Set.of() : Set.of(models.split(" ")));
  }
}
