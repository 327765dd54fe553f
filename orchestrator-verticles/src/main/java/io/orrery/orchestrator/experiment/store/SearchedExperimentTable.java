package io.orrery.orchestrator.experiment.store;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Tracking.SearchExperiments;
import io.orrery.core.bus.contract.Tracking.TrackedExperiment;
import io.orrery.core.bus.contract.Tracking.View;
import io.orrery.core.bus.contract.TrialRuns;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.tracking.SearchFilter;
import io.orrery.core.tracking.SearchOrder;
import io.orrery.core.tracking.SearchQuery;
import io.orrery.core.tracking.SearchSubject;
import io.orrery.core.tracking.TrialRunId;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Experiments in the form that tracking clients search for, without the tags of people. */
public final class SearchedExperimentTable {
  private static final String FROM = "experiments e";

  private final Store store;
  private final TrialRunFields fields;
  private final String columns;

  public SearchedExperimentTable(Store store) {
    this.store = store;
    this.fields = new TrialRunFields(store.engine());
    this.columns =
        "e.id, e.project, e.owner, e.status, e.created_at, %s as label, %s as changed_at"
            .formatted(fields.label(), TrialRunFields.CHANGED);
  }

  /**
   * An experiment with its own id.
   *
   * @param shape what clients are shown
   */
  public record Found(ExperimentId id, TrackedExperiment shape) {
    /** The same with the tags that people gave. */
    public TrackedExperiment tagged(List<String> given) {
      Map<String, String> tags = new HashMap<>();
      given.forEach(tag -> tags.put(tag, TrialRuns.TAGGED));
      tags.putAll(shape.tags());
      return new TrackedExperiment(
          shape.id(),
          shape.ownership(),
          shape.name(),
          shape.deleted(),
          tags,
          shape.createdAt(),
          shape.changedAt());
    }
  }

  /** The experiment; empty when it does not exist. */
  public Future<Optional<Found>> find(ExperimentId id) {
    return store
        .read(
            Statement.of("select " + columns + " from " + FROM + " where e.id = ?", id.value()),
            SearchedExperimentTable::found)
        .map(rows -> rows.stream().findFirst());
  }

  /** A page, with one more than the limit when there are more. */
  public Future<List<Found>> page(SearchExperiments wanted) {
    SearchQuery query =
        new SearchQuery(store.engine(), fields::ofExperiment)
            .projects("e.project", wanted.among())
            .filter(SearchFilter.parse(wanted.filter(), SearchSubject.EXPERIMENT))
            .order(
                SearchOrder.parse(wanted.order(), SearchSubject.EXPERIMENT),
                wanted.order().isEmpty() ? "e.created_at desc, e.id" : "e.id");
    if (wanted.view() == View.DELETED_ONLY) {
      query.where("1 = 0");
    }
    return store.read(
        query.select(columns, FROM, wanted.limit(), wanted.offset()),
        SearchedExperimentTable::found);
  }

  private static Found found(Row row) {
    ExperimentId id = new ExperimentId(row.text("id"));
    ProjectName project = new ProjectName(row.text("project"));
    return new Found(
        id,
        new TrackedExperiment(
            TrialRunId.of(id),
            new ResourceOwner(project, row.text("owner")),
            TrialRunId.name(row.textOrNull("label"), id),
            false,
            Map.of(
                TrialRuns.PROJECT_TAG, project.value(), TrialRuns.STATUS_TAG, row.text("status")),
            row.instant("created_at"),
            row.instant("changed_at")));
  }
}
