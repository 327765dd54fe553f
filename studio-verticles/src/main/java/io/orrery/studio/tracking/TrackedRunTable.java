package io.orrery.studio.tracking;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Tracking.RunInfo;
import io.orrery.core.bus.contract.Tracking.RunStatus;
import io.orrery.core.bus.contract.Tracking.SearchRuns;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.tracking.SearchFilter;
import io.orrery.core.tracking.SearchOrder;
import io.orrery.core.tracking.SearchSubject;
import io.vertx.core.Future;
import java.util.List;

/** The rows of runs, without what was logged to them. */
final class TrackedRunTable {
  private static final String COLUMNS =
      "s.id, s.experiment, e.project, s.owner, s.user_name, s.name, s.status, s.deleted,"
          + " s.started_at, s.ended_at";
  private static final String FROM =
      "tracking_runs s join tracking_experiments e on e.id = s.experiment";

  private final Store store;

  TrackedRunTable(Store store) {
    this.store = store;
  }

  /** The run; fails with NotFound. */
  Future<RunInfo> get(String id) {
    return store
        .read(
            Statement.of("select " + COLUMNS + " from " + FROM + " where s.id = ?", id),
            TrackedRunTable::run)
        .map(rows -> rows.stream().findFirst().orElseThrow(() -> missing(id)));
  }

  static RuntimeException missing(String id) {
    return new Problem.NotFound("There is no run with the id '" + id + "'.").toException();
  }

  /** A page, with one more than the limit when there are more. */
  Future<List<RunInfo>> page(SearchRuns wanted) {
    return store.read(
        TrackingQuery.of(SearchSubject.RUN, store.engine(), wanted.view())
            .among("s.experiment", wanted.experiments())
            .projects("e.project", wanted.among())
            .filter(SearchFilter.parse(wanted.filter(), SearchSubject.RUN))
            .order(SearchOrder.parse(wanted.order(), SearchSubject.RUN), "s.started_at desc, s.id")
            .select(COLUMNS, FROM, wanted.limit(), wanted.offset()),
        TrackedRunTable::run);
  }

  /** The statement that stores a run; it fails when its experiment is deleted meanwhile. */
  static Statement insert(RunInfo run) {
    return Statement.of(
            "insert into tracking_runs (id, experiment, owner, user_name, name, status, deleted,"
                + " started_at) select ?, id, ?, ?, ?, ?, 0, ? from tracking_experiments"
                + " where id = ? and deleted = 0",
            run.id(),
            run.ownership().owner(),
            run.user(),
            run.name(),
            run.status().name(),
            run.startedAt(),
            run.experiment())
        .expecting(1);
  }

  static Statement update(RunInfo run) {
    return Statement.of(
            "update tracking_runs set name = ?, status = ?, deleted = ?, ended_at = ? where id = ?",
            run.name(),
            run.status().name(),
            run.deleted(),
            run.endedAt(),
            run.id())
        .expecting(1);
  }

  static Statement rename(String id, String name) {
    return Statement.of("update tracking_runs set name = ? where id = ?", name, id);
  }

  private static RunInfo run(Row row) {
    return new RunInfo(
        row.text("id"),
        row.text("experiment"),
        new ResourceOwner(new ProjectName(row.text("project")), row.text("owner")),
        row.text("user_name"),
        row.text("name"),
        RunStatus.of(row.text("status")).orElseThrow(),
        row.integer("deleted") != 0,
        row.integer("started_at"),
        row.integerOrNull("ended_at"));
  }
}
