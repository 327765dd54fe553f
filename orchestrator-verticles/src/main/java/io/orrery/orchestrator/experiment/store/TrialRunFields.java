package io.orrery.orchestrator.experiment.store;

import io.orrery.core.bus.contract.TrialRuns;
import io.orrery.core.sql.Engine;
import io.orrery.core.tracking.SearchField;
import io.orrery.core.tracking.SearchQuery.Part;
import io.orrery.core.tracking.TrialRunId;
import io.orrery.core.trial.TrialStatus;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The fields of runs and experiments of tracking clients as SQL over {@code trials} and {@code
 * experiments e}.
 */
final class TrialRunFields {
  /** The metric that is a trial's result. */
  static final String RESULT = "default";

  static final String START = "coalesce(trials.started_at, trials.created_at)";
  static final String CHANGED = "coalesce(e.ended_at, e.started_at, e.created_at)";

  private static final String RUN =
      "('%s' || length(trials.experiment) || '-' || trials.experiment || '-' || trials.id)"
          .formatted(TrialRunId.OF_TRIAL);
  private static final String EXPERIMENT_OF_RUN =
      "('%s' || trials.experiment)".formatted(TrialRunId.OF_EXPERIMENT);
  private static final String RUN_NAME = "('%s' || trials.sequence)".formatted(TrialRunId.OF_TRIAL);
  private static final String STATUS =
      Arrays.stream(TrialStatus.values())
          .map(status -> "when '%s' then '%s'".formatted(status, TrialRunTable.status(status)))
          .collect(Collectors.joining(" ", "(case trials.status ", " end)"));

  private final Engine engine;
  private final FieldSql json;

  TrialRunFields(Engine engine) {
    this.engine = engine;
    this.json = new FieldSql(engine);
  }

  // ---- runs ----------------------------------------------------------------------------------

  Part ofRun(SearchField field) {
    return switch (field.kind()) {
      case TEXT, NUMBER -> Part.of(attribute(field.key()));
      case METRIC -> metric(field.key());
      case PARAMETER -> new Part(parameter(), List.of(field.key()));
      case TAG -> tag(field.key());
    };
  }

  private static String attribute(String name) {
    return switch (name) {
      case "run_id" -> RUN;
      case "run_name" -> RUN_NAME;
      case "status" -> STATUS;
      case "user_id" -> "e.owner";
      case "experiment_id" -> EXPERIMENT_OF_RUN;
      case "artifact_uri" ->
          "('mlflow-artifacts:/' || %s || '/' || %s || '/artifacts')"
              .formatted(EXPERIMENT_OF_RUN, RUN);
      case "start_time" -> START;
      case "end_time" -> "trials.ended_at";
      default -> throw new IllegalArgumentException("no column for " + name);
    };
  }

  /** A number of the final result. NaN stands above all numbers in both engines. */
  private Part metric(String key) {
    if (key.equals(RESULT)) {
      return new Part(
          "(case when trials.metric <= cast(? as double precision) then trials.metric end)",
          List.of(Double.POSITIVE_INFINITY));
    }
    FieldSql.Part number = json.resultNumber(key);
    return new Part(number.sql(), number.arguments());
  }

  /** A parameter as text, with its number as it was written. */
  private String parameter() {
    return switch (engine) {
      case SQLITE ->
          "(select case type when 'null' then null when 'text' then value when 'object'"
              + " then coalesce(json_extract(value, '$._name'), value)"
              + " else coalesce(trials.parameter_sets -> fullkey, value) end"
              + " from json_each(trials.parameter_sets, '$[#-1].values') where key = ?)";
      case POSTGRESQL ->
          "(select case json_typeof(v) when 'null' then null when 'object'"
              + " then coalesce(v ->> '_name', v #>> '{}') else v #>> '{}' end from (select"
              + " cast(trials.parameter_sets as json) -> -1 -> 'values' -> cast(? as text)) as"
              + " x(v))";
    };
  }

  private static Part tag(String key) {
    return switch (key) {
      case "mlflow.runName" -> Part.of(RUN_NAME);
      case TrialRuns.EXPERIMENT_TAG -> Part.of("trials.experiment");
      case TrialRuns.TRIAL_TAG -> Part.of("trials.id");
      case TrialRuns.PROJECT_TAG -> Part.of("e.project");
      case TrialRuns.STATUS_TAG -> Part.of("trials.status");
      default -> annotation(key, "trials.experiment", "trials.id");
    };
  }

  private static Part annotation(String tag, String experiment, String trial) {
    return new Part(
        "(select '%s' from annotation_tags g where g.experiment = %s and g.trial = %s and g.tag = ?)"
            .formatted(TrialRuns.TAGGED, experiment, trial),
        List.of(tag));
  }

  // ---- experiments ---------------------------------------------------------------------------

  /** The label of an experiment: the name in its specification. */
  String label() {
    return switch (engine) {
      case SQLITE -> "json_extract(e.spec, '$.name')";
      case POSTGRESQL -> "(cast(e.spec as json) ->> 'name')";
    };
  }

  Part ofExperiment(SearchField field) {
    return switch (field.kind()) {
      case TEXT, NUMBER ->
          Part.of(
              switch (field.key()) {
                case "name" ->
                    "(coalesce(nullif(%s, ''), 'experiment') || ' (' || e.id || ')')"
                        .formatted(label());
                case "experiment_id" -> "('%s' || e.id)".formatted(TrialRunId.OF_EXPERIMENT);
                case "creation_time" -> "e.created_at";
                case "last_update_time" -> CHANGED;
                default -> throw new IllegalArgumentException("no column for " + field.key());
              });
      case TAG ->
          switch (field.key()) {
            case TrialRuns.PROJECT_TAG -> Part.of("e.project");
            case TrialRuns.STATUS_TAG -> Part.of("e.status");
            default -> annotation(field.key(), "e.id", "''");
          };
      case METRIC, PARAMETER ->
          throw new IllegalArgumentException("experiments have no " + field.kind());
    };
  }
}
