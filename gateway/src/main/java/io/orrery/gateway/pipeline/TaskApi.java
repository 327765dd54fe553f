package io.orrery.gateway.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.orrery.core.access.Need;
import io.orrery.core.access.ResourceOwner;
import io.orrery.core.async.AsyncLoop;
import io.orrery.core.bus.Bus;
import io.orrery.core.bus.contract.PipelineRuns;
import io.orrery.core.bus.contract.PipelineRuns.Run;
import io.orrery.core.bus.contract.PipelineRuns.RunPage;
import io.orrery.core.bus.contract.PipelineRuns.Step;
import io.orrery.core.bus.contract.PipelineRuns.Verb;
import io.orrery.core.bus.contract.Pipelines;
import io.orrery.core.bus.contract.Pipelines.Pipeline;
import io.orrery.core.bus.contract.Trials.Stream;
import io.orrery.core.json.Json;
import io.orrery.core.problem.Problem;
import io.orrery.core.run.RunId;
import io.orrery.core.run.StepStatus;
import io.orrery.core.time.Clock;
import io.orrery.core.workload.WorkloadKind;
import io.orrery.core.workload.WorkloadRef;
import io.orrery.gateway.auth.Callers;
import io.orrery.gateway.http.Api;
import io.orrery.gateway.http.ApiRouter;
import io.orrery.gateway.http.DryRun;
import io.orrery.gateway.http.Fields;
import io.orrery.gateway.http.LogStreams;
import io.orrery.gateway.http.Query;
import io.orrery.gateway.http.Reply;
import io.orrery.gateway.http.RequestBody;
import io.orrery.gateway.http.RouteNeed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The API of single tasks, {@code /api/v1/pipelines/{pipeline}/tasks/{task}}: runs of one task,
 * with outputs of an earlier run as its inputs. They are runs like all others, started by {@code
 * task NAME} or {@code debug NAME}.
 */
final class TaskApi implements Api {
  private static final String ONE = ApiRouter.V1 + "/pipelines/:pipeline/tasks/:task";
  private static final int MAX_BYTES = 1 << 20;
  private static final int MOST_PARAMETERS = 200_000;
  private static final int PAGE = 500;
  private static final int MOST_LOOKS = 100;
  private static final Duration LOOK = Duration.ofMillis(200);

  private final Bus bus;
  private final RequestBody bodies;
  private final LogStreams streams;
  private final Clock clock;

  public TaskApi(Bus bus, RequestBody bodies, LogStreams streams, Clock clock) {
    this.bus = bus;
    this.bodies = bodies;
    this.streams = streams;
    this.clock = clock;
  }

  @Override
  public void mount(ApiRouter router) {
    router.post(ONE + "/run", RouteNeed.STUDIO, context -> start(context, false), "dryRun");
    router.post(ONE + "/debug", RouteNeed.STUDIO, context -> start(context, true), "dryRun");
    router.post(ONE + "/clear", RouteNeed.STUDIO, this::clear, "dryRun");
    router.stream(ONE + "/log", RouteNeed.STUDIO, this::log, "stream", "step", "offset", "follow");
  }

  private static String task(RoutingContext context) {
    return context.pathParam("task");
  }

  private Future<Reply> start(RoutingContext context, boolean debug) {
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(text ->
            PipelineApi.allowed(bus, context, Need.CHANGE)
                .compose(pipeline -> {
                  Fields fields =
                      Fields.of(
                          text.isBlank() ? "{}" : text,
                          List.of("parameters", "version", "from"),
                          "{\"parameters\": {\"epochs\": 5}}");
                  ObjectNode parameters = fields.object("parameters", MOST_PARAMETERS);
                  Integer version = fields.integer("version", 1, Integer.MAX_VALUE);
                  String from = fields.text("from", RunId.MOST_CHARACTERS);
                  if (from != null && !RunId.valid(from)) {
                    fields.wrong("from", "from is the id of a run");
                  }
                  fields.check();
                  return bus.request(
                      dryRun ? Pipelines.CHECK_TASK : Pipelines.RUN_TASK,
                      new Pipelines.StartTask(
                          Callers.actor(context),
                          pipeline.name(),
                          task(context),
                          version == null ? null : Long.valueOf(version),
                          Json.write(parameters),
                          from == null ? null : new RunId(from),
                          debug));
                }))
        .map(started -> dryRun ? valid(started) : created(started, debug));
  }

  private static Reply valid(Pipelines.Started started) {
    ObjectNode body = Json.MAPPER.createObjectNode().put("valid", true);
    body.set("notices", Json.MAPPER.valueToTree(started.notices()));
    return Reply.ok(body);
  }

  private static Reply created(Pipelines.Started started, boolean debug) {
    RunId id = Objects.requireNonNull(started.id());
    ObjectNode body = Json.MAPPER.createObjectNode().put("id", id.value());
    if (debug) {
      body.put("workload", new WorkloadRef(WorkloadKind.SHELL, id.value()).segment());
    }
    body.set("notices", Json.MAPPER.valueToTree(started.notices()));
    return Reply.created(RunApi.ALL + "/" + id, body);
  }

  /** The runs of the task alone, the newest first. */
  private Future<RunPage> runs(
      Pipeline pipeline, String trigger, @Nullable String cursor, int most) {
    return bus.request(
        PipelineRuns.LIST,
        new PipelineRuns.ListRuns(
            List.of(pipeline.project()),
            pipeline.name().value(),
            null,
            null,
            trigger,
            null,
            cursor,
            most));
  }

  // ---- log -----------------------------------------------------------------------------------

  /** Sends what the newest run of the task alone has written. */
  private void log(RoutingContext context) {
    Query query = Query.of(context);
    Stream stream = Objects.requireNonNullElse(query.oneOf("stream", Stream.class), Stream.STDOUT);
    String wanted = query.text("step");
    PipelineApi.allowed(bus, context, Need.READ)
        .compose(pipeline -> runs(pipeline, "task " + task(context), null, 1))
        .map(RunPage::items)
        .compose(found -> {
          if (found.isEmpty()) {
            throw new Problem.NotFound(
                    "The task %s was not run alone yet.".formatted(task(context)))
                .toException();
          }
          return bus.request(PipelineRuns.GET, new PipelineRuns.GetRun(found.getFirst().id()));
        })
        .onSuccess(view -> {
          Step step =
              view.steps().stream()
                  .filter(each -> each.task().equals(task(context)))
                  .filter(each -> wanted == null || each.name().equals(wanted))
                  .filter(each -> each.status() != StepStatus.CACHED)
                  .findFirst()
                  .orElse(null);
          if (step == null) {
            context.fail(
                new Problem.NotFound("There is no such step in run " + view.run().id() + ".")
                    .toException());
            return;
          }
          streams.send(
              context,
              (offset, limit) ->
                  bus.request(
                      PipelineRuns.READ_LOG,
                      new PipelineRuns.ReadLog(
                          view.run().id(), step.name(), null, stream, offset, limit)));
        })
        .onFailure(context::fail);
  }

  // ---- clearing ------------------------------------------------------------------------------

  /**
   * Stops and deletes the runs of the task alone, with all that they have left; none of them when
   * there is one that the caller may not delete.
   */
  private Future<Reply> clear(RoutingContext context) {
    List<Run> all = new ArrayList<>();
    boolean dryRun = DryRun.isAsked(context);
    return bodies
        .text(context, MAX_BYTES)
        .compose(ignored -> PipelineApi.allowed(bus, context, Need.CHANGE))
        .compose(pipeline ->
            AsyncLoop.inTurn(
                List.of("task " + task(context), "debug " + task(context)),
                trigger -> collect(pipeline, trigger, all)))
        .compose(found -> {
          all.forEach(run -> requireChange(context, run));
          return dryRun
              ? AsyncLoop.inTurn(all, run -> checkDeletion(context, run))
              : AsyncLoop.inTurn(all, this::stop)
                  .compose(stopped -> AsyncLoop.inTurn(all, run -> delete(context, run)));
        })
        .map(deleted -> {
          ObjectNode body = Json.MAPPER.createObjectNode();
          ArrayNode ids = body.putArray("deleted");
          all.forEach(run -> ids.add(run.id().value()));
          return Reply.ok(body);
        });
  }

  private Future<Void> collect(Pipeline pipeline, String trigger, List<Run> into) {
    return AsyncLoop.pages(cursor ->
        runs(pipeline, trigger, cursor, PAGE)
            .map(page -> {
              into.addAll(page.items());
              return page.next();
            }));
  }

  private static void requireChange(RoutingContext context, Run run) {
    Callers.require(
        Callers.of(context),
        Need.CHANGE,
        new ResourceOwner(run.project(), run.owner()),
        "run " + run.id());
  }

  private Future<?> stop(Run run) {
    return run.status().isOver()
        ? Future.succeededFuture()
        : bus.request(
                PipelineRuns.COMMAND, new PipelineRuns.Command(run.id(), Verb.STOP, List.of()))
            .<Void>mapEmpty()
            .recover(failure ->
                Problem.of(failure) instanceof Problem.Conflict
                    ? Future.succeededFuture()
                    : Future.failedFuture(failure));
  }

  private Future<?> checkDeletion(RoutingContext context, Run run) {
    return bus.request(
        Pipelines.CHECK_DELETE_RUN, new Pipelines.DeleteRun(Callers.actor(context), run.id()));
  }

  private Future<Void> delete(RoutingContext context, Run run) {
    Future<Void> over = run.status().isOver() ? Future.succeededFuture() : over(run.id());
    return over.compose(done ->
            bus.request(
                Pipelines.DELETE_RUN, new Pipelines.DeleteRun(Callers.actor(context), run.id())))
        .mapEmpty();
  }

  /** Waits until a run is over, for a while. */
  private Future<Void> over(RunId run) {
    AtomicInteger looks = new AtomicInteger();
    return AsyncLoop.repeat(() ->
        bus.request(PipelineRuns.GET, new PipelineRuns.GetRun(run))
            .compose(view -> {
              if (view.run().status().isOver() || looks.getAndIncrement() == MOST_LOOKS) {
                return Future.succeededFuture(false);
              }
              Promise<Void> pause = Promise.promise();
              clock.after(LOOK, pause::complete);
              return pause.future().map(true);
            }));
  }
}
