package io.orrery.orchestrator.experiment.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.contract.Tracking.RunInfo;
import io.orrery.core.bus.contract.Tracking.RunStatus;
import io.orrery.core.bus.contract.Tracking.SearchRuns;
import io.orrery.core.bus.contract.Tracking.View;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.json.Json;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.sql.Row;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.tracking.SearchFilter;
import io.orrery.core.tracking.SearchOrder;
import io.orrery.core.tracking.SearchQuery;
import io.orrery.core.tracking.SearchSubject;
import io.orrery.core.tracking.TrialRunId;
import io.orrery.core.trial.Parameters;
import io.orrery.core.trial.TrialStatus;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Trials in the form of tracked runs. A search reads the ids of a page first: of the other rows
 * that pass it, only what it compares and sorts by is looked at, inside the database. Then the rows
 * of the page are read whole.
 */
public final class TrialRunTable {
  private static final String FROM = "trials join experiments e on e.id = trials.experiment";
  private static final String COLUMNS =
      "trials.experiment, trials.id, trials.sequence, trials.status, trials.parameter_sets,"
          + " trials.metric, trials.metric_document, trials.created_at, trials.started_at,"
          + " trials.ended_at, e.project, e.owner";

  /** Of a parameter that is a branch: the entry with its name. */
  private static final String BRANCH = "_name";

  private final Store store;

  public TrialRunTable(Store store) {
    this.store = store;
  }

  /**
   * A trial in the form of a run.
   *
   * @param own its status in the words of this server
   * @param started whether it may have reported something
   * @param result its final result; null while there is none
   */
  public record TrialRun(
      TrialRef ref,
      RunInfo info,
      TrialStatus own,
      boolean started,
      @Nullable MetricValue result,
      Map<String, String> parameters) {
    public TrialRun {
      parameters = Map.copyOf(parameters);
    }
  }

  /**
   * A page of trials.
   *
   * @param more whether there are more behind it
   */
  public record Page(List<TrialRun> runs, boolean more) {
    public Page {
      runs = List.copyOf(runs);
    }
  }

  /**
   * A page of a search.
   *
   * @param experiments those of the search that are experiments of this server
   */
  public Future<Page> page(SearchRuns wanted, List<ExperimentId> experiments) {
    SearchQuery query =
        new SearchQuery(store.engine(), new TrialRunFields(store.engine())::ofRun)
            .among("trials.experiment", experiments.stream().map(ExperimentId::value).toList())
            .projects("e.project", wanted.among())
            .filter(SearchFilter.parse(wanted.filter(), SearchSubject.RUN))
            .order(
                SearchOrder.parse(wanted.order(), SearchSubject.RUN),
                TrialRunFields.START + " desc, trials.experiment, trials.id");
    if (wanted.view() == View.DELETED_ONLY) {
      query.where("1 = 0");
    }
    return store
        .read(
            query.select("trials.experiment, trials.id", FROM, wanted.limit(), wanted.offset()),
            TrialRunTable::ref)
        .compose(found -> {
          boolean more = found.size() > wanted.limit();
          List<TrialRef> refs = more ? found.subList(0, wanted.limit()) : found;
          return read(refs)
              .map(rows -> {
                Map<TrialRef, TrialRun> byRef = new HashMap<>();
                rows.forEach(row -> byRef.put(row.ref(), row));
                // One that was deleted in between is left out.
                return new Page(
                    refs.stream().map(byRef::get).filter(Objects::nonNull).toList(), more);
              });
        });
  }

  /** The trial as a run; empty when it does not exist. */
  public Future<Optional<TrialRun>> find(TrialRef ref) {
    return read(List.of(ref)).map(rows -> rows.stream().findFirst());
  }

  private Future<List<TrialRun>> read(List<TrialRef> refs) {
    if (refs.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    List<@Nullable Object> arguments = new ArrayList<>();
    refs.forEach(ref -> {
      arguments.add(ref.experiment().value());
      arguments.add(ref.trial().value());
    });
    // Not a chain of "or", which SQLite takes up to 1,000 deep only.
    String pairs = String.join(", ", Collections.nCopies(refs.size(), Statement.marks(2)));
    return store.read(
        new Statement(
            "select %s from %s where (trials.experiment, trials.id) in (values %s)"
                .formatted(COLUMNS, FROM, pairs),
            arguments,
            null),
        TrialRunTable::run);
  }

  // ---- rows ----------------------------------------------------------------------------------

  private static TrialRef ref(Row row) {
    return new TrialRef(new ExperimentId(row.text("experiment")), new TrialId(row.text("id")));
  }

  private static TrialRun run(Row row) {
    TrialRef ref = ref(row);
    TrialStatus status = TrialStatus.valueOf(row.text("status"));
    Double number = row.realOrNull("metric");
    Long started = row.integerOrNull("started_at");
    return new TrialRun(
        ref,
        new RunInfo(
            TrialRunId.of(ref),
            TrialRunId.of(ref.experiment()),
            new ResourceOwner(new ProjectName(row.text("project")), row.text("owner")),
            row.text("owner"),
            TrialRunId.runName(row.integer("sequence")),
            status(status),
            false,
            started == null ? row.integer("created_at") : started,
            row.integerOrNull("ended_at")),
        status,
        started != null,
        number == null ? null : new MetricValue(number, row.textOrNull("metric_document")),
        parameters(StoredSets.read(row.text("parameter_sets")).getLast().values()));
  }

  /** The status of a run that a trial with a status is. */
  static RunStatus status(TrialStatus status) {
    return switch (status) {
      case WAITING -> RunStatus.SCHEDULED;
      case RUNNING, UNKNOWN -> RunStatus.RUNNING;
      case SUCCEEDED, EARLY_STOPPED -> RunStatus.FINISHED;
      case FAILED -> RunStatus.FAILED;
      case USER_CANCELED, SYS_CANCELED -> RunStatus.KILLED;
    };
  }

  private static Map<String, String> parameters(Parameters values) {
    Map<String, String> texts = new HashMap<>();
    values
        .values()
        .forEach((name, value) -> {
          if (value != null) {
            texts.put(name, text(value));
          }
        });
    return texts;
  }

  /** A value as text: words without quotes, a branch by its name, all else in JSON. */
  private static String text(Object value) {
    if (value instanceof String word) {
      return word;
    }
    return value instanceof Map<?, ?> map && map.get(BRANCH) instanceof String name
        ? name
        : Json.write(value);
  }

  /** The numbers of a result by their keys, as searches compare them. */
  public static Map<String, Double> numbers(MetricValue value) {
    Map<String, Double> numbers = new HashMap<>();
    if (value.document() != null) {
      JsonNode entries = Json.parse(value.document());
      entries
          .propertyStream()
          .filter(entry -> entry.getValue().isNumber())
          .forEach(entry -> numbers.put(entry.getKey(), entry.getValue().doubleValue()));
    }
    if (!value.isNamedOnly()) {
      numbers.put(TrialRunFields.RESULT, value.number());
    }
    return numbers;
  }
}
