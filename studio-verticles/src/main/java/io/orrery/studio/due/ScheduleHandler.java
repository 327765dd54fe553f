package io.orrery.studio.due;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.alert.AlertRows;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Schedules.Instants;
import io.orrery.core.bus.contract.Schedules.PutDone;
import io.orrery.core.bus.contract.Schedules.Schedule;
import io.orrery.core.bus.contract.Schedules.SchedulePage;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.pipeline.PipelineFreezer;
import io.orrery.studio.schedule.DueRunTable;
import io.orrery.studio.schedule.PipelineSchedule;
import io.orrery.studio.schedule.ScheduleTable;
import io.orrery.studio.schedule.ScheduleTable.Stored;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Answers questions about schedules; {@link DueRunHandler} those about due runs. */
public final class ScheduleHandler {
  private static final int UPCOMING = 5;

  private final Bus bus;
  private final Store store;
  private final AuditedChanges changes;
  private final ScheduleTable table;
  private final DueRunTable rows;
  private final DueFreezer freezer;
  private final DueRunHandler dueRuns;

  public ScheduleHandler(Bus bus, Store store, AuditedChanges changes) {
    this.bus = bus;
    this.store = store;
    this.changes = changes;
    this.table = new ScheduleTable(store);
    this.rows = new DueRunTable(store);
    this.freezer = new DueFreezer(new PipelineFreezer(bus, store));
    this.dueRuns = new DueRunHandler(bus, store, changes, freezer);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Schedules.LIST, this::list),
            bus.serve(Schedules.GET, asked -> table.get(asked.pipeline()).compose(this::told)),
            bus.serve(Schedules.PUT, this::put),
            bus.serve(Schedules.DELETE, this::delete),
            bus.serve(Schedules.PAUSE, asked -> pause(asked.by(), asked.pipeline())),
            bus.serve(Schedules.RESUME, asked -> resume(asked.by(), asked.pipeline())),
            bus.serve(Schedules.PREVIEW, this::preview),
            bus.serve(Schedules.BACKFILL, this::backfill),
            dueRuns.serve()));
  }

  private Future<SchedulePage> list(Schedules.ListSchedules asked) {
    return table
        .page(asked)
        .map(rows -> {
          boolean more = rows.size() > asked.limit();
          List<Schedule> items = rows.stream().limit(asked.limit()).map(row -> view(row)).toList();
          return new SchedulePage(items, more ? items.getLast().pipeline().value() : null);
        });
  }

  /** The schedule with what became of its alerts. */
  private Future<Schedule> told(Stored stored) {
    return AlertRows.of(store, AlertRows.ofSchedule(stored.pipeline()))
        .map(view(stored)::withAlerts);
  }

  private Schedule view(Stored stored) {
    return view(stored.pipeline(), stored.schedule(), stored.paused(), stored.position());
  }

  private Schedule view(
      PipelineName pipeline, PipelineSchedule schedule, boolean paused, Instant position) {
    Instant now = changes.now();
    Instant after = position.isAfter(now) ? position : now;
    return new Schedule(
        pipeline,
        schedule.cron(),
        schedule.zone().getId(),
        schedule.from(),
        schedule.dependsOnPast(),
        schedule.maxActiveRuns(),
        schedule.keep(),
        schedule.missed(),
        paused,
        paused ? List.of() : schedule.calendar().between(after, Instant.MAX, UPCOMING),
        List.of());
  }

  // ---- the document --------------------------------------------------------------------------

  private Future<PutDone> put(Schedules.PutSchedule asked) {
    ObjectNode written = (ObjectNode) Json.parse(asked.schedule());
    List<Finding> findings = new ArrayList<>();
    PipelineSchedule schedule = PipelineSchedule.read(written, "", findings::add);
    if (schedule == null) {
      throw Problem.Refused.of(findings).toException();
    }
    return bus.request(Pipelines.GET, new Pipelines.GetPipeline(asked.pipeline()))
        .compose(pipeline -> {
          ObjectNode document = (ObjectNode) Json.parse(pipeline.document());
          document.set("schedule", written);
          return put(asked.by(), pipeline, document, asked.dryRun());
        })
        .compose(done ->
            (asked.dryRun()
                    ? Future.succeededFuture(
                        view(asked.pipeline(), schedule, false, schedule.begins(changes.now())))
                    : table.get(asked.pipeline()).map(this::view))
                .map(view -> new PutDone(view, done.outcome(), notices(schedule, done))));
  }

  private List<String> notices(PipelineSchedule schedule, Pipelines.PutDone done) {
    List<String> notices = new ArrayList<>(done.notices());
    Instant from = schedule.from();
    if (from != null && from.isBefore(changes.now())) {
      notices.add(
          "from is in the past: instants since then are due when you backfill them, not by"
              + " themselves");
    }
    return notices;
  }

  private Future<Pipelines.PutDone> put(
      Actor by, Pipeline pipeline, ObjectNode document, boolean dryRun) {
    return bus.request(
        Pipelines.PUT,
        new Pipelines.PutPipeline(
            by,
            pipeline.name(),
            pipeline.project(),
            Json.write(document),
            false,
            pipeline.revision(),
            dryRun));
  }

  private Future<Done> delete(Schedules.ChangeSchedule asked) {
    return table
        .get(asked.pipeline())
        .compose(stored -> bus.request(Pipelines.GET, new Pipelines.GetPipeline(asked.pipeline())))
        .compose(pipeline -> {
          ObjectNode document = (ObjectNode) Json.parse(pipeline.document());
          document.remove("schedule");
          return put(asked.by(), pipeline, document, false);
        })
        .map(new Done());
  }

  // ---- state ---------------------------------------------------------------------------------

  private Future<Schedule> pause(Actor by, PipelineName pipeline) {
    return table
        .get(pipeline)
        .compose(stored ->
            stored.paused()
                ? Future.succeededFuture(view(stored))
                : change(by, "pause", stored, ScheduleTable.pause(stored)));
  }

  private Future<Schedule> resume(Actor by, PipelineName pipeline) {
    return table
        .get(pipeline)
        .compose(stored ->
            stored.paused()
                ? change(by, "resume", stored, ScheduleTable.resume(stored, changes.now()))
                : Future.succeededFuture(view(stored)));
  }

  private Future<Schedule> change(Actor by, String action, Stored stored, Statement statement) {
    return changes
        .commitObject(by, what(action, stored, ""), List.of(statement))
        .onSuccess(committed -> changed(stored.pipeline()))
        .compose(committed -> table.get(stored.pipeline()))
        .map(this::view);
  }

  private static What what(String action, Stored stored, String detail) {
    return new What(action, "schedule", stored.pipeline().value(), stored.project(), detail);
  }

  private void changed(PipelineName pipeline) {
    bus.publish(Schedules.CHANGED, new Schedules.Changed(pipeline));
  }

  // ---- instants ------------------------------------------------------------------------------

  private Future<Instants> preview(Schedules.AskInstants asked) {
    Instant to = asked.to();
    return table
        .get(asked.pipeline())
        .map(stored ->
            instants(
                stored.schedule(),
                asked.from(),
                to == null ? Instant.MAX : to,
                Math.clamp(asked.limit(), 1, Schedules.MOST_INSTANTS)));
  }

  private static Instants instants(PipelineSchedule schedule, Instant from, Instant to, int most) {
    Instant begin = schedule.from();
    Instant first = begin != null && begin.isAfter(from) ? begin : from;
    List<Instant> all = schedule.calendar().between(first.minusMillis(1), to, most + 1);
    boolean more = all.size() > most;
    return new Instants(more ? all.subList(0, most) : all, more);
  }

  private Future<Instants> backfill(Schedules.Backfill asked) {
    if (asked.to().isAfter(changes.now()) || asked.from().isAfter(asked.to())) {
      throw new Problem.Refused(
              new Finding(
                  asked.from().isAfter(asked.to()) ? "/from" : "/to",
                  asked.from().isAfter(asked.to())
                      ? "from comes before to"
                      : "a backfill ends in the past: what is to come is due by itself"))
          .toException();
    }
    return table
        .get(asked.pipeline())
        .compose(stored -> {
          Instants wanted =
              instants(stored.schedule(), asked.from(), asked.to(), Schedules.MOST_INSTANTS);
          if (wanted.more()) {
            throw new Problem.Refused(
                    new Finding(
                        "/to",
                        "there are more than %,d instants: choose a shorter span"
                            .formatted(Schedules.MOST_INSTANTS)))
                .toException();
          }
          return rows.present(asked.pipeline(), asked.from(), asked.to())
              .compose(present -> backfill(asked, stored, wanted, present));
        });
  }

  private Future<Instants> backfill(
      Schedules.Backfill asked, Stored stored, Instants wanted, Set<Instant> present) {
    List<Instant> missing = wanted.items().stream().filter(due -> !present.contains(due)).toList();
    Instants answer = new Instants(missing, false);
    if (asked.dryRun() || missing.isEmpty()) {
      return Future.succeededFuture(answer);
    }
    return freezer
        .freeze(asked.pipeline(), missing, 0)
        .compose(frozen -> {
          List<Statement> statements = new ArrayList<>();
          frozen.forEach((due, each) ->
              statements.add(
                  DueRunTable.insert(
                      stored.pipeline(), stored.project(), due, each, changes.now())));
          return changes.commitObject(
              asked.by(),
              what(
                  "backfill",
                  stored,
                  "%,d due runs from %s to %s".formatted(missing.size(), asked.from(), asked.to())),
              statements);
        })
        .onSuccess(committed -> changed(asked.pipeline()))
        .map(answer);
  }
}
