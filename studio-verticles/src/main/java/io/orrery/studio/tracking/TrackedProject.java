package io.orrery.studio.tracking;

import io.orrery.core.access.ProjectName;
import io.orrery.core.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The statements that forget the tracked runs of a project that is deleted. */
public final class TrackedProject {
  private static final String RUNS =
      "(select r.id from tracking_runs r join tracking_experiments e on e.id = r.experiment"
          + " where e.project = ?)";

  private TrackedProject() {}

  /** Forgets all experiments of a project with their runs and what was logged to them. */
  public static List<Statement> forget(ProjectName project) {
    List<Statement> statements = new ArrayList<>();
    for (String table : List.of("tracking_points", "tracking_metrics", "tracking_params")) {
      statements.add(
          Statement.of("delete from " + table + " where run in " + RUNS, project.value()));
    }
    statements.add(
        Statement.of("delete from tracking_tags where subject in " + RUNS, project.value()));
    statements.add(
        Statement.of(
            "delete from tracking_tags where subject in"
                + " (select id from tracking_experiments where project = ?)",
            project.value()));
    statements.add(
        Statement.of(
            "delete from artifact_files where tree in"
                + " (select 'run/' || r.id from tracking_runs r"
                + " join tracking_experiments e on e.id = r.experiment where e.project = ?)",
            project.value()));
    statements.add(
        Statement.of(
            "delete from tracking_runs where experiment in"
                + " (select id from tracking_experiments where project = ?)",
            project.value()));
    statements.add(
        Statement.of("delete from tracking_experiments where project = ?", project.value()));
    return statements;
  }
}
