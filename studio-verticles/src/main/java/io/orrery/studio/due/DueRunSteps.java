package io.orrery.studio.due;

import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Schedules.DueStatus;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.DueAlert;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunAlerts;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.core.time.Clock;
import io.orrery.studio.schedule.DueIds;
import io.orrery.studio.schedule.DueRunTable;
import io.orrery.studio.schedule.DueRunTable.Freezing;
import io.orrery.studio.schedule.DueState;
import io.orrery.studio.schedule.ScheduleModel;
import io.orrery.studio.schedule.ScheduleModel.Creation;
import io.orrery.studio.schedule.ScheduleTable;
import io.orrery.studio.schedule.ScheduleTable.Stored;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Takes a schedule on to the present: stores the due runs of the instants that have passed, submits
 * those that may start, and drops old ones. Each part is stored before the next, and each may be
 * repeated.
 */
final class DueRunSteps {
  /** The most ids that are remembered; those told twice are stored once all the same. */
  private static final int MOST_TOLD = 10_000;

  private final Bus bus;
  private final Store store;
  private final Clock clock;
  private final ScheduleTable schedules;
  private final DueRunTable rows;
  private final DueFreezer freezer;
  private final Set<String> told = new HashSet<>();

  DueRunSteps(Bus bus, Store store, Clock clock, DueFreezer freezer) {
    this.bus = bus;
    this.store = store;
    this.clock = clock;
    this.schedules = new ScheduleTable(store);
    this.rows = new DueRunTable(store);
    this.freezer = freezer;
  }

  /** The rows of a schedule, and the specifications of those that were stored just now. */
  private record Rows(List<DueState> all, Map<String, RunSpec> specs, Instant position) {
    int waiting() {
      return Math.toIntExact(all.stream().filter(row -> row.status() == DueStatus.COMED).count());
    }
  }

  /**
   * Does what is to be done.
   *
   * @return the instant at which to look again; empty when nothing is due by the clock alone
   */
  Future<Optional<Instant>> run(PipelineName pipeline) {
    return schedules
        .find(pipeline)
        .compose(found ->
            found.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : rows.deciding(pipeline).compose(present -> run(found.get(), present)));
  }

  private Future<Optional<Instant>> run(Stored stored, List<DueState> present) {
    ScheduleModel model = new ScheduleModel(stored.schedule());
    if (stored.paused()) {
      return Future.succeededFuture(Optional.empty());
    }
    return create(stored, model, new Rows(present, Map.of(), stored.position()))
        .compose(rows ->
            submit(stored, model.reasons(false, rows.all()), rows)
                .compose(done -> tellLate(stored, model, rows))
                .map(done -> model.next(rows.position(), rows.waiting())));
  }

  /** Tells of the due runs that have waited too long: once each, as rows of alerts are kept. */
  private Future<Void> tellLate(Stored stored, ScheduleModel model, Rows of) {
    RunAlerts alerts = stored.alerts();
    if (alerts == null || !DueAlerts.tells(stored, DueAlert.LATE) || of.waiting() == 0) {
      return Future.succeededFuture();
    }
    Instant now = clock.now();
    return rows.waitingSince(stored.pipeline(), now.minus(alerts.late()))
        .compose(waiting -> {
          Map<String, String> reasons = model.reasons(false, of.all());
          List<DueState> untold = waiting.stream().filter(row -> !told.contains(row.id())).toList();
          List<Statement> statements = new ArrayList<>();
          for (DueState row : untold) {
            String reason = reasons.getOrDefault(row.id(), "is being submitted");
            statements.addAll(
                DueAlerts.of(stored, DueAlert.LATE, row.id(), 0, row.due(), reason, now));
          }
          return statements.isEmpty()
              ? Future.succeededFuture()
              : store
                  .write(statements)
                  .onSuccess(written -> {
                    if (told.size() > MOST_TOLD) {
                      told.clear();
                    }
                    untold.forEach(row -> told.add(row.id()));
                    bus.publish(Schedules.CHANGED, new Schedules.Changed(stored.pipeline()));
                  })
                  .mapEmpty();
        });
  }

  private Future<Rows> create(Stored stored, ScheduleModel model, Rows before) {
    Instant now = clock.now();
    Creation creation = model.create(stored.position(), now, before.waiting());
    if (creation.position().equals(stored.position())) {
      return Future.succeededFuture(before);
    }
    Future<Map<Instant, Freezing>> freezing =
        creation.instants().isEmpty()
            ? Future.succeededFuture(Map.of())
            : freezer.freeze(stored.pipeline(), creation.instants(), 0);
    return freezing.compose(frozen -> {
      List<Statement> statements = new ArrayList<>();
      statements.add(ScheduleTable.move(stored, creation.position()));
      frozen.forEach((due, each) ->
          statements.add(DueRunTable.insert(stored.pipeline(), stored.project(), due, each, now)));
      frozen.forEach((due, each) -> {
        if (each.spec() == null) {
          statements.addAll(
              DueAlerts.of(
                  stored,
                  DueAlert.REFUSED,
                  DueIds.of(stored.pipeline(), due),
                  0,
                  due,
                  Objects.requireNonNullElse(each.reason(), "it was refused"),
                  now));
        }
      });
      List<Instant> missed = model.missed(stored.position(), creation, now);
      if (!missed.isEmpty()) {
        statements.addAll(
            DueAlerts.missed(stored, missed, missed.size() == ScheduleModel.BATCH, now));
      }
      statements.add(DueRunTable.keep(stored.pipeline(), stored.schedule().keep()));
      return store
          .write(statements)
          .map(written -> with(before, stored.pipeline(), frozen, creation.position()));
    });
  }

  private static Rows with(
      Rows before, PipelineName pipeline, Map<Instant, Freezing> frozen, Instant position) {
    List<DueState> all = new ArrayList<>(before.all());
    Map<String, RunSpec> specs = new HashMap<>();
    frozen.forEach((due, each) -> {
      String id = DueIds.of(pipeline, due);
      RunSpec spec = each.spec();
      if (all.stream().noneMatch(row -> row.id().equals(id))) {
        DueStatus status = spec == null ? DueStatus.REFUSED : DueStatus.COMED;
        all.add(new DueState(id, due, status, null, null, 0));
        if (spec != null) {
          specs.put(id, spec);
        }
      }
    });
    all.sort(Comparator.comparing(DueState::due));
    return new Rows(all, specs, position);
  }

  /** Submits what may start, the oldest first; one that cannot be submitted holds up the rest. */
  private Future<Void> submit(Stored stored, Map<String, String> reasons, Rows of) {
    Predicate<DueState> goes =
        row -> row.status() == DueStatus.COMED && !reasons.containsKey(row.id());
    Future<Void> chain = Future.succeededFuture();
    for (DueState row : of.all().stream().filter(goes).toList()) {
      chain = chain.compose(before -> submit(stored, row, of.specs()));
    }
    return chain;
  }

  private Future<Void> submit(Stored stored, DueState row, Map<String, RunSpec> specs) {
    RunSpec fresh = specs.get(row.id());
    Future<Optional<RunSpec>> spec =
        fresh == null ? rows.spec(row.id()) : Future.succeededFuture(Optional.of(fresh));
    return spec.compose(found -> {
      if (found.isEmpty()) {
        return Future.succeededFuture();
      }
      RunId run = found.get().id();
      return bus.request(PipelineRuns.CREATE, new PipelineRuns.Create(found.get()))
          .transform((created, failure) -> {
            if (failure == null) {
              return record(row, run);
            }
            return Problem.of(failure) instanceof Problem.Refused refused
                ? refuse(stored, row, DueFreezer.words(refused))
                : Future.failedFuture(failure);
          });
    });
  }

  private Future<Void> refuse(Stored stored, DueState row, String reason) {
    List<Statement> statements = new ArrayList<>();
    statements.add(DueRunTable.refused(row.id(), row.attempt(), reason));
    statements.addAll(
        DueAlerts.of(
            stored, DueAlert.REFUSED, row.id(), row.attempt(), row.due(), reason, clock.now()));
    return store.write(statements);
  }

  /**
   * Notes that a run is there. A write that is in conflict says nothing of the run by itself: when
   * another server has the schedules now, that one records the same run.
   */
  private Future<Void> record(DueState row, RunId run) {
    return store
        .write(List.of(DueRunTable.submitted(row.id(), row.attempt(), run, clock.now())))
        .recover(failure ->
            Problem.of(failure) instanceof Problem.Conflict
                ? isLeftOut(row)
                    .compose(out -> out ? stop(bus, run) : Future.<Void>failedFuture(failure))
                : Future.failedFuture(failure));
  }

  /** Whether a due run was skipped or removed since, or waits for another run. */
  private Future<Boolean> isLeftOut(DueState row) {
    return rows.get(row.id())
        .map(now -> now.due().status() == DueStatus.SKIPPED || now.attempt() != row.attempt())
        .recover(failure ->
            Problem.of(failure) instanceof Problem.NotFound
                ? Future.succeededFuture(true)
                : Future.failedFuture(failure));
  }

  /**
   * Ends the run of a due run that was skipped or removed while it was submitted. One that is not
   * there, or is over, stays so.
   */
  static Future<Void> stop(Bus bus, RunId run) {
    return bus.request(
            PipelineRuns.COMMAND, new PipelineRuns.Command(run, PipelineRuns.Verb.STOP, List.of()))
        .<Void>mapEmpty()
        .recover(failure ->
            Problem.of(failure) instanceof Problem.Passing
                ? Future.failedFuture(failure)
                : Future.succeededFuture());
  }
}
