package io.orrery.studio.tracking;

import io.orrery.core.access.ProjectName;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Tracking;
import io.orrery.core.bus.contract.Tracking.ChangeExperiment;
import io.orrery.core.bus.contract.Tracking.ChangeRun;
import io.orrery.core.bus.contract.Tracking.CreateExperiment;
import io.orrery.core.bus.contract.Tracking.CreateRun;
import io.orrery.core.bus.contract.Tracking.ExperimentPage;
import io.orrery.core.bus.contract.Tracking.FindExperiment;
import io.orrery.core.bus.contract.Tracking.RunInfo;
import io.orrery.core.bus.contract.Tracking.RunPage;
import io.orrery.core.bus.contract.Tracking.RunState;
import io.orrery.core.bus.contract.Tracking.RunStatus;
import io.orrery.core.bus.contract.Tracking.SearchExperiments;
import io.orrery.core.bus.contract.Tracking.SearchRuns;
import io.orrery.core.bus.contract.Tracking.TrackedExperiment;
import io.orrery.core.bus.contract.Tracking.TrackedRun;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers questions about experiments and runs of tracking clients. */
public final class TrackingHandler {
  private final Bus bus;
  private final AuditedChanges changes;
  private final Supplier<String> freshIds;
  private final TrackedExperimentTable experiments;
  private final TrackedRunTable runs;
  private final LoggedTable logged;
  private final TrackingLog log;

  /**
   * @param freshIds makes ids of 32 hexadecimal digits
   */
  public TrackingHandler(
      Bus bus, Store store, Clock clock, AuditedChanges changes, Supplier<String> freshIds) {
    this.bus = bus;
    this.changes = changes;
    this.freshIds = freshIds;
    this.experiments = new TrackedExperimentTable(store);
    this.runs = new TrackedRunTable(store);
    this.logged = new LoggedTable(store);
    this.log = new TrackingLog(store, clock, logged);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Tracking.CREATE_EXPERIMENT, this::create),
            bus.serve(Tracking.EXPERIMENT, this::find),
            bus.serve(Tracking.EXPERIMENTS, this::search),
            bus.serve(Tracking.CHANGE_EXPERIMENT, this::change),
            bus.serve(Tracking.CREATE_RUN, this::create),
            bus.serve(
                Tracking.RUN,
                asked ->
                    runs.get(asked.id()).compose(run -> filled(List.of(run)).map(List::getFirst))),
            bus.serve(
                Tracking.STATE,
                asked ->
                    runs.get(asked.id())
                        .map(run ->
                            new RunState(
                                run.id(), run.experiment(), run.ownership(), run.deleted()))),
            bus.serve(Tracking.RUNS, this::search),
            bus.serve(Tracking.CHANGE_RUN, this::change),
            bus.serve(Tracking.LOG, log::log),
            bus.serve(Tracking.HISTORY, log::history)));
  }

  // ---- experiments ---------------------------------------------------------------------------

  private Future<TrackedExperiment> create(CreateExperiment wanted) {
    ProjectName project = wanted.ownership().project();
    Instant now = changes.now();
    TrackedExperiment experiment =
        new TrackedExperiment(
            freshIds.get(), wanted.ownership(), wanted.name(), false, wanted.tags(), now, now);
    return free(wanted.name(), project)
        .compose(free -> {
          List<Statement> statements = new ArrayList<>();
          statements.add(TrackedExperimentTable.insert(experiment));
          statements.addAll(LoggedTable.tags(experiment.id(), wanted.tags()));
          return changes.commitObject(wanted.by(), what("create", experiment), statements);
        })
        .map(experiment);
  }

  /** Completes when a project has no experiment of a name; fails with Conflict. */
  private Future<Void> free(String name, ProjectName project) {
    return experiments
        .find(new FindExperiment(null, name, List.of(project)))
        .map(taken -> {
          if (taken.isPresent()) {
            throw new Problem.Conflict(
                    "Experiment '%s' exists already in the project %s%s."
                        .formatted(
                            name,
                            project,
                            taken.get().deleted() ? ", and is deleted: restore it, or rename" : ""))
                .toException();
          }
          return null;
        });
  }

  private Future<TrackedExperiment> find(FindExperiment wanted) {
    return experiments
        .find(wanted)
        .map(found ->
            found.orElseThrow(() ->
                new Problem.NotFound(
                        "There is no experiment with the %s '%s'."
                            .formatted(
                                wanted.id() == null ? "name" : "id",
                                wanted.id() == null ? wanted.name() : wanted.id()))
                    .toException()))
        .compose(found -> tagged(List.of(found)).map(List::getFirst));
  }

  private Future<List<TrackedExperiment>> tagged(List<TrackedExperiment> all) {
    return logged
        .tags(all.stream().map(TrackedExperiment::id).toList())
        .map(tags ->
            all.stream()
                .map(each ->
                    new TrackedExperiment(
                        each.id(),
                        each.ownership(),
                        each.name(),
                        each.deleted(),
                        tags.getOrDefault(each.id(), Map.of()),
                        each.createdAt(),
                        each.changedAt()))
                .toList());
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

  private Future<Done> change(ChangeExperiment wanted) {
    return find(new FindExperiment(wanted.id(), null, null))
        .compose(before -> {
          String name = Objects.requireNonNullElse(wanted.name(), before.name());
          boolean deleted = Objects.requireNonNullElse(wanted.deleted(), before.deleted());
          if (deleted && before.id().equals(Tracking.DEFAULT)) {
            throw new Problem.Refused(new Finding("", "the experiment Default cannot be deleted"))
                .toException();
          }
          List<Statement> statements = new ArrayList<>();
          statements.add(TrackedExperimentTable.update(before.id(), name, deleted, changes.now()));
          statements.addAll(LoggedTable.tags(before.id(), wanted.tags()));
          if (deleted != before.deleted()) {
            statements.add(TrackedExperimentTable.deleteRuns(before.id(), deleted));
          }
          return (name.equals(before.name())
                  ? Future.<Void>succeededFuture()
                  : free(name, before.ownership().project()))
              .compose(free ->
                  changes.commitObject(
                      wanted.by(), what(action(wanted.deleted()), before), statements));
        })
        .map(new Done());
  }

  private static String action(@Nullable Boolean deleted) {
    return deleted == null ? "change" : deleted ? "delete" : "restore";
  }

  private static What what(String action, TrackedExperiment experiment) {
    return new What(
        action,
        "tracked experiment",
        experiment.id(),
        experiment.ownership().project(),
        experiment.name());
  }

  // ---- runs ----------------------------------------------------------------------------------

  private Future<TrackedRun> create(CreateRun wanted) {
    return find(new FindExperiment(wanted.experiment(), null, null))
        .compose(experiment -> {
          if (experiment.deleted()) {
            throw new Problem.Refused(
                    new Finding(
                        "", "the experiment " + experiment.id() + " is deleted: restore it"))
                .toException();
          }
          String id = freshIds.get();
          RunInfo run =
              new RunInfo(
                  id,
                  experiment.id(),
                  new ResourceOwner(experiment.ownership().project(), wanted.owner()),
                  wanted.user(),
                  wanted.name().isBlank() ? "run-" + id.substring(0, 8) : wanted.name(),
                  RunStatus.RUNNING,
                  false,
                  wanted.startedAt(),
                  null);
          Map<String, String> tags = new HashMap<>(wanted.tags());
          tags.put(Tracking.NAME_TAG, run.name());
          List<Statement> statements = new ArrayList<>();
          statements.add(TrackedRunTable.insert(run));
          statements.addAll(LoggedTable.tags(id, tags));
          return changes
              .commitObject(wanted.by(), what("create", run), statements)
              .map(new TrackedRun(run, Map.of(), Set.of(), Map.of(), tags));
        });
  }

  /** Runs with all that was logged. */
  private Future<List<TrackedRun>> filled(List<RunInfo> all) {
    List<String> ids = all.stream().map(RunInfo::id).toList();
    return logged
        .metrics(ids)
        .compose(metrics ->
            logged
                .parameters(ids)
                .compose(parameters ->
                    logged
                        .tags(ids)
                        .map(tags ->
                            all.stream()
                                .map(run ->
                                    new TrackedRun(
                                        run,
                                        metrics.getOrDefault(run.id(), Map.of()),
                                        Set.of(),
                                        parameters.getOrDefault(run.id(), Map.of()),
                                        tags.getOrDefault(run.id(), Map.of())))
                                .toList())));
  }

  private Future<RunPage> search(SearchRuns wanted) {
    return runs.page(wanted)
        .compose(rows -> {
          boolean more = rows.size() > wanted.limit();
          return filled(more ? rows.subList(0, wanted.limit()) : rows)
              .map(items -> new RunPage(items, more));
        });
  }

  private Future<RunInfo> change(ChangeRun wanted) {
    return runs.get(wanted.id())
        .compose(before -> {
          RunInfo run =
              new RunInfo(
                  before.id(),
                  before.experiment(),
                  before.ownership(),
                  before.user(),
                  Objects.requireNonNullElse(wanted.name(), before.name()),
                  Objects.requireNonNullElse(wanted.status(), before.status()),
                  Objects.requireNonNullElse(wanted.deleted(), before.deleted()),
                  before.startedAt(),
                  wanted.endedAt() == null ? before.endedAt() : wanted.endedAt());
          List<Statement> statements = new ArrayList<>();
          statements.add(TrackedRunTable.update(run));
          if (wanted.name() != null) {
            statements.add(LoggedTable.tag(run.id(), Tracking.NAME_TAG, run.name()));
          }
          return changes
              .commitObject(wanted.by(), what(action(wanted.deleted()), run), statements)
              .map(run);
        });
  }

  private static What what(String action, RunInfo run) {
    return new What(
        action, "tracked run", run.id(), run.ownership().project(), run.status().name());
  }
}
