package io.orrery.orchestrator.experiment.directory;

import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.Metrics;
import io.orrery.core.bus.contract.Metrics.Ends;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.bus.contract.Tracking.ExperimentPage;
import io.orrery.core.bus.contract.Tracking.FindExperiment;
import io.orrery.core.bus.contract.Tracking.History;
import io.orrery.core.bus.contract.Tracking.HistoryOf;
import io.orrery.core.bus.contract.Tracking.RunPage;
import io.orrery.core.bus.contract.Tracking.RunState;
import io.orrery.core.bus.contract.Tracking.SearchExperiments;
import io.orrery.core.bus.contract.Tracking.SearchRuns;
import io.orrery.core.bus.contract.Tracking.TrackedExperiment;
import io.orrery.core.bus.contract.Tracking.TrackedRun;
import io.orrery.core.bus.contract.TrialRuns;
import io.orrery.core.id.ExperimentId;
import io.orrery.core.id.TrialId;
import io.orrery.core.id.TrialRef;
import io.orrery.core.metric.MetricPoint;
import io.orrery.core.metric.MetricValue;
import io.orrery.core.problem.Problem;
import io.orrery.core.problem.ProblemException;
import io.orrery.core.sql.Store;
import io.orrery.core.tracking.TrackedPoints;
import io.orrery.core.tracking.TrialRunId;
import io.orrery.orchestrator.experiment.store.AnnotationTable;
import io.orrery.orchestrator.experiment.store.SearchedExperimentTable;
import io.orrery.orchestrator.experiment.store.SearchedExperimentTable.Found;
import io.orrery.orchestrator.experiment.store.TrialRunTable;
import io.orrery.orchestrator.experiment.store.TrialRunTable.TrialRun;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers questions of tracking clients about experiments and trials; see {@link TrialRuns}. */
final class TrialRunHandler {
  /** The most trials of a question for results. */
  private static final int IN_ONE_QUESTION = 200;

  private final Bus bus;
  private final TrialRunTable runs;
  private final SearchedExperimentTable experiments;
  private final AnnotationTable annotations;

  TrialRunHandler(Bus bus, Store store) {
    this.bus = bus;
    this.runs = new TrialRunTable(store);
    this.experiments = new SearchedExperimentTable(store);
    this.annotations = new AnnotationTable(store);
  }

  Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(TrialRuns.EXPERIMENT, this::experiment),
            bus.serve(TrialRuns.EXPERIMENTS, this::search),
            bus.serve(
                TrialRuns.RUN,
                of -> run(of.id()).compose(run -> filled(List.of(run)).map(List::getFirst))),
            bus.serve(
                TrialRuns.STATE,
                of ->
                    run(of.id())
                        .map(run ->
                            new RunState(
                                run.info().id(),
                                run.info().experiment(),
                                run.info().ownership(),
                                false))),
            bus.serve(TrialRuns.RUNS, this::search),
            bus.serve(TrialRuns.HISTORY, this::history)));
  }

  private static <T> T required(Optional<T> found, Supplier<ProblemException> missing) {
    return found.orElseThrow(missing);
  }

  // ---- experiments ---------------------------------------------------------------------------

  private Future<TrackedExperiment> experiment(FindExperiment wanted) {
    String id = wanted.id();
    String name = wanted.name();
    Optional<ExperimentId> meant =
        id == null ? TrialRunId.named(String.valueOf(name)) : TrialRunId.experiment(id);
    Supplier<ProblemException> missing =
        () ->
            new Problem.NotFound(
                    "There is no experiment with the %s '%s'."
                        .formatted(id == null ? "name" : "id", id == null ? name : id))
                .toException();
    return meant
        .map(experiments::find)
        .orElseGet(() -> Future.succeededFuture(Optional.empty()))
        .map(found -> required(found.filter(each -> id != null || isNamed(each, wanted)), missing))
        .compose(found -> tagged(List.of(found)).map(List::getFirst));
  }

  private static boolean isNamed(Found found, FindExperiment wanted) {
    return found.shape().name().equals(wanted.name())
        && (wanted.among() == null || wanted.among().contains(found.shape().ownership().project()));
  }

  private Future<List<TrackedExperiment>> tagged(List<Found> all) {
    return annotations
        .ofExperiments(all.stream().map(Found::id).toList())
        .map(tags -> all.stream().map(each -> each.tagged(tags.of(each.id().value()))).toList());
  }

  private Future<ExperimentPage> search(SearchExperiments wanted) {
    return experiments
        .page(wanted)
        .compose(rows -> {
          boolean more = rows.size() > wanted.limit();
          return tagged(more ? rows.subList(0, wanted.limit()) : rows)
              .map(items -> new ExperimentPage(items, more));
        });
  }

  // ---- runs ----------------------------------------------------------------------------------

  private Future<TrialRun> run(String id) {
    return TrialRunId.trial(id)
        .map(runs::find)
        .orElseGet(() -> Future.succeededFuture(Optional.empty()))
        .map(found ->
            required(
                found,
                () ->
                    new Problem.NotFound("There is no run with the id '" + id + "'.")
                        .toException()));
  }

  private Future<RunPage> search(SearchRuns wanted) {
    List<ExperimentId> among =
        wanted.experiments().stream()
            .map(TrialRunId::experiment)
            .flatMap(Optional::stream)
            .toList();
    return runs.page(wanted, among)
        .compose(page -> filled(page.runs()).map(items -> new RunPage(items, page.more())));
  }

  /** Runs with their results and tags: some questions for each experiment that they are of. */
  private Future<List<TrackedRun>> filled(List<TrialRun> all) {
    Map<TrialRef, Ends> ends = new HashMap<>();
    Map<TrialRef, List<String>> tags = new HashMap<>();
    return AsyncLoop.inTurn(groups(all), group -> fill(group, ends, tags))
        .map(done ->
            all.stream()
                .map(run ->
                    tracked(run, ends.get(run.ref()), tags.getOrDefault(run.ref(), List.of())))
                .toList());
  }

  private static TrackedRun tracked(TrialRun run, @Nullable Ends ends, List<String> tags) {
    Map<String, TrackedPoints.Point> metrics = metrics(run, ends);
    Set<String> interim = new HashSet<>(metrics.keySet());
    if (run.result() != null) {
      interim.removeAll(TrialRunTable.numbers(run.result()).keySet());
    }
    return new TrackedRun(run.info(), metrics, interim, run.parameters(), tags(run, tags));
  }

  /** Trials of one experiment each, as many as a question may have. */
  private static List<List<TrialRun>> groups(List<TrialRun> all) {
    Map<ExperimentId, List<TrialRun>> byExperiment = new LinkedHashMap<>();
    all.forEach(run ->
        byExperiment.computeIfAbsent(run.ref().experiment(), id -> new ArrayList<>()).add(run));
    List<List<TrialRun>> groups = new ArrayList<>();
    for (List<TrialRun> trials : byExperiment.values()) {
      for (int from = 0; from < trials.size(); from += IN_ONE_QUESTION) {
        groups.add(trials.subList(from, Math.min(trials.size(), from + IN_ONE_QUESTION)));
      }
    }
    return groups;
  }

  private Future<?> fill(
      List<TrialRun> group, Map<TrialRef, Ends> ends, Map<TrialRef, List<String>> tags) {
    ExperimentId experiment = group.getFirst().ref().experiment();
    List<TrialId> ids = group.stream().map(run -> run.ref().trial()).toList();
    List<TrialId> started =
        group.stream().filter(TrialRun::started).map(run -> run.ref().trial()).toList();
    Future<?> results =
        started.isEmpty()
            ? Future.succeededFuture()
            : bus.request(Metrics.LATEST, new Metrics.LatestOf(experiment, started))
                .onSuccess(latest -> {
                  for (int i = 0; i < started.size(); i++) {
                    ends.put(new TrialRef(experiment, started.get(i)), latest.ends().get(i));
                  }
                });
    return results
        .compose(known -> annotations.ofTrials(experiment, ids))
        .onSuccess(found ->
            ids.forEach(id -> tags.put(new TrialRef(experiment, id), found.of(id.value()))));
  }

  private static Map<String, String> tags(TrialRun run, List<String> given) {
    Map<String, String> tags = new HashMap<>();
    given.forEach(tag -> tags.put(tag, TrialRuns.TAGGED));
    tags.put(Tracking.NAME_TAG, run.info().name());
    tags.put(TrialRuns.EXPERIMENT_TAG, run.ref().experiment().value());
    tags.put(TrialRuns.TRIAL_TAG, run.ref().trial().value());
    tags.put(TrialRuns.PROJECT_TAG, run.info().ownership().project().value());
    tags.put(TrialRuns.STATUS_TAG, run.own().name());
    return tags;
  }

  /** The final result one step behind the last intermediate one, or else that one. */
  private static Map<String, TrackedPoints.Point> metrics(TrialRun run, @Nullable Ends ends) {
    MetricPoint last = ends == null ? null : ends.intermediate();
    MetricPoint end = ends == null ? null : ends.result();
    MetricValue result = run.result();
    if (result == null && last == null) {
      return Map.of();
    }
    Map<String, TrackedPoints.Point> metrics = new HashMap<>();
    if (last != null) {
      add(metrics, last.value(), last.time(), last.sequence());
    }
    if (result != null) {
      Long ended = run.info().endedAt();
      long time = end != null ? end.time() : ended == null ? run.info().startedAt() : ended;
      add(metrics, result, time, finalStep(last));
    }
    return metrics;
  }

  private static long finalStep(@Nullable MetricPoint last) {
    return last == null ? 0 : last.sequence() + 1;
  }

  private static void add(
      Map<String, TrackedPoints.Point> metrics, MetricValue value, long time, long step) {
    TrialRunTable.numbers(value)
        .forEach((key, number) -> metrics.put(key, new TrackedPoints.Point(time, step, number)));
  }

  // ---- history -------------------------------------------------------------------------------

  private Future<History> history(HistoryOf wanted) {
    return run(wanted.run())
        .compose(run -> {
          TrialHistory history = new TrialHistory(bus, run.ref(), wanted);
          return history
              .read()
              .compose(next ->
                  next != null
                      ? Future.succeededFuture(new History(history.points().toBytes(), next))
                      : filled(List.of(run))
                          .map(whole -> end(run, whole.getFirst(), wanted, history.points())));
        });
  }

  /** The last page: it ends with the final result, where there is one with this number. */
  private static History end(
      TrialRun run, TrackedRun whole, HistoryOf wanted, TrackedPoints points) {
    TrackedPoints.Point last = whole.metrics().get(wanted.metric());
    if (last != null
        && run.result() != null
        && TrialRunTable.numbers(run.result()).containsKey(wanted.metric())) {
      points.add(last.timestamp(), last.step(), last.value());
    }
    return new History(points.toBytes(), null);
  }
}
