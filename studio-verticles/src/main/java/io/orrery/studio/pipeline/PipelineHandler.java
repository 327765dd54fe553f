package io.orrery.studio.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.ProjectName;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.CodeBundles;
import io.orrery.core.bus.contract.People.Actor;
import io.orrery.core.bus.contract.People.Done;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Pipelines.ListPipelines;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.bus.contract.Pipelines.PipelinePage;
import io.orrery.core.bus.contract.Pipelines.PutDone;
import io.orrery.core.bus.contract.Pipelines.PutPipeline;
import io.orrery.core.bus.contract.Pipelines.Started;
import io.orrery.core.bus.contract.Pipelines.Version;
import io.orrery.core.bus.contract.RunChecks;
import io.orrery.core.bus.contract.Schedules;
import io.orrery.core.bus.contract.Services.Outcome;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Finding;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.PipelineName;
import io.orrery.core.run.RunId;
import io.orrery.core.run.RunSpec;
import io.orrery.core.sql.Statement;
import io.orrery.core.sql.Store;
import io.orrery.studio.audit.AuditedChanges;
import io.orrery.studio.audit.AuditedChanges.What;
import io.orrery.studio.pipeline.PipelineDocumentReader.Reading;
import io.orrery.studio.schedule.ScheduleTable;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Answers questions about pipelines, and freezes their versions into runs. */
public final class PipelineHandler {
  private final Bus bus;
  private final AuditedChanges changes;
  private final RandomGenerator random;
  private final PipelineTable table;
  private final PipelineFreezer freezer;
  private final ServerTaskCheck serverTasks;

  /**
   * @param mails whether this server sends alerts as mails
   */
  public PipelineHandler(
      Bus bus, Store store, AuditedChanges changes, RandomGenerator random, boolean mails) {
    this.bus = bus;
    this.changes = changes;
    this.random = random;
    this.table = new PipelineTable(store);
    this.freezer = new PipelineFreezer(bus, store);
    this.serverTasks = new ServerTaskCheck(bus, mails);
  }

  /** Completes when all addresses are served. */
  public Future<?> serve() {
    return Future.all(
        List.of(
            bus.serve(Pipelines.LIST, this::list),
            bus.serve(Pipelines.GET, asked -> table.get(asked.name())),
            bus.serve(Pipelines.PUT, this::put),
            bus.serve(Pipelines.DELETE, this::delete),
            bus.serve(Pipelines.VERSIONS, this::versions),
            bus.serve(Pipelines.ADVICE, this::advice),
            bus.serve(Pipelines.RUN, this::run),
            bus.serve(Pipelines.RUN_TASK, this::runTask),
            bus.serve(Pipelines.CHECK_TASK, this::checkTask),
            bus.serve(Pipelines.EXPORT, this::export),
            bus.serve(Pipelines.DELETE_RUN, this::deleteRun),
            bus.serve(Pipelines.CHECK_DELETE_RUN, asked -> unused(asked.run()).map(new Done()))));
  }

  /** The digests of the uploaded code that a document has, present or kept. */
  public Future<Set<String>> usedCode() {
    Set<String> used = new HashSet<>();
    // Page by page: all documents at once could be gigabytes.
    return AsyncLoop.iterate(
            new Place("", 0),
            place ->
                table
                    .documentsAfter(place.pipeline(), place.version())
                    .map(some -> {
                      some.forEach(
                          each -> used.addAll(PipelineDocumentReader.code(each.document())));
                      return some.isEmpty()
                          ? Optional.empty()
                          : Optional.of(
                              new Place(some.getLast().pipeline(), some.getLast().version()));
                    }))
        .map(used);
  }

  /** A place in the order of all versions: they are read after it. */
  private record Place(String pipeline, long version) {}

  private Future<Pipelines.Versions> versions(Pipelines.VersionsOf asked) {
    Long before = asked.before();
    return table
        .get(asked.name())
        .compose(known ->
            table.versions(known.name(), before == null ? Long.MAX_VALUE : before, asked.limit()))
        .compose(rows -> {
          if (rows.isEmpty()) {
            return Future.succeededFuture(new Pipelines.Versions(rows, null));
          }
          long last = rows.getLast().version();
          return table
              .hasOlder(asked.name(), last)
              .map(older -> new Pipelines.Versions(rows, older ? last : null));
        });
  }

  private Future<Pipelines.Advice> advice(Pipelines.GetAdvice asked) {
    return table
        .get(asked.name())
        .compose(pipeline ->
            bus.request(
                    PipelineRuns.USES,
                    new PipelineRuns.AskUses(pipeline.name(), pipeline.project()))
                .map(uses ->
                    new Pipelines.Advice(ResourceAdvice.of(pipeline.document(), uses.items()))));
  }

  private Future<PipelinePage> list(ListPipelines asked) {
    return table
        .page(asked)
        .map(rows -> {
          boolean more = rows.size() > asked.limit();
          List<Pipeline> items = more ? rows.subList(0, asked.limit()) : rows;
          return new PipelinePage(items, more ? items.getLast().name().value() : null);
        });
  }

  // ---- the document --------------------------------------------------------------------------

  private Future<PutDone> put(PutPipeline wanted) {
    return table
        .find(wanted.name())
        .compose(found -> {
          Pipeline before = found.orElse(null);
          DocumentChange.check(
              "pipeline",
              wanted.name(),
              wanted.creates(),
              wanted.ifRevision(),
              before == null ? null : before.revision());
          if (before != null) {
            DocumentChange.checkProject(
                "pipeline", wanted.name(), wanted.document(), before.project());
          }
          ProjectName project = before == null ? wanted.project() : before.project();
          return freezer
              .surroundings(wanted.document(), project, wanted.by().name())
              .compose(with -> {
                Reading reading =
                    PipelineDocumentReader.read(wanted.name(), wanted.document(), with);
                return serverTasks
                    .check(reading.document(), project, wanted.by(), isAlerted(wanted, before))
                    .compose(right -> code(wanted))
                    .compose(there -> put(wanted, reading, before));
              });
        });
  }

  /** Whether the stored document has the same receivers of mail. */
  private static boolean isAlerted(PutPipeline wanted, @Nullable Pipeline before) {
    return before != null
        && Json.parse(before.document())
            .at("/alerts/mail")
            .equals(Json.parse(wanted.document()).at("/alerts/mail"));
  }

  private Future<PutDone> put(PutPipeline wanted, Reading reading, @Nullable Pipeline before) {
    List<String> notices = new ArrayList<>(reading.notices());
    notices.addAll(serverTasks.notices(reading.document()));
    Instant now = changes.now();
    boolean same =
        before != null && Json.parse(before.document()).equals(Json.parse(wanted.document()));
    Outcome outcome = before == null ? Outcome.CREATED : same ? Outcome.UNCHANGED : Outcome.CHANGED;
    if (same || wanted.dryRun()) {
      return Future.succeededFuture(new PutDone(before, outcome, notices));
    }
    Pipeline after =
        before == null
            ? new Pipeline(
                wanted.name(), wanted.project(), wanted.by().name(), wanted.document(), now, now, 1)
            : new Pipeline(
                before.name(),
                before.project(),
                before.owner(),
                wanted.document(),
                before.createdAt(),
                now,
                before.revision() + 1);
    List<Statement> statements = new ArrayList<>();
    statements.add(
        before == null
            ? PipelineTable.insert(after)
            : PipelineTable.update(after, before.revision()));
    statements.addAll(PipelineTable.keep(after, wanted.by().name()));
    statements.addAll(
        ScheduleTable.put(after, reading.document().schedule(), reading.document().alerts(), now));
    return changes
        .commitObject(
            wanted.by(),
            what(before == null ? "create" : "change", after, "version " + after.revision()),
            statements)
        .onSuccess(committed -> rescheduled(after.name()))
        .map(new PutDone(after, outcome, notices));
  }

  private void rescheduled(PipelineName name) {
    bus.publish(Schedules.CHANGED, new Schedules.Changed(name));
  }

  private static What what(String action, Pipeline pipeline, String detail) {
    return new What(action, "pipeline", pipeline.name().value(), pipeline.project(), detail);
  }

  /** Refuses a document whose code is not uploaded; a check comes before the upload. */
  private Future<Void> code(PutPipeline wanted) {
    if (wanted.dryRun()) {
      return Future.succeededFuture();
    }
    List<Future<Void>> looks =
        PipelineDocumentReader.code(wanted.document()).stream()
            .map(digest ->
                bus.request(CodeBundles.FIND, new CodeBundles.Find(digest))
                    .<Void>map(found -> {
                      if (!found.there()) {
                        throw new Problem.Refused(
                                new Finding(
                                    "/tasks",
                                    "there is no uploaded code sha256:%s: upload it first"
                                        .formatted(digest)))
                            .toException();
                      }
                      return null;
                    }))
            .toList();
    return Future.all(looks).mapEmpty();
  }

  private Future<Done> delete(Pipelines.OfPipeline asked) {
    return table
        .get(asked.name())
        .compose(pipeline -> {
          List<Statement> statements = new ArrayList<>(PipelineTable.delete(pipeline.name()));
          statements.addAll(ScheduleTable.delete(pipeline.name()));
          return changes.commitObject(asked.by(), what("delete", pipeline, ""), statements);
        })
        .onSuccess(committed -> rescheduled(asked.name()))
        .map(new Done());
  }

  // ---- runs ----------------------------------------------------------------------------------

  /** A version frozen for the caller, with sentences about it. */
  private record Frozen(Pipeline pipeline, RunSpec spec, List<String> notices) {}

  private Future<Frozen> frozen(
      PipelineName name, @Nullable Long wanted, String given, Actor by, boolean cached) {
    if (!(Json.parse(given) instanceof ObjectNode parameters)) {
      throw new Problem.Refused(new Finding("/parameters", "parameters are an object"))
          .toException();
    }
    return table
        .get(name)
        .compose(pipeline -> {
          Future<Version> version =
              table.version(pipeline.name(), wanted == null ? pipeline.revision() : wanted);
          return version.compose(chosen ->
              freezer
                  .surroundings(chosen.document(), pipeline.project(), by.name())
                  .map(
                      with -> PipelineDocumentReader.read(pipeline.name(), chosen.document(), with))
                  .compose(reading -> {
                    RunSpec spec =
                        RunFreezer.freeze(
                            new RunFreezer.Start(
                                RunId.random(random),
                                pipeline,
                                chosen.version(),
                                parameters,
                                by.name(),
                                cached,
                                null,
                                changes.now()),
                            reading.document());
                    return StepEnvironments.of(bus, pipeline.project(), reading.document())
                        .map(environments ->
                            new Frozen(pipeline, environments.in(spec), reading.notices()));
                  }));
        });
  }

  private Future<Started> run(Pipelines.Start asked) {
    return frozen(asked.name(), asked.version(), asked.parameters(), asked.by(), asked.cached())
        .compose(frozen ->
            asked.dryRun()
                ? Future.succeededFuture(new Started(null, frozen.notices()))
                : start(asked.by(), frozen, new PipelineRuns.Create(frozen.spec())));
  }

  /** A run of one task, as it is asked for. */
  private record AskedTask(Frozen frozen, PipelineRuns.Create create) {}

  private Future<AskedTask> task(Pipelines.StartTask asked) {
    return frozen(asked.name(), asked.version(), asked.parameters(), asked.by(), false)
        .map(frozen ->
            new AskedTask(
                frozen, SingleTask.of(frozen.spec(), asked.task(), asked.from(), asked.debug())));
  }

  private Future<Started> runTask(Pipelines.StartTask asked) {
    return task(asked).compose(task -> start(asked.by(), task.frozen(), task.create()));
  }

  private Future<Started> checkTask(Pipelines.StartTask asked) {
    return task(asked)
        .compose(task ->
            bus.request(RunChecks.CREATE, task.create())
                .map(new Started(null, task.frozen().notices())));
  }

  private Future<Started> start(Actor by, Frozen frozen, PipelineRuns.Create create) {
    RunSpec spec = create.spec();
    String kind = spec.trigger().equals("manual") ? "" : " (" + spec.trigger() + ")";
    return changes
        .commitObject(
            by,
            what(
                "run",
                frozen.pipeline(),
                "run %s of version %d%s".formatted(spec.id(), spec.version(), kind)),
            List.of())
        .compose(audited -> bus.request(PipelineRuns.CREATE, create))
        .map(new Started(spec.id(), frozen.notices()));
  }

  private Future<Pipelines.Exported> export(Pipelines.Export asked) {
    return frozen(asked.name(), null, asked.parameters(), asked.by(), false)
        .map(frozen -> {
          ArgoWorkflow.Written written = ArgoWorkflow.of(frozen.spec(), asked.image());
          return new Pipelines.Exported(Json.write(written.workflow()), written.notices());
        });
  }

  private Future<Void> unused(RunId run) {
    return table
        .users(run)
        .map(users -> {
          if (!users.isEmpty()) {
            throw new Problem.Conflict(
                    "Run %s is used by %s.".formatted(run, String.join(", ", users)))
                .toException();
          }
          return null;
        });
  }

  /** Deletes a run unless a version of a model, or a due run that waits for it, refers to it. */
  private Future<Done> deleteRun(Pipelines.DeleteRun asked) {
    return bus.request(PipelineRuns.GET, new PipelineRuns.GetRun(asked.run()))
        .compose(view ->
            unused(asked.run())
                .compose(_ -> {
                  if (!view.run().status().isOver()) {
                    throw new Problem.Conflict(
                            "Run %s is %s: stop it first."
                                .formatted(asked.run(), view.run().status()))
                        .toException();
                  }
                  return changes.commitObject(
                      asked.by(),
                      new What(
                          "delete",
                          "run",
                          asked.run().value(),
                          view.run().project(),
                          "of pipeline " + view.run().pipeline()),
                      List.of());
                }))
        .compose(audited -> bus.request(PipelineRuns.DELETE, new PipelineRuns.Delete(asked.run())))
        .map(new Done());
  }
}
