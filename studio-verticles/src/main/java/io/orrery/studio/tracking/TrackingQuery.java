package io.orrery.studio.tracking;

import io.orrery.core.bus.contract.Tracking.View;
import io.orrery.core.sql.Engine;
import io.orrery.core.tracking.SearchField;
import io.orrery.core.tracking.SearchQuery;
import io.orrery.core.tracking.SearchQuery.Part;
import io.orrery.core.tracking.SearchSubject;
import java.util.List;
import java.util.Map;

/** The queries of searches for tracked experiments and runs, whose rows are called {@code s}. */
final class TrackingQuery {
  private static final Map<String, String> RUN_COLUMNS =
      Map.of(
          "run_id", "s.id",
          "run_name", "s.name",
          "status", "s.status",
          "user_id", "s.user_name",
          "experiment_id", "s.experiment",
          "artifact_uri", "('mlflow-artifacts:/' || s.experiment || '/' || s.id || '/artifacts')",
          "start_time", "s.started_at",
          "end_time", "s.ended_at");
  private static final Map<String, String> EXPERIMENT_COLUMNS =
      Map.of(
          "name", "s.name",
          "experiment_id", "s.id",
          "creation_time", "s.created_at",
          "last_update_time", "s.changed_at");

  private TrackingQuery() {}

  /** A query of objects of a kind that a view sees. */
  static SearchQuery of(SearchSubject subject, Engine engine, View view) {
    SearchQuery query = new SearchQuery(engine, field -> value(subject, field));
    return switch (view) {
      case ACTIVE_ONLY -> query.where("s.deleted = 0");
      case DELETED_ONLY -> query.where("s.deleted = 1");
      case ALL -> query;
    };
  }

  private static Part value(SearchSubject subject, SearchField field) {
    return switch (field.kind()) {
      case TEXT, NUMBER -> Part.of(column(subject, field.key()));
      case METRIC ->
          of(
              "(select case when x.nan = 1 then null else x.value end from tracking_metrics x"
                  + " where x.run = s.id and x.name = ?)",
              field);
      case PARAMETER ->
          of("(select x.value from tracking_params x where x.run = s.id and x.name = ?)", field);
      case TAG ->
          of("(select x.value from tracking_tags x where x.subject = s.id and x.name = ?)", field);
    };
  }

  private static Part of(String sql, SearchField field) {
    return new Part(sql, List.of(field.key()));
  }

  private static String column(SearchSubject subject, String attribute) {
    Map<String, String> columns = subject == SearchSubject.RUN ? RUN_COLUMNS : EXPERIMENT_COLUMNS;
    String column = columns.get(attribute);
    if (column == null) {
      throw new IllegalArgumentException("no column for " + attribute);
    }
    return column;
  }
}
