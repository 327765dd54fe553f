package io.orrery.studio.tracking;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Tracking.FindExperiment;
import io.orrery.core.bus.contract.Tracking.SearchExperiments;
import io.orrery.core.bus.contract.Tracking.TrackedExperiment;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.tracking.SearchFilter;
import io.orrery.core.tracking.SearchOrder;
import io.orrery.core.tracking.SearchSubject;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of the experiments of tracking clients, without their tags. */
final class TrackedExperimentTable {
  private static final String COLUMNS =
      "s.id, s.project, s.owner, s.name, s.deleted, s.created_at, s.changed_at";
  private static final String FROM = "tracking_experiments s";

  private final Store store;

  TrackedExperimentTable(Store store) {
    this.store = store;
  }

  Future<Optional<TrackedExperiment>> find(FindExperiment wanted) {
    StringBuilder where = new StringBuilder(" where ");
    List<@Nullable Object> arguments = new ArrayList<>();
    if (wanted.id() != null) {
      where.append("s.id = ?");
      arguments.add(wanted.id());
    } else {
      where.append("s.name = ?");
      arguments.add(wanted.name());
    }
    List<ProjectName> among = wanted.among();
    if (among != null) {
      if (among.isEmpty()) {
        return Future.succeededFuture(Optional.empty());
      }
      where.append(" and s.project in ").append(Statement.marks(among.size()));
      among.forEach(project -> arguments.add(project.value()));
    }
    return store
        .read(
            new Statement(
                "select "
                    + COLUMNS
                    + " from "
                    + FROM
                    + where
                    + " order by case when s.project = 'public' then 0 else 1 end, s.project"
                    + " limit 1",
                arguments,
                null),
            TrackedExperimentTable::experiment)
        .map(rows -> rows.stream().findFirst());
  }

  /** A page, with one more than the limit when there are more. */
  Future<List<TrackedExperiment>> page(SearchExperiments wanted) {
    return store.read(
        TrackingQuery.of(SearchSubject.EXPERIMENT, store.engine(), wanted.view())
            .projects("s.project", wanted.among())
            .filter(SearchFilter.parse(wanted.filter(), SearchSubject.EXPERIMENT))
            .order(
                SearchOrder.parse(wanted.order(), SearchSubject.EXPERIMENT),
                wanted.order().isEmpty() ? "s.created_at desc, s.id" : "s.id")
            .select(COLUMNS, FROM, wanted.limit(), wanted.offset()),
        TrackedExperimentTable::experiment);
  }

  /** The statement that stores an experiment; it fails when the project has one of its name. */
  static Statement insert(TrackedExperiment experiment) {
    return Statement.of(
            "insert into tracking_experiments (id, project, owner, name, deleted, created_at,"
                + " changed_at) values (?, ?, ?, ?, 0, ?, ?) on conflict do nothing",
            experiment.id(),
            experiment.ownership().project().value(),
            experiment.ownership().owner(),
            experiment.name(),
            experiment.createdAt().toEpochMilli(),
            experiment.changedAt().toEpochMilli())
        .expecting(1);
  }

  static Statement update(String id, String name, boolean deleted, Instant now) {
    return Statement.of(
            "update tracking_experiments set name = ?, deleted = ?, changed_at = ? where id = ?",
            name,
            deleted,
            now.toEpochMilli(),
            id)
        .expecting(1);
  }

  /** The statement that deletes all runs of an experiment, or restores them. */
  static Statement deleteRuns(String id, boolean deleted) {
    return Statement.of("update tracking_runs set deleted = ? where experiment = ?", deleted, id);
  }

  private static TrackedExperiment experiment(Row row) {
    return new TrackedExperiment(
        row.text("id"),
        new ResourceOwner(new ProjectName(row.text("project")), row.text("owner")),
        row.text("name"),
        row.integer("deleted") != 0,
        Map.of(),
        row.instant("created_at"),
        row.instant("changed_at"));
  }
}
