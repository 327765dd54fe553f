package io.orrery.studio.due;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Schedules.DueRun;
import io.orrery.core.bus.contract.Schedules.DueRunPage;
import io.orrery.core.bus.contract.Schedules.DueStatus;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.DueAlert;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.run.RunStatus;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.schedule.DueRunTable;
import io.orrery.studio.schedule.DueRunTable.Shown;
import io.orrery.studio.schedule.ScheduleModel;
import io.orrery.studio.schedule.ScheduleTable;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers questions about due runs; why one waits is decided when it is asked for. */
final class DueRunHandler {
  private static final Logger LOG = LoggerFactory.getLogger(DueRunHandler.class);

  private final Bus bus;
  private final AuditedChanges changes;
  private final ScheduleTable schedules;
  private final DueRunTable table;
  private final DueFreezer freezer;

  DueRunHandler(Bus bus, Store store, AuditedChanges changes, DueFreezer freezer) {
    this.bus = bus;
    this.changes = changes;
    this.schedules = new ScheduleTable(store);
    this.table = new DueRunTable(store);
    this.freezer = freezer;
  }

  Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Schedules.DUE_RUNS, this::list),
            bus.serve(Schedules.DUE_RUN, asked -> view(asked.id())),
            bus.serve(Schedules.SKIP, asked -> skip(asked.by(), asked.id())),
            bus.serve(Schedules.AGAIN, asked -> again(asked.by(), asked.id()))));
  }

  // ---- reading -------------------------------------------------------------------------------

  private Future<DueRunPage> list(Schedules.ListDueRuns asked) {
    return table
        .page(asked)
        .compose(rows -> {
          boolean more = rows.size() > asked.limit();
          List<DueRun> items = more ? rows.subList(0, asked.limit()) : rows;
          String next = more ? DueRunTable.cursor(items.getLast()) : null;
          return explained(items).map(all -> new DueRunPage(all, next));
        });
  }

  private Future<DueRun> view(String id) {
    return table.get(id).compose(row -> explained(List.of(row.due()))).map(List::getFirst);
  }

  /** The same with the reasons of those that wait. */
  private Future<List<DueRun>> explained(List<DueRun> items) {
    List<PipelineName> waiting =
        items.stream()
            .filter(item -> item.status() == DueStatus.COMED)
            .map(DueRun::pipeline)
            .distinct()
            .toList();
    return Future.all(waiting.stream().map(this::reasons).toList())
        .map(all -> {
          Map<String, String> reasons = new HashMap<>();
          all.<Map<String, String>>list().forEach(reasons::putAll);
          return items.stream()
              .map(item ->
                  item.status() == DueStatus.COMED ? with(item, reasons.get(item.id())) : item)
              .toList();
        });
  }

  private Future<Map<String, String>> reasons(PipelineName pipeline) {
    return schedules
        .find(pipeline)
        .compose(stored ->
            stored.isEmpty()
                ? Future.succeededFuture(Map.of())
                : table
                    .deciding(pipeline)
                    .map(rows ->
                        new ScheduleModel(stored.get().schedule())
                            .reasons(stored.get().paused(), rows)));
  }

  private static DueRun with(DueRun due, @Nullable String reason) {
    return new DueRun(
        due.id(),
        due.pipeline(),
        due.project(),
        due.due(),
        due.status(),
        due.run(),
        due.runStatus(),
        reason == null ? "is being submitted" : reason,
        due.createdAt(),
        due.submittedAt());
  }

  // ---- changing ------------------------------------------------------------------------------

  private Future<DueRun> skip(Actor by, String id) {
    return table
        .get(id)
        .compose(this::seen)
        .compose(row -> {
          DueRun due = row.due();
          if (due.status() == DueStatus.SKIPPED) {
            return Future.succeededFuture(due);
          }
          if (due.status() == DueStatus.CREATED) {
            RunStatus status = due.runStatus();
            if (status == RunStatus.SUCCEEDED) {
              throw conflict("The run %s has succeeded: there is nothing to skip.", due.run());
            }
            if (status == null || !status.isOver()) {
              throw conflict("The run %s is under way: stop it first.", due.run());
            }
          }
          return table
              .spec(id)
              .compose(waiting ->
                  skipped(by, row)
                      .compose(statements -> commit(by, "skip", due, statements))
                      .compose(skipped -> ended(waiting.map(RunSpec::id)).map(skipped)));
        });
  }

  /** The statements that leave a due run out, and tell of it. */
  private Future<List<Statement>> skipped(Actor by, Shown row) {
    DueRun due = row.due();
    String reason = "skipped by " + by.name();
    return schedules
        .find(due.pipeline())
        .map(stored -> {
          List<Statement> statements = new ArrayList<>();
          statements.add(DueRunTable.skip(row, reason));
          stored.ifPresent(schedule ->
              statements.addAll(
                  DueAlerts.of(
                      schedule,
                      DueAlert.SKIPPED,
                      due.id(),
                      row.attempt(),
                      due.due(),
                      reason,
                      changes.now())));
          return statements;
        });
  }

  /** A server that was killed may have created the run, and not noted that. */
  private Future<Void> ended(Optional<RunId> run) {
    return run.map(id -> DueRunSteps.stop(bus, id))
        .orElse(Future.succeededFuture())
        .onFailure(
            failure -> LOG.warn("could not stop run {}: {}", run, Problem.of(failure).detail()))
        .otherwiseEmpty();
  }

  private Future<DueRun> again(Actor by, String id) {
    return table
        .get(id)
        .compose(this::seen)
        .compose(row -> {
          DueRun due = row.due();
          if (due.status() == DueStatus.COMED) {
            throw conflict("The due run %s waits already.", id);
          }
          if (!ScheduleModel.isOver(due.status(), due.runStatus())) {
            throw conflict("The run %s is under way: stop it first.", due.run());
          }
          return schedules
              .find(due.pipeline())
              .compose(stored -> {
                if (stored.isEmpty()) {
                  throw conflict(
                      "Pipeline %s has no schedule any more: run it by hand.", due.pipeline());
                }
                return freezer.freeze(due.pipeline(), List.of(due.due()), row.attempt() + 1);
              })
              .compose(frozen ->
                  commit(
                      by,
                      "again",
                      due,
                      List.of(
                          DueRunTable.again(row, Objects.requireNonNull(frozen.get(due.due()))))));
        });
  }

  private static RuntimeException conflict(String words, @Nullable Object subject) {
    return new Problem.Conflict(words.formatted(subject)).toException();
  }

  /** The row with the present status of its run, which the news of it may not have reached yet. */
  private Future<Shown> seen(Shown row) {
    RunId run = row.due().run();
    if (run == null || row.due().status() != DueStatus.CREATED) {
      return Future.succeededFuture(row);
    }
    return bus.request(PipelineRuns.STATUSES, new PipelineRuns.AskStatuses(List.of(run)))
        .map(answer -> {
          Map<RunId, RunStatus> known =
              answer.items().stream()
                  .collect(
                      Collectors.toMap(PipelineRuns.StatusOf::id, PipelineRuns.StatusOf::status));
          DueRun due = row.due();
          return new Shown(
              new DueRun(
                  due.id(),
                  due.pipeline(),
                  due.project(),
                  due.due(),
                  due.status(),
                  run,
                  known.getOrDefault(run, due.runStatus()),
                  due.reason(),
                  due.createdAt(),
                  due.submittedAt()),
              row.attempt());
        });
  }

  private Future<DueRun> commit(Actor by, String action, DueRun due, List<Statement> statements) {
    return changes
        .commitObject(by, new What(action, "due-run", due.id(), due.project(), ""), statements)
        .onSuccess(
            committed -> bus.publish(Schedules.CHANGED, new Schedules.Changed(due.pipeline())))
        .compose(committed -> view(due.id()));
  }
}
