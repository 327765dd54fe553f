package io.orrery.gateway.mlflow;

import io.orrery.core.bus.contract.Tracking.RunInfo;
import io.orrery.core.bus.contract.Tracking.TrackedExperiment;
import io.orrery.core.bus.contract.Tracking.TrackedRun;
import io.orrery.core.tracking.SearchField;
import io.orrery.core.tracking.SearchOrder;
import io.orrery.core.tracking.SearchSubject;
import io.orrery.core.tracking.TrackedPoints;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of experiments and runs that searches sort by, and the orders of these searches. */
final class MlflowFields {
  private MlflowFields() {}

  /** The order of runs: by the keys of a request, then the newest first. */
  static Comparator<TrackedRun> runs(List<String> keys) {
    Comparator<TrackedRun> order =
        MlflowSearch.comparator(SearchOrder.parse(keys, SearchSubject.RUN), MlflowFields::value);
    return order
        .thenComparing(run -> run.info().startedAt(), Comparator.reverseOrder())
        .thenComparing(run -> run.info().id());
  }

  /** The order of experiments: by the keys of a request; without one the newest first. */
  static Comparator<TrackedExperiment> experiments(List<String> keys) {
    Comparator<TrackedExperiment> order =
        MlflowSearch.comparator(
            SearchOrder.parse(keys, SearchSubject.EXPERIMENT), MlflowFields::value);
    return (keys.isEmpty()
            ? order.thenComparing(TrackedExperiment::createdAt, Comparator.reverseOrder())
            : order)
        .thenComparing(TrackedExperiment::id);
  }

  private static @Nullable Object value(TrackedRun run, SearchField field) {
    RunInfo info = run.info();
    return switch (field.kind()) {
      case METRIC -> {
        TrackedPoints.Point point = run.metrics().get(field.key());
        yield point == null || run.interim().contains(field.key()) || Double.isNaN(point.value())
            ? null
            : (Object) point.value();
      }
      case PARAMETER -> run.parameters().get(field.key());
      case TAG -> run.tags().get(field.key());
      case TEXT ->
          switch (field.key()) {
            case "run_id" -> info.id();
            case "run_name" -> info.name();
            case "status" -> info.status().name();
            case "user_id" -> info.user();
            case "experiment_id" -> info.experiment();
            default -> MlflowShape.artifacts(info.experiment(), info.id());
          };
      case NUMBER -> {
        Long time = field.key().equals("end_time") ? info.endedAt() : (Long) info.startedAt();
        yield time == null ? null : (Object) time.doubleValue();
      }
    };
  }

  private static @Nullable Object value(TrackedExperiment experiment, SearchField field) {
    return switch (field.kind()) {
      case TAG -> experiment.tags().get(field.key());
      case TEXT -> field.key().equals("name") ? experiment.name() : experiment.id();
      case NUMBER ->
          (double)
              (field.key().equals("creation_time")
                      ? experiment.createdAt()
                      : experiment.changedAt())
                  .toEpochMilli();
      case METRIC, PARAMETER -> null;
    };
  }
}
